import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { PlugZap } from 'lucide-react';
import { useMemo } from 'react';
import type { JsonObject } from '../../../domain/json.js';
import { Needs } from '../../app/role.js';
import { SchemaForm } from '../../forms/SchemaForm.js';
import { CheckAnswer, useOutputCheck } from '../destinations/OutputCheck.js';
import { OUTPUT_FORM, outputIssues } from '../destinations/output.js';
import { destinationNameFlaw, type NewDestination } from './outputs.js';

interface NewDestinationFormProps {
  readonly created: NewDestination;
  readonly onCreated: (created: NewDestination) => void;
  /** Names that it cannot have. */
  readonly taken: readonly string[];
  /** What is not filled in yet is no mistake before somebody tries to use it. */
  readonly isStrict: boolean;
}

/** A destination that is stored with the generator that uses it first. */
export const NewDestinationForm = ({ created, onCreated, taken, isStrict }: NewDestinationFormProps) => {
  const { name, output } = created;
  const value: JsonObject = useMemo(() => (Object.keys(output).length === 0 ? {} : { output }), [output]);
  const checking = useOutputCheck(null);
  const issues = useMemo(
    () => outputIssues(value).filter(({ type }) => isStrict || type !== 'missing'),
    [value, isStrict],
  );
  return (
    <Stack gap="sm">
      <TextInput
        label="Name of the destination"
        description="Other generators can use it by this name."
        placeholder="siem"
        value={name}
        error={name === '' && !isStrict ? null : destinationNameFlaw(name, taken)}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onCreated({ ...created, name: event.currentTarget.value })}
      />
      <SchemaForm
        shape={OUTPUT_FORM}
        value={value}
        base={value}
        issues={issues}
        onChange={(next) => {
          checking.reset();
          onCreated({ ...created, output: (next['output'] ?? {}) as JsonObject });
        }}
        isCompact
      />
      <Group gap="sm">
        <Needs to="checkOutput">
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<PlugZap size={14} />}
            onClick={() => checking.mutate(output)}
            loading={checking.isPending}
            disabled={Object.keys(output).length === 0}
          >
            Check
          </Button>
        </Needs>
        <Text size="sm">Check opens the output and sends nothing.</Text>
      </Group>
      <CheckAnswer check={checking} />
    </Stack>
  );
};
