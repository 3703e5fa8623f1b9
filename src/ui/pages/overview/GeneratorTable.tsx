import './overview.css';
import { Anchor, Checkbox, Text, UnstyledButton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type MouseEvent, memo, useRef } from 'react';
import { Link } from 'wouter';
import { useDeadLetterList } from '../../parts/deadLetterList.js';
import { ErrorCodeLink, Located } from '../../parts/notes.js';
import {
  counted,
  restartsText,
  shortMicros,
  shownCount,
  shownRate,
  shownShort,
} from '../../parts/numbers.js';
import { PhaseBadge } from '../../parts/Phase.js';
import { remedyOf } from '../../parts/phases.js';
import { Scroller } from '../../parts/Section.js';
import { Sparkline } from '../../parts/Sparkline.js';
import type { OverviewRow, SortKey, ViewOfRows } from './rows.js';

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
  readonly rows: readonly OverviewRow[];
  readonly chosen: ReadonlySet<string>;
  readonly onChooseAll: () => void;
}

/** Scrolling does not draw it again. */
const Head = memo(({ view, onView, rows, chosen, onChooseAll }: HeadProps) => {
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
});

interface TableProps extends HeadProps {
  readonly onChoose: (id: string, isRange: boolean) => void;
}

/** Draws the visible rows only, so that a thousand stay smooth. */
export const GeneratorTable = ({ rows, onChoose, ...head }: TableProps) => {
  const viewport = useRef<HTMLElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => viewport.current,
    estimateSize: (index) => (rows[index]?.reason == null ? ROW_HEIGHT : FAILED_HEIGHT),
    overscan: OVERSCAN,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  return (
    <Scroller ref={viewport} className="generators" label="List of generators">
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
    </Scroller>
  );
};

/** Seconds that fill a sparkline. */
const SPAN = 60;

interface CellsProps {
  readonly row: OverviewRow;
  readonly isChosen: boolean;
  readonly onChoose: (id: string, isRange: boolean) => void;
}

const lateText = ({ late }: OverviewRow): string => (late === 0 ? '–' : shortMicros(late));

/** The counters in a line, for narrow screens. */
const briefOf = (row: OverviewRow): string =>
  [
    `${shownShort(row.written)} written`,
    ...(row.late === 0 ? [] : [`late ${shortMicros(row.late)}`]),
    ...(row.deadLettered === 0 ? [] : [`${shownShort(row.deadLettered)} dead letters`]),
    ...(row.lost === 0 ? [] : [`${shownShort(row.lost)} lost`]),
    ...(row.restarts === 0 ? [] : [restartsText(row.restarts)]),
  ].join(' · ');

/** The first line of a reason: the page of the generator has all of it. */
const Reason = ({ text, path }: { readonly text: string; readonly path: string }) => (
  <Text size="xs" className="reason">
    <Located text={text.split('\n')[0] ?? ''} config={path} />
  </Text>
);

const Failure = ({ row: { phase, reason, error_code, path } }: { readonly row: OverviewRow }) => (
  <div className="why">
    <Reason text={reason ?? ''} path={path} />
    <Text size="xs">
      {remedyOf(phase, error_code)} {error_code !== null && <ErrorCodeLink code={error_code} size="xs" />}
    </Text>
  </div>
);

/** Dead letters that wait now, of those since the start. */
const Dead = ({ row: { id, deadLettered } }: { readonly row: OverviewRow }) => {
  const summaries = useDeadLetterList(id).data;
  const now = summaries?.reduce((sum, { letters }) => sum + letters, 0);
  const title = `${now === undefined ? '' : `${shownCount(now)} dead letters now, `}${shownCount(deadLettered)} since the start`;
  return (
    <td className={`number wide${now === undefined || now === 0 ? '' : ' warned'}`} title={title}>
      <Anchor
        component={Link}
        href={`/r/${encodeURIComponent(id)}?show=letters`}
        c="inherit"
        underline="always"
      >
        {now === undefined ? '…' : shownShort(now)}
      </Anchor>
      <Text size="xs" c="dimmed">
        of {shownShort(deadLettered)}
      </Text>
    </td>
  );
};

const FAILING = new Set(['failed', 'backing_off', 'loading']);
const UNWELL = new Set(['failing', 'degraded']);

const Unwell = ({ row: { health, path } }: { readonly row: OverviewRow }) => (
  <div className="why">
    <Reason text={health.health_reason ?? ''} path={path} />
    <Text size="xs">{health.remedy}</Text>
  </div>
);

/**
 * The cells of a generator; why it failed is below its name. Plain elements: those of Mantine take ten times as long,
 * and a frame of a fast scroll draws ten new rows.
 */
const Cells = memo(({ row, isChosen, onChoose }: CellsProps) => (
  <>
    <td className="check">
      <input
        type="checkbox"
        className="mantine-focus-auto"
        aria-label={`Choose ${row.id}`}
        checked={isChosen}
        readOnly
        onClick={(event: MouseEvent) => onChoose(row.id, event.shiftKey)}
      />
    </td>
    <th scope="row" className="name">
      <Link
        href={`/r/${encodeURIComponent(row.id)}`}
        className="truncated mantine-focus-auto"
        title={row.path}
      >
        {row.id}
      </Link>
      {row.node !== null && <Text size="xs">on {row.node}</Text>}
    </th>
    <td>
      <PhaseBadge phase={row.phase} health={row.health.health} />
    </td>
    <td className="number speed">
      <Sparkline
        values={row.rates}
        span={SPAN}
        label={`Events per second of ${row.id} in the last ${counted(Math.max(row.rates.length, 1), 'second')}`}
      />
      <span className="rate">{shownRate(row.rate)}</span>
    </td>
    <td className="number wide">{lateText(row)}</td>
    <td className="number wide">{shownShort(row.written)}</td>
    {row.deadLettered === 0 ? <td className="number wide">0</td> : <Dead row={row} />}
    <td className={`number wide${row.lost > 0 ? ' bad' : ''}`}>{shownShort(row.lost)}</td>
    <td className="number wide">{shownCount(row.queued)}</td>
    <td className="number wide">{shownCount(row.restarts)}</td>
    <td className="brief figure">{briefOf(row)}</td>
    {row.reason !== null && FAILING.has(row.phase) ? (
      <td className="failure">
        <Failure row={row} />
      </td>
    ) : (
      UNWELL.has(row.health.health) && (
        <td className="failure">
          <Unwell row={row} />
        </td>
      )
    )}
  </>
));
