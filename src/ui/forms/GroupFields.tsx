import { Stack, Text } from '@mantine/core';
import type { Json } from '../../domain/json.js';
import type { Fields } from '../../schema/index.js';
import { useForm } from './context.js';
import type { Place } from './document.js';
import { errorOfGroup } from './issues.js';

interface GroupProps {
  readonly place: Place;
  readonly fields: Fields;
}

interface GroupFieldsProps extends GroupProps {
  /** The default of the object. */
  readonly around?: Json;
}

/** Errors of an object that belong to none of its fields. */
export const GroupErrors = ({ place, fields }: GroupProps) => {
  const { issues } = useForm();
  const error = errorOfGroup(issues, place, (key) => Object.hasOwn(fields, key));
  if (error === null) return null;
  return (
    <Text c="red" size="sm" role="alert" className="wrapped">
      {error}
    </Text>
  );
};

export const GroupFields = ({ place, fields, around }: GroupFieldsProps) => {
  const { Field, isShown } = useForm();
  return (
    <Stack gap="md">
      {Object.entries(fields)
        .filter(([name]) => isShown?.([...place, name]) ?? true)
        .map(([name, field]) => (
          <Field
            key={name}
            place={[...place, name]}
            shape={field}
            {...(around === undefined ? {} : { around })}
          />
        ))}
    </Stack>
  );
};
