import { ActionIcon, Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { isJsonObject } from '../../domain/json.js';
import { type ControlProps, useForm } from './context.js';
import { type Control, initialOf } from './control.js';
import { errorOfGroup } from './issues.js';
import { INDENT } from './NestedGroup.js';

interface MapControlProps extends ControlProps {
  readonly control: Extract<Control, { readonly kind: 'map' }>;
}

/** Values under free keys. */
export const MapControl = ({ place, value, label, control: { item } }: MapControlProps) => {
  const { Field, issues, onChange } = useForm();
  const [name, setName] = useState('');
  const keys = isJsonObject(value) ? Object.keys(value) : [];
  const error = errorOfGroup(issues, place, (key) => keys.includes(String(key)));
  const isTaken = keys.includes(name);
  const add = (): void => {
    onChange([...place, name], initialOf(item));
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
                place={[...place, key]}
                shape={item}
                actions={
                  <ActionIcon
                    variant="default"
                    size="sm"
                    aria-label={`Remove ${label} ${key}`}
                    onClick={() => onChange([...place, key], undefined)}
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
