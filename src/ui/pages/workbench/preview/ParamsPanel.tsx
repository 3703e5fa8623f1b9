import { Alert, Button, Popover, Stack, Text, TextInput } from '@mantine/core';
import { SlidersHorizontal } from 'lucide-react';
import type { JsonObject } from '../../../../domain/json.js';
import type { PreviewParam } from '../configCheck.js';

interface ParamsProps {
  readonly params: readonly PreviewParam[];
  readonly values: JsonObject;
  readonly onValues: (values: JsonObject) => void;
}

/** A written value: numbers and words such as `true` are what they look like. */
const typed = (text: string): string | number | boolean => {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
};

const changed = (values: JsonObject, name: string, text: string): JsonObject =>
  text === ''
    ? Object.fromEntries(Object.entries(values).filter(([key]) => key !== name))
    : { ...values, [name]: typed(text) };

export const ParamFields = ({ params, values, onValues }: ParamsProps) => (
  <Stack gap="xs">
    {params.map(({ name, fallback }) => (
      <TextInput
        key={name}
        label={name}
        size="xs"
        placeholder={fallback ?? 'required'}
        value={String(values[name] ?? '')}
        onChange={(event) => onValues(changed(values, name, event.currentTarget.value.trim()))}
      />
    ))}
  </Stack>
);

/** Values for the placeholders of the config. */
export const ParamsPanel = ({ missing, ...props }: ParamsProps & { readonly missing: readonly string[] }) => {
  if (props.params.length === 0) return null;
  return (
    <>
      <Popover position="bottom-end" withArrow trapFocus width={260}>
        <Popover.Target>
          <Button size="compact-sm" variant="default" leftSection={<SlidersHorizontal size={14} />}>
            Parameters
          </Button>
        </Popover.Target>
        <Popover.Dropdown className="params">
          <Text size="sm" mb="xs">
            Values of the preview. They are not saved.
          </Text>
          <ParamFields {...props} />
        </Popover.Dropdown>
      </Popover>
      {missing.length > 0 && (
        <Alert color="yellow" p="xs" role="status" w="100%">
          <Text size="sm">
            The preview waits for a value of {missing.join(', ')}. Set it under Parameters.
          </Text>
        </Alert>
      )}
    </>
  );
};
