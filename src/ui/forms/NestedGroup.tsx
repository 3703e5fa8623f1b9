import { Box, Button, Group } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { jsonEqual } from '../../config/values.js';
import { type ControlProps, useForm } from './context.js';
import { type Control, isField } from './control.js';
import { GroupErrors, GroupFields } from './GroupFields.js';
import { hasIssueBelow } from './issues.js';

interface NestedGroupProps extends ControlProps {
  readonly control: Extract<Control, { readonly kind: 'group' }>;
}

export const INDENT = {
  pl: 'md',
  style: { borderInlineStart: '2px solid var(--mantine-color-default-border)' },
} as const;

/** The fields of an object. One that is optional is there or not. */
export const NestedGroup = ({
  place,
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
        onClick={() => onChange(place, {})}
        aria-label={`Set ${label}`}
      >
        Set
      </Button>
    );
  }
  const isDeep = isField(shape) && shape.presence === 'default';
  if (isDeep && !isOpen && !isExpanded && isDefault && !hasIssueBelow(issues, place)) {
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
        <GroupErrors place={place} fields={fields} />
        <GroupFields place={place} fields={fields} around={fallback} />
        {isOptional && (
          <Group mt="sm">
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => onChange(place, undefined)}
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
