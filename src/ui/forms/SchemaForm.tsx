import { Box, Select, SimpleGrid, Stack } from '@mantine/core';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import type { AnyShape } from '../../schema/index.js';
import {
  type ControlProps,
  type FieldNodeProps,
  type FormContext,
  FormProvider,
  useForm,
} from './context.js';
import { type Control, controlFor, isField } from './control.js';
import { type Place, valueAt, withValue } from './document.js';
import { FieldTitle } from './FieldTitle.js';
import { fallbackOf } from './fallback.js';
import { GroupErrors, GroupFields } from './GroupFields.js';
import { Help } from './Help.js';
import { errorAt } from './issues.js';
import { ListControl } from './ListControl.js';
import { MapControl } from './MapControl.js';
import { INDENT, NestedGroup } from './NestedGroup.js';
import { ScalarControl } from './ScalarControl.js';
import { helpOf } from './texts.js';

type UnionControl = Extract<Control, { readonly kind: 'oneKey' | 'tagged' }>;

interface KindControlProps extends ControlProps {
  readonly control: UnionControl;
}

const kindOf = (control: UnionControl, value: Json | undefined): string | null => {
  if (!isJsonObject(value)) return null;
  if (control.kind === 'oneKey') return Object.keys(value)[0] ?? null;
  const tag = value[control.tag];
  return typeof tag === 'string' ? tag : null;
};

/** The parameters of the chosen kind: below its name, or beside the tag. */
const KindFields = ({
  place,
  shape,
  control,
  kind,
}: {
  readonly place: ControlProps['place'];
  readonly shape: AnyShape;
  readonly control: UnionControl;
  readonly kind: string;
}) => {
  const { Field } = useForm();
  if (control.kind === 'oneKey') {
    if (shape.fields === undefined) return <Field place={[...place, kind]} shape={shape} />;
    return (
      <>
        <GroupErrors place={[...place, kind]} fields={shape.fields} />
        <GroupFields place={[...place, kind]} fields={shape.fields} />
      </>
    );
  }
  const { [control.tag]: _, ...fields } = shape.fields ?? {};
  return (
    <>
      <GroupErrors place={place} fields={shape.fields ?? {}} />
      <GroupFields place={place} fields={fields} />
    </>
  );
};

/** One of several kinds, with the fields of the chosen one. */
const KindControl = ({ place, value, label, control }: KindControlProps) => {
  const { issues, onChange } = useForm();
  const kind = kindOf(control, value);
  const shape = kind === null ? undefined : control.shapeOf(kind);
  const choose = (next: string | null): void => {
    if (next === null || next === kind) return;
    onChange(place, control.kind === 'oneKey' ? { [next]: {} } : { [control.tag]: next });
  };
  return (
    <Stack gap="sm">
      <Select
        aria-label={`Kind of ${label}`}
        data={kind !== null && !control.kinds.includes(kind) ? [...control.kinds, kind] : [...control.kinds]}
        value={kind}
        onChange={choose}
        placeholder="Choose a kind"
        searchable={control.kinds.length > 8}
        allowDeselect={false}
        maw={320}
        error={shape === undefined ? errorAt(issues, place) : null}
      />
      {kind !== null && shape !== undefined && (
        <Box {...INDENT}>
          <KindFields place={place} shape={shape} control={control} kind={kind} />
        </Box>
      )}
    </Stack>
  );
};

interface SchemaFormProps
  extends Pick<FormContext, 'issues' | 'noteOf' | 'isShown' | 'isExpanded' | 'isCompact'> {
  /** Shape of an object. */
  readonly shape: AnyShape;
  readonly value: JsonObject;
  readonly base: JsonObject;
  readonly defaults?: JsonObject;
  readonly onChange: (value: JsonObject) => void;
}

const NONE: JsonObject = {};

/** A form made from a declaration. It shows `issues`; who uses it decides when to look for them. */
export const SchemaForm = ({ shape, onChange, defaults = NONE, ...rest }: SchemaFormProps) => {
  const change = (place: Place, next: Json | undefined): void =>
    onChange(withValue(rest.value, place, next) as JsonObject);
  return (
    <FormProvider value={{ ...rest, Field: FieldNode, defaults, onChange: change }}>
      <Stack gap="md">
        <GroupErrors place={[]} fields={shape.fields ?? {}} />
        <GroupFields place={[]} fields={shape.fields ?? {}} />
      </Stack>
    </FormProvider>
  );
};

const SCALAR_KINDS: ReadonlySet<Control['kind']> = new Set([
  'switch',
  'choice',
  'number',
  'text',
  'loose',
  'json',
]);

const controls = {
  list: ListControl,
  map: MapControl,
  oneKey: KindControl,
  tagged: KindControl,
  group: NestedGroup,
} as const;

/** A value with its name, help, control and errors. */
const FieldNode = ({ place, shape, around, actions }: FieldNodeProps) => {
  const { value: root, defaults } = useForm();
  const value = valueAt(root, place);
  const fallback = fallbackOf(shape, place, { value: root, defaults, around });
  const control = controlFor(shape, value);
  const help = isField(shape) ? helpOf(shape) : '';
  const props: ControlProps = { place, shape, value, fallback, label: place.join(' ') };
  const Parts = SCALAR_KINDS.has(control.kind) ? null : controls[control.kind as keyof typeof controls];
  const title = (
    <>
      <FieldTitle place={place} shape={shape} kind={control.kind}>
        {actions}
      </FieldTitle>
      {help !== '' && <Help text={help} />}
    </>
  );
  if (Parts !== null) {
    return (
      <Box>
        {title}
        <Parts {...props} control={control as never} />
      </Box>
    );
  }
  return (
    <SimpleGrid type="container" cols={{ base: 1, '40rem': 2 }} spacing="xl" verticalSpacing={4}>
      <Box>{title}</Box>
      <Box pt={{ base: 0, md: 4 }}>
        <ScalarControl {...props} control={control} />
      </Box>
    </SimpleGrid>
  );
};
