import { ActionIcon, Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { isJsonObject, type Json } from '../../domain/json.js';
import { type ControlProps, useForm } from './context.js';
import { type Control, initialOf } from './control.js';
import { moved } from './document.js';
import { INDENT } from './Groups.js';
import { errorOfGroup } from './issues.js';

interface ListControlProps extends ControlProps {
  readonly control: Extract<Control, { readonly kind: 'list' }>;
}

/** Items in their order. */
export const ListControl = ({ location, value, fallback, label, control: { item } }: ListControlProps) => {
  const { Field, issues, onChange } = useForm();
  const given = value ?? fallback;
  const items = Array.isArray(given) ? (given as readonly Json[]) : [];
  const error = errorOfGroup(issues, location, (key) => typeof key === 'number' && key < items.length);
  // Items of the default are not in the document yet.
  const store = (next: readonly Json[]): void => onChange(location, next);
  return (
    <Stack gap="xs" align="flex-start">
      {items.length > 0 && value !== undefined && (
        <Box w="100%" {...INDENT}>
          <Stack gap="xs">
            {items.map((_, index) => (
              <Field
                // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their position
                key={index}
                location={[...location, index]}
                shape={item}
                actions={
                  <ItemActions
                    label={`${label} ${index + 1}`}
                    isFirst={index === 0}
                    isLast={index === items.length - 1}
                    onMove={(by) => store(moved(items, index, index + by))}
                    onRemove={() => store(items.toSpliced(index, 1))}
                  />
                }
              />
            ))}
          </Stack>
        </Box>
      )}
      {items.length > 0 && value === undefined && (
        <Text size="sm" className="wrapped">
          Default: {JSON.stringify(items)}
        </Text>
      )}
      {error !== null && (
        <Text c="red" size="sm" role="alert" className="wrapped">
          {error}
        </Text>
      )}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Plus size={14} />}
        onClick={() => store([...items, initialOf(item)])}
        aria-label={`Add to ${label}`}
      >
        Add
      </Button>
    </Stack>
  );
};

interface ItemActionsProps {
  readonly label: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (by: number) => void;
  readonly onRemove: () => void;
}

const ItemActions = ({ label, isFirst, isLast, onMove, onRemove }: ItemActionsProps) => (
  <ActionIcon.Group>
    <ActionIcon
      variant="default"
      size="sm"
      aria-label={`Move ${label} up`}
      disabled={isFirst}
      onClick={() => onMove(-1)}
    >
      <ArrowUp size={14} />
    </ActionIcon>
    <ActionIcon
      variant="default"
      size="sm"
      aria-label={`Move ${label} down`}
      disabled={isLast}
      onClick={() => onMove(1)}
    >
      <ArrowDown size={14} />
    </ActionIcon>
    <ActionIcon variant="default" size="sm" aria-label={`Remove ${label}`} onClick={onRemove}>
      <Trash2 size={14} />
    </ActionIcon>
  </ActionIcon.Group>
);

interface MapControlProps extends ControlProps {
  readonly control: Extract<Control, { readonly kind: 'map' }>;
}

/** Values under free keys. */
export const MapControl = ({ location, value, label, control: { item } }: MapControlProps) => {
  const { Field, issues, onChange } = useForm();
  const [name, setName] = useState('');
  const keys = isJsonObject(value) ? Object.keys(value) : [];
  const error = errorOfGroup(issues, location, (key) => keys.includes(String(key)));
  const isTaken = keys.includes(name);
  const add = (): void => {
    onChange([...location, name], initialOf(item));
    setName('');
  };
  return (
    <Stack gap="xs">
      {keys.length > 0 && (
        <Box {...INDENT}>
          <Stack gap="xs">
            {keys.map((key) => (
              <Field
                key={key}
                location={[...location, key]}
                shape={item}
                actions={
                  <ActionIcon
                    variant="default"
                    size="sm"
                    aria-label={`Remove ${label} ${key}`}
                    onClick={() => onChange([...location, key], undefined)}
                  >
                    <Trash2 size={14} />
                  </ActionIcon>
                }
              />
            ))}
          </Stack>
        </Box>
      )}
      {error !== null && (
        <Text c="red" size="sm" role="alert" className="wrapped">
          {error}
        </Text>
      )}
      <Group gap="xs" align="flex-start">
        <TextInput
          aria-label={`New key of ${label}`}
          placeholder="New key"
          size="xs"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={isTaken ? 'This key exists.' : null}
        />
        <Button
          variant="default"
          size="xs"
          leftSection={<Plus size={14} />}
          disabled={name === '' || isTaken}
          onClick={add}
        >
          Add
        </Button>
      </Group>
    </Stack>
  );
};
