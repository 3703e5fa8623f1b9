import {
  ActionIcon,
  Box,
  Code,
  CopyButton,
  Group,
  SegmentedControl,
  Stack,
  Text,
  Tooltip,
} from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import type { Json } from '../../../domain/json.js';
import { jsonOf } from './letters.js';

const MAX_OPEN_DEPTH = 2;

const Leaf = ({ value }: { readonly value: Json }) => (
  <Code className="wrapped">{JSON.stringify(value)}</Code>
);

const nameOf = (name: string, count: number, isList: boolean): string =>
  `${name === '' ? 'event' : name} ${isList ? `[${count}]` : `{${count}}`}`;

/** JSON whose objects and lists fold. */
const Folded = ({
  name,
  value,
  depth,
}: {
  readonly name: string;
  readonly value: Json;
  readonly depth: number;
}) => {
  if (typeof value !== 'object' || value === null)
    return (
      <Group gap="xs" wrap="nowrap" align="baseline">
        <Text size="sm" component="span" ff="monospace">
          {name}:
        </Text>
        <Leaf value={value} />
      </Group>
    );
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  return (
    <details className="foldable" open={depth < MAX_OPEN_DEPTH}>
      <Text size="sm" component="summary" ff="monospace">
        {nameOf(name, entries.length, Array.isArray(value))}
      </Text>
      <Box pl="md">
        {entries.map(([key, inner]) => (
          <Folded key={key} name={key} value={inner} depth={depth + 1} />
        ))}
      </Box>
    </details>
  );
};

/** The event of a dead letter: as JSON that folds, or as it is. */
export const LetterEvent = ({ event }: { readonly event: string }) => {
  const json = jsonOf(event);
  const [form, setForm] = useState<string>('json');
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        {json === null ? (
          <Text size="sm">Event before formatting</Text>
        ) : (
          <SegmentedControl
            aria-label="Form of the event"
            size="xs"
            data={[
              { value: 'json', label: 'JSON' },
              { value: 'plain', label: 'Plain' },
            ]}
            value={form}
            onChange={setForm}
          />
        )}
        <CopyButton value={event}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copied' : 'Copy the event'}>
              <ActionIcon variant="default" onClick={copy} aria-label="Copy the event">
                {copied ? <Check size={16} /> : <Copy size={16} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Group>
      {json !== null && form === 'json' ? (
        <Folded name="" value={json} depth={0} />
      ) : (
        <Code block className="wrapped">
          {event}
        </Code>
      )}
    </Stack>
  );
};
