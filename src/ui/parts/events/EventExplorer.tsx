import './events.css';
import { CloseButton, SimpleGrid, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { type CSSProperties, useState } from 'react';
import { MAX_SEARCH_LENGTH } from '../../../domain/events/search.js';
import type { TailEvent } from '../../api/streams/protocol.js';
import { EventView } from './EventView.js';
import { documentOf, fieldAt, fieldText, withTerm } from './fields.js';
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
