import { ActionIcon, Badge, Box, Code, Group, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { jsonEqual } from '../../config/values.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import type { AnyShape } from '../../schema/index.js';
import {
  type ControlProps,
  type FieldNodeProps,
  type FormContext,
  FormProvider,
  useForm,
} from './context.js';
import { type Control, controlFor, fallbackOf, isField } from './control.js';
import { type FieldLocation, valueAt, withValue } from './document.js';
import { GroupErrors, GroupFields, INDENT, NestedGroup } from './Groups.js';
import { ListControl, MapControl } from './ItemControls.js';
import { errorAt } from './issues.js';
import { ScalarControl } from './ScalarControl.js';
import { helpOf } from './texts.js';

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
  const change = (location: FieldLocation, next: Json | undefined): void =>
    onChange(withValue(rest.value, location, next) as JsonObject);
  return (
    <FormProvider value={{ ...rest, Field: FieldNode, defaults, onChange: change }}>
      <Stack gap="md">
        <GroupErrors location={[]} fields={shape.fields ?? {}} />
        <GroupFields location={[]} fields={shape.fields ?? {}} />
      </Stack>
    </FormProvider>
  );
};

/** A value with its name, help, control and errors. */
const FieldNode = ({ location, shape, around, actions }: FieldNodeProps) => {
  const { value: root, defaults } = useForm();
  const value = valueAt(root, location);
  const fallback = fallbackOf(shape, location, { value: root, defaults, around });
  const control = controlFor(shape, value);
  const help = isField(shape) ? helpOf(shape) : '';
  const props: ControlProps = { location, shape, value, fallback, label: location.join(' ') };
  const Parts = SCALAR_KINDS.has(control.kind) ? null : controls[control.kind as keyof typeof controls];
  const title = (
    <>
      <FieldTitle location={location} shape={shape} kind={control.kind}>
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

interface FieldTitleProps extends Pick<ControlProps, 'location' | 'shape'> {
  readonly kind: Control['kind'];
  readonly children: ReactNode;
}

/** The name of a field, whether it is changed, and the way back. */
const FieldTitle = ({ location, shape, kind, children }: FieldTitleProps) => {
  const { base, value, onChange, noteOf } = useForm();
  const before = valueAt(base, location);
  const isGroup = kind === 'group';
  const isRequired = isField(shape) && shape.presence === 'required';
  const isChanged = !isGroup && !jsonEqual(before, valueAt(value, location));
  return (
    <Group gap="xs" mih={28}>
      <Name location={location} isSection={isGroup && isRequired && location.length === 1} />
      {!isGroup && isRequired && <Text size="xs">required</Text>}
      {noteOf?.(location)}
      {isChanged && (
        <>
          <Badge variant="outline" color="gray" size="sm">
            changed
          </Badge>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={`Restore ${location.join(' ')}`}
            onClick={() => onChange(location, before)}
          >
            <RotateCcw size={14} />
          </ActionIcon>
        </>
      )}
      {children}
    </Group>
  );
};

const Name = ({
  location,
  isSection,
}: Pick<FieldTitleProps, 'location'> & { readonly isSection: boolean }) => {
  const name = location.at(-1);
  const text = typeof name === 'number' ? `${name + 1}.` : name;
  if (isSection) {
    return (
      <Title order={2} size="h4">
        {text}
      </Title>
    );
  }
  return (
    <Text component="span" fw={600} size="sm" className="wrapped">
      {text}
    </Text>
  );
};

/** The help of a declaration; what stands in backticks is code. */
const Help = ({ text }: { readonly text: string }) => (
  <Text size="sm" mb={4} className="wrapped">
    {text.split('`').map((part, index) =>
      index % 2 === 1 ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a fixed text
        <Code key={index}>{part}</Code>
      ) : (
        part
      ),
    )}
  </Text>
);

type UnionControl = Extract<Control, { readonly kind: 'oneKey' | 'tagged' }>;

interface KindControlProps extends ControlProps {
  readonly control: UnionControl;
}

/** One of several kinds, with the fields of the chosen one. */
const KindControl = ({ location, value, label, control }: KindControlProps) => {
  const { issues, onChange } = useForm();
  const kind = kindOf(control, value);
  const shape = kind === null ? undefined : control.shapeOf(kind);
  const choose = (next: string | null): void => {
    if (next === null || next === kind) return;
    onChange(location, control.kind === 'oneKey' ? { [next]: {} } : { [control.tag]: next });
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
        error={shape === undefined ? errorAt(issues, location) : null}
      />
      {kind !== null && shape !== undefined && (
        <Box {...INDENT}>
          <KindFields location={location} shape={shape} control={control} kind={kind} />
        </Box>
      )}
    </Stack>
  );
};

/** The parameters of the chosen kind: below its name, or beside the tag. */
const KindFields = ({
  location,
  shape,
  control,
  kind,
}: {
  readonly location: ControlProps['location'];
  readonly shape: AnyShape;
  readonly control: UnionControl;
  readonly kind: string;
}) => {
  const { Field, value: root } = useForm();
  if (control.kind === 'oneKey') {
    const params = valueAt(root, [...location, kind]);
    // Some kinds have a short form, such as the name of a destination.
    if (shape.fields === undefined || typeof params === 'string')
      return <Field location={[...location, kind]} shape={shape} />;
    return (
      <>
        <GroupErrors location={[...location, kind]} fields={shape.fields} />
        <GroupFields location={[...location, kind]} fields={shape.fields} />
      </>
    );
  }
  const { [control.tag]: _, ...fields } = shape.fields ?? {};
  return (
    <>
      <GroupErrors location={location} fields={shape.fields ?? {}} />
      <GroupFields location={location} fields={fields} />
    </>
  );
};

const kindOf = (control: UnionControl, value: Json | undefined): string | null => {
  if (!isJsonObject(value)) return null;
  if (control.kind === 'oneKey') return Object.keys(value)[0] ?? null;
  const tag = value[control.tag];
  return typeof tag === 'string' ? tag : null;
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
