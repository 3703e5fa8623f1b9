import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { useRef, useState } from 'react';
import { jsonEqual } from '../../config/values.js';
import type { Json } from '../../domain/json.js';
import type { AnyShape, Fields } from '../../schema/index.js';
import { type ControlProps, useForm } from './context.js';
import { type Control, isField } from './control.js';
import { type FieldLocation, valueAt } from './document.js';
import { errorOfGroup, hasIssueBelow } from './issues.js';

interface GroupProps {
  readonly location: FieldLocation;
  readonly fields: Fields;
}

interface GroupFieldsProps extends GroupProps {
  /** The default of the object. */
  readonly around?: Json;
}

export const GroupFields = ({ location, fields, around }: GroupFieldsProps) => {
  const { Field, isShown } = useForm();
  const { isInUse, open } = useInUse(location);
  const known = Object.entries(fields).filter(([name]) => isShown?.([...location, name]) ?? true);
  const shown = known.filter(([name, field]) => isInUse(name, field));
  const rest = known.length - shown.length;
  return (
    <Stack gap="md" align="stretch">
      {shown.map(([name, field]) => (
        <Field
          key={name}
          location={[...location, name]}
          shape={field}
          {...(around === undefined ? {} : { around })}
        />
      ))}
      {rest > 0 && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<ChevronRight size={14} />}
          onClick={open}
          aria-label={`${rest} more options: ${location.join(' ')}`}
          style={{ alignSelf: 'flex-start' }}
        >
          {rest} more {rest === 1 ? 'option' : 'options'}
        </Button>
      )}
    </Stack>
  );
};

/** Says which fields of a compact form show: those that are or were in use, until the button shows all. */
const useInUse = (location: FieldLocation) => {
  const { value, issues, isCompact = false } = useForm();
  const [isOpen, setOpen] = useState(!isCompact);
  const used = useRef(new Set<string>());
  const isInUse = (name: string, field: AnyShape): boolean => {
    const at = [...location, name];
    const isNeeded = isField(field) && field.presence === 'required';
    // A field that is emptied stays under the cursor.
    if (isNeeded || valueAt(value, at) !== undefined || hasIssueBelow(issues, at)) used.current.add(name);
    return isOpen || used.current.has(name);
  };
  return { isInUse, open: () => setOpen(true) };
};

/** Errors of an object that belong to none of its fields. */
export const GroupErrors = ({ location, fields }: GroupProps) => {
  const { issues } = useForm();
  const error = errorOfGroup(issues, location, (key) => Object.hasOwn(fields, key));
  if (error === null) return null;
  return (
    <Text c="red" size="sm" role="alert" className="wrapped">
      {error}
    </Text>
  );
};

interface NestedGroupProps extends ControlProps {
  readonly control: Extract<Control, { readonly kind: 'group' }>;
}

/** The fields of an object. One that is optional is there or not. */
export const NestedGroup = ({
  location,
  shape,
  value,
  fallback,
  label,
  control: { fields },
}: NestedGroupProps) => {
  const { issues, isExpanded = false, onChange } = useForm();
  const isDefault = value === undefined || jsonEqual(value, fallback);
  const [isOpen, setOpen] = useState(!isDefault);
  const isOptional = isField(shape) && shape.presence === 'optional';
  if (isOptional && (value === undefined || value === null)) {
    return (
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => onChange(location, {})}
        aria-label={`Set ${label}`}
      >
        Set
      </Button>
    );
  }
  const isDeep = isField(shape) && shape.presence === 'default';
  if (isDeep && !isOpen && !isExpanded && isDefault && !hasIssueBelow(issues, location)) {
    const text = `${Object.keys(fields).length} options, all default`;
    return (
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<ChevronRight size={14} />}
        onClick={() => setOpen(true)}
        aria-label={`${text}: ${label}`}
      >
        {text}
      </Button>
    );
  }
  return (
    <Box component="fieldset" m={0} p={0} bd={0} aria-label={label}>
      <Box {...INDENT}>
        <GroupErrors location={location} fields={fields} />
        <GroupFields location={location} fields={fields} around={fallback} />
        {isOptional && (
          <Group mt="sm">
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => onChange(location, undefined)}
              aria-label={`Remove ${label}`}
            >
              Remove
            </Button>
          </Group>
        )}
      </Box>
    </Box>
  );
};

export const INDENT = {
  pl: 'md',
  style: { borderInlineStart: '2px solid var(--mantine-color-default-border)' },
} as const;
