import { Box, Select, Stack } from '@mantine/core';
import { isJsonObject, type Json } from '../../domain/json.js';
import type { AnyShape } from '../../schema/index.js';
import { type ControlProps, useForm } from './context.js';
import type { Control } from './control.js';
import { GroupErrors, GroupFields } from './GroupFields.js';
import { errorAt } from './issues.js';
import { INDENT } from './NestedGroup.js';

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
export const KindControl = ({ place, value, label, control }: KindControlProps) => {
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
