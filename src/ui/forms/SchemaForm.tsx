import { Stack } from '@mantine/core';
import type { Json, JsonObject } from '../../domain/json.js';
import type { AnyShape } from '../../schema/index.js';
import { type FormContext, FormProvider } from './context.js';
import { type Place, withValue } from './document.js';
import { FieldNode } from './FieldNode.js';
import { GroupErrors, GroupFields } from './GroupFields.js';

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
