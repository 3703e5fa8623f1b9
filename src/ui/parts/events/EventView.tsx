import { Button, CopyButton, Group, Paper, ScrollArea, Stack, Text, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { TailEvent } from '../../api/streams/protocol.js';
import { type JsonLeaf, JsonTree } from '../JsonTree.js';
import { documentOf, fieldText, topValues } from './fields.js';
import type { Numbered } from './numbered.js';

const MAX_TOP = 5;

interface FieldActions {
  /** Events in the list, whose values are counted. */
  readonly others: readonly Numbered<TailEvent>[];
  readonly columns: readonly string[];
  readonly onColumn: (path: string) => void;
  /** Adds a term to the search. */
  readonly onTerm: (path: string, value: string, isExcluded: boolean) => void;
  /** Searches for nothing but a value. Null while there is no other search. */
  readonly onAlone: ((path: string, value: string) => void) | null;
}

/** One event in full: JSON as a tree that folds, whose values can be searched for and counted. */
export const EventView = ({ event, ...actions }: FieldActions & { readonly event: TailEvent }) => {
  const [field, setField] = useState<string | null>(null);
  const document = documentOf(event.text);
  const leaf = (one: JsonLeaf, shown: ReactNode): ReactNode => {
    const key = `${one.path} ${fieldText(one.value)}`;
    const isOpen = field === key;
    return (
      <>
        <UnstyledButton
          className="event-value"
          aria-expanded={isOpen}
          aria-label={`${one.path}: ${fieldText(one.value)}`}
          onClick={() => setField(isOpen ? null : key)}
        >
          {shown}
        </UnstyledButton>
        {isOpen && <Field leaf={one} {...actions} />}
      </>
    );
  };
  return (
    <Paper withBorder p="sm" component="section" aria-label="Event">
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="sm" fw={600}>
            {document === undefined ? 'Text' : 'JSON'}
          </Text>
          <CopyButton value={event.text}>
            {({ copied, copy }) => (
              <Button size="compact-sm" variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
        </Group>
        <ScrollArea.Autosize
          mah={360}
          viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Content of the event' }}
        >
          {document === undefined ? (
            <Text component="pre" size="xs" ff="monospace" m={0} className="wrapped">
              {event.text}
            </Text>
          ) : (
            <JsonTree value={document} leaf={leaf} />
          )}
        </ScrollArea.Autosize>
        {event.is_cut && <Text size="xs">The event is longer: the list has its first 16 KiB.</Text>}
      </Stack>
    </Paper>
  );
};

/** What can be done with a field and its value. */
const Field = ({
  leaf: { path, value },
  others,
  columns,
  onColumn,
  onTerm,
  onAlone,
}: FieldActions & { readonly leaf: JsonLeaf }) => {
  const text = fieldText(value);
  const documents = others.flatMap(({ value: { text: other } }) => documentOf(other) ?? []);
  const top = topValues(documents, path, MAX_TOP);
  const isColumn = columns.includes(path);
  return (
    <section className="event-field" aria-label={`Field ${path}`}>
      <Group gap={4}>
        <Button size="compact-xs" variant="default" onClick={() => onTerm(path, text, false)}>
          Find these
        </Button>
        {onAlone !== null && (
          <Button
            size="compact-xs"
            variant="default"
            title="In place of the search so far"
            onClick={() => onAlone(path, text)}
          >
            Find all of these
          </Button>
        )}
        <Button size="compact-xs" variant="default" onClick={() => onTerm(path, text, true)}>
          Leave these out
        </Button>
        <Button size="compact-xs" variant="default" aria-pressed={isColumn} onClick={() => onColumn(path)}>
          {isColumn ? 'Remove the column' : 'Show as column'}
        </Button>
      </Group>
      <ol aria-label={`Most frequent values of ${path} in the list`}>
        {top.map((one) => (
          <li key={one.text}>
            <UnstyledButton className="event-value" onClick={() => onTerm(path, one.text, false)}>
              {one.text === '' ? '(empty)' : one.text}
            </UnstyledButton>
            <span>{((100 * one.count) / documents.length).toFixed(0)} %</span>
          </li>
        ))}
      </ol>
    </section>
  );
};
