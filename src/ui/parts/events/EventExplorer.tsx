import './events.css';
import {
  Button,
  CloseButton,
  CopyButton,
  Group,
  Paper,
  ScrollArea,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { Search } from 'lucide-react';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { MAX_SEARCH_LENGTH } from '../../../domain/events/search.js';
import type { TailEvent } from '../../api/streams/protocol.js';
import { type JsonLeaf, JsonTree } from '../JsonTree.js';
import { documentOf, fieldAt, fieldText, topValues, withTerm } from './fields.js';
import type { Numbered } from './numbered.js';
import { StreamList } from './StreamList.js';

interface EventSearchProps {
  readonly find: string;
  readonly onFind: (find: string) => void;
}

/** The field of a search of events, in the language of `matcherOf`. */
export const EventSearch = ({ find, onFind }: EventSearchProps) => (
  <TextInput
    aria-label="Search events"
    className="event-search"
    placeholder='Search all events: words, "exact text", field:value, status:>=500, -without'
    leftSection={<Search size={16} />}
    rightSection={
      find === '' ? null : <CloseButton aria-label="Clear the search" onClick={() => onFind('')} />
    }
    maxLength={MAX_SEARCH_LENGTH}
    value={find}
    onChange={(event) => onFind(event.currentTarget.value)}
  />
);

interface EventExplorerProps extends EventSearchProps {
  /** At least one; what the search leaves. */
  readonly events: readonly [Numbered<TailEvent>, ...(readonly Numbered<TailEvent>[])];
  /** What the list is, for screen readers. */
  readonly label: string;
  /** Paths of the fields that the list shows instead of the text, with commas between. */
  readonly columnText: string;
  readonly onColumnText: (columns: string) => void;
  /** Whether list and event are one above the other however much room there is. */
  readonly isNarrow?: boolean;
}

/** A list of events beside the chosen one in full, whose values can be searched for, counted and shown as columns. */
export const EventExplorer = (props: EventExplorerProps) => {
  const { events, label, find, onFind, columnText, onColumnText, isNarrow = false } = props;
  const [chosen, setChosen] = useState<Numbered<TailEvent> | null>(null);
  const columns = columnText === '' ? [] : columnText.split(',');
  const toggle = (path: string): void =>
    onColumnText(
      (columns.includes(path) ? columns.filter((one) => one !== path) : [...columns, path]).join(','),
    );
  return (
    <SimpleGrid cols={isNarrow ? 1 : { base: 1, md: 2 }}>
      <div>
        {columns.length > 0 && <Columns columns={columns} onRemove={toggle} />}
        <StreamList
          lines={events}
          label={label}
          row={(line) => (
            <button
              type="button"
              className="line"
              aria-pressed={chosen?.number === line.number}
              onClick={() => setChosen(line)}
            >
              <Row text={line.value.text} columns={columns} />
            </button>
          )}
        />
      </div>
      <EventView
        event={(chosen ?? events[0]).value}
        others={events}
        columns={columns}
        onColumn={toggle}
        onTerm={(path, value, isExcluded) => onFind(withTerm(find, path, value, isExcluded))}
        onAlone={find.trim() === '' ? null : (path, value) => onFind(withTerm('', path, value, false))}
      />
    </SimpleGrid>
  );
};

const gridOf = (columns: readonly string[]): CSSProperties => ({
  gridTemplateColumns: `repeat(${columns.length}, minmax(0, 1fr))`,
});

interface ColumnsProps {
  readonly columns: readonly string[];
  readonly onRemove: (path: string) => void;
}

/** Names of the fields that the list shows. */
const Columns = ({ columns, onRemove }: ColumnsProps) => (
  <div className="event-columns" style={gridOf(columns)}>
    {columns.map((path) => (
      <span key={path} className="event-column" title={path}>
        <span>{path}</span>
        <CloseButton size="xs" aria-label={`Remove the column ${path}`} onClick={() => onRemove(path)} />
      </span>
    ))}
  </div>
);

/** An event in the list: its text, or its values in the columns. */
const Row = ({ text, columns }: { readonly text: string; readonly columns: readonly string[] }) => {
  const document = columns.length === 0 ? undefined : documentOf(text);
  if (document === undefined) return text;
  return (
    <span className="event-columns" style={gridOf(columns)}>
      {columns.map((path) => (
        <span key={path}>{fieldText(fieldAt(document, path))}</span>
      ))}
    </span>
  );
};

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
const EventView = ({ event, ...actions }: FieldActions & { readonly event: TailEvent }) => {
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
