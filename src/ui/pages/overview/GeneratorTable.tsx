import './overview.css';
import { Checkbox, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useRef } from 'react';
import { Cells } from './Cells.js';
import type { Row, SortKey, ViewOfRows } from './rows.js';

/** Pixels of a row before it is measured; a failed one has two more lines. */
const ROW_HEIGHT = 45;
const FAILED_HEIGHT = 92;
/** Rows beyond the visible ones, so that scrolling shows no gaps. */
const OVERSCAN = 8;

interface Column {
  readonly key: SortKey;
  readonly label: string;
  readonly isNumber?: true;
  /** What a short label means. */
  readonly meaning?: string;
  /** Not on narrow screens. */
  readonly isWide?: true;
}

const COLUMNS: readonly Column[] = [
  { key: 'id', label: 'Generator' },
  { key: 'phase', label: 'State' },
  { key: 'rate', label: 'Events/s', isNumber: true },
  {
    key: 'late',
    label: 'Late p99',
    meaning: '99 % of the events since the start were at most this late',
    isNumber: true,
    isWide: true,
  },
  { key: 'written', label: 'Written', isNumber: true, isWide: true },
  {
    key: 'deadLettered',
    label: 'Dead',
    meaning: 'Dead letters that wait to be sent again, of those since the start',
    isNumber: true,
    isWide: true,
  },
  {
    key: 'lost',
    label: 'Lost',
    meaning: 'Events that failed or were abandoned',
    isNumber: true,
    isWide: true,
  },
  {
    key: 'queued',
    label: 'Queue',
    meaning: 'Batches in flight to the outputs',
    isNumber: true,
    isWide: true,
  },
  {
    key: 'restarts',
    label: 'Restarts',
    meaning: 'Restarts after a failure in the last two minutes, which the restart budget counts',
    isNumber: true,
    isWide: true,
  },
];

interface HeadProps {
  readonly view: ViewOfRows;
  readonly onView: (view: ViewOfRows) => void;
  readonly rows: readonly Row[];
  readonly chosen: ReadonlySet<string>;
  readonly onChooseAll: () => void;
}

const Head = ({ view, onView, rows, chosen, onChooseAll }: HeadProps) => {
  const isAll = rows.length > 0 && rows.every(({ id }) => chosen.has(id));
  return (
    <thead>
      <tr className="grid head">
        <td className="check">
          <Checkbox
            size="xs"
            aria-label="Choose all shown generators"
            checked={isAll}
            indeterminate={!isAll && chosen.size > 0}
            onChange={onChooseAll}
          />
        </td>
        {COLUMNS.map(({ key, label, meaning, isNumber, isWide }) => {
          const isSorted = view.sort === key;
          const order = isSorted ? (view.isDescending ? 'descending' : 'ascending') : 'none';
          const sort = (): void =>
            onView({ ...view, sort: key, isDescending: isSorted ? !view.isDescending : isNumber === true });
          return (
            <th
              key={key}
              scope="col"
              aria-sort={order}
              {...(meaning === undefined ? {} : { title: meaning })}
              className={`${isNumber ? 'number' : ''}${isWide ? ' wide' : ''}`}
            >
              <UnstyledButton onClick={sort}>
                <Text size="sm" fw={600} component="span">
                  {label} {isSorted && (view.isDescending ? <ArrowDown size={12} /> : <ArrowUp size={12} />)}
                </Text>
              </UnstyledButton>
            </th>
          );
        })}
      </tr>
    </thead>
  );
};

interface TableProps extends HeadProps {
  readonly onChoose: (id: string, isRange: boolean) => void;
}

/** Draws the visible rows only, so that a thousand stay smooth. */
export const GeneratorTable = ({ rows, onChoose, ...head }: TableProps) => {
  const viewport = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => viewport.current,
    estimateSize: (index) => (rows[index]?.reason == null ? ROW_HEIGHT : FAILED_HEIGHT),
    overscan: OVERSCAN,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  return (
    <ScrollArea.Autosize
      mah="calc(100vh - 16rem)"
      viewportRef={viewport}
      viewportProps={{ tabIndex: 0, 'aria-label': 'List of generators', role: 'region' }}
      className="generators"
    >
      <table aria-label="Generators" aria-rowcount={rows.length + 1}>
        <Head rows={rows} {...head} />
        <tbody className="rows" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <tr
                key={key}
                ref={list.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                className="grid row"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Cells row={row} isChosen={head.chosen.has(row.id)} onChoose={onChoose} />
              </tr>
            );
          })}
        </tbody>
      </table>
      {rows.length === 0 && <Text p="md">No generator matches the filter.</Text>}
    </ScrollArea.Autosize>
  );
};
