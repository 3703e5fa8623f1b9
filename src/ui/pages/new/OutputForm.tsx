import {
  Button,
  Code,
  CopyButton,
  Group,
  NumberInput,
  PasswordInput,
  Radio,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check, Copy, PlugZap } from 'lucide-react';
import { useMemo } from 'react';
import type { JsonObject } from '../../../domain/json.js';
import { call } from '../../api/client.js';
import { Needs } from '../../app/role.js';
import { SchemaForm } from '../../forms/SchemaForm.js';
import { CheckAnswer, useOutputCheck } from '../destinations/OutputCheck.js';
import { OUTPUT_FORM, outputIssues } from '../destinations/output.js';
import {
  destinationNameFlaw,
  type NewDestination,
  type OutputChoice,
  type OutputKind,
  outputFlaws,
  type RowsOf,
  tableSql,
} from './outputs.js';

interface OutputFormProps {
  readonly output: OutputChoice;
  readonly onOutput: (output: OutputChoice) => void;
  readonly rows: RowsOf;
  /** What happens when the outputs of an example stay. Null where there is no example. */
  readonly asItIs?: string | null;
  /** Somebody tried to use what is typed. */
  readonly isStrict?: boolean;
}

/** Names of the destinations of the service; none while they are read. */
export const useDestinationNames = (): readonly string[] => useDestinations().map(({ name }) => name);

/** Destinations of the service; none while they are read. */
export const useDestinations = () =>
  useQuery({ queryKey: ['destinations'], queryFn: () => call('listDestinations') }).data ?? [];

/** The output of a stored destination, its secrets masked. Rejects with `ApiError`. */
export const destinationOutput = async (name: string): Promise<JsonObject> =>
  (await call('readDestination', { path: { name } })) as JsonObject;

const AS_IT_IS = { kind: 'as_is', label: 'As the example has it' } as const;

const KINDS: readonly { readonly kind: OutputKind; readonly label: string; readonly help: string }[] = [
  {
    kind: 'new',
    label: 'A new destination',
    help: 'Splunk, OpenSearch, Kafka, syslog, HTTP, S3 and more: written once, for all generators.',
  },
  { kind: 'file', label: 'File', help: 'One event per line, in the generator directory on the server.' },
  { kind: 'clickhouse', label: 'ClickHouse', help: 'Rows of a table. Failed inserts are retried.' },
  { kind: 'stdout', label: 'Standard output', help: 'The terminal or the log of the service.' },
];

type TextField = 'host' | 'database' | 'table' | 'username' | 'path';

const ClickHouseFields = ({ output, onOutput, rows }: OutputFormProps) => {
  const flaws = outputFlaws(output);
  const text = (field: TextField, label: string) => (
    <TextInput
      label={label}
      value={output[field]}
      error={flaws[field]}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onOutput({ ...output, [field]: event.currentTarget.value })}
    />
  );
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {text('host', 'Host')}
        <NumberInput
          label="HTTP port"
          value={output.port}
          min={1}
          max={65_535}
          allowDecimal={false}
          onChange={(port) => {
            if (typeof port === 'number') onOutput({ ...output, port });
          }}
        />
        {text('database', 'Database')}
        {text('table', 'Table')}
        {text('username', 'User')}
        <PasswordInput
          label="Password"
          placeholder="None"
          value={output.password}
          autoComplete="new-password"
          onChange={(event) => onOutput({ ...output, password: event.currentTarget.value })}
        />
      </SimpleGrid>
      <Text size="sm">
        The password is stored as an encrypted secret, not in the config. The table must exist before the
        generator starts:
      </Text>
      <SqlNote sql={tableSql(output, rows)} />
    </Stack>
  );
};

/** Where the events go, in few choices. */
export const OutputForm = (props: OutputFormProps) => {
  const { output, onOutput, asItIs = null, isStrict = false } = props;
  const destinations = useDestinations();
  const kinds = asItIs === null ? KINDS : [{ ...AS_IT_IS, help: asItIs }, ...KINDS];
  return (
    <Stack gap="sm">
      <Radio.Group
        aria-label="Where events go"
        value={output.kind === 'destination' ? `use ${output.destination}` : output.kind}
        onChange={(chosen: string) => {
          const kind = kinds.find((one) => one.kind === chosen)?.kind ?? 'destination';
          onOutput({
            ...output,
            kind,
            destination: kind === 'destination' ? chosen.slice('use '.length) : '',
          });
        }}
      >
        <Stack gap="xs">
          {destinations.map(({ name, plugin }) => (
            <Radio
              key={name}
              value={`use ${name}`}
              label={name}
              description={`Destination: ${plugin ?? 'its file is invalid'}.`}
              disabled={plugin === null}
            />
          ))}
          {kinds.map(({ kind, label, help }) => (
            <Radio key={kind} value={kind} label={label} description={help} />
          ))}
        </Stack>
      </Radio.Group>
      {output.kind === 'file' && (
        <TextInput
          label="File"
          description="Relative to the generator directory. Write {date} for the present date."
          value={output.path}
          error={outputFlaws(output).path}
          spellCheck={false}
          onChange={(event) => onOutput({ ...output, path: event.currentTarget.value })}
        />
      )}
      {output.kind === 'clickhouse' && <ClickHouseFields {...props} />}
      {output.kind === 'new' && (
        <NewDestinationForm
          created={output.created}
          onCreated={(created) => onOutput({ ...output, created })}
          taken={destinations.map(({ name }) => name)}
          isStrict={isStrict}
        />
      )}
    </Stack>
  );
};

/** A statement to run in ClickHouse. */
const SqlNote = ({ sql }: { readonly sql: string }) => (
  <div>
    <Code block tabIndex={0}>
      {sql}
    </Code>
    <Group mt="xs">
      <CopyButton value={sql}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={copied ? <Check size={14} /> : <Copy size={14} />}
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Group>
  </div>
);

interface NewDestinationFormProps {
  readonly created: NewDestination;
  readonly onCreated: (created: NewDestination) => void;
  /** Names that it cannot have. */
  readonly taken: readonly string[];
  /** What is not filled in yet is no mistake before somebody tries to use it. */
  readonly isStrict: boolean;
}

/** A destination that is stored with the generator that uses it first. */
const NewDestinationForm = ({ created, onCreated, taken, isStrict }: NewDestinationFormProps) => {
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
