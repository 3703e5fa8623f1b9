import { Anchor, Checkbox, Group, Text } from '@mantine/core';
import { type MouseEvent, memo } from 'react';
import { Link } from 'wouter';
import { ErrorCodeLink, Placed } from '../../parts/ErrorNote.js';
import { remedyOf } from '../../parts/failures.js';
import { useLetterList } from '../../parts/letterList.js';
import { counted, shownCount, shownMicros, shownRate, shownShort } from '../../parts/numbers.js';
import { Phase } from '../../parts/Phase.js';
import { Sparkline } from '../../parts/Sparkline.js';
import type { Row } from './rows.js';

/** Seconds that fill a sparkline. */
const SPAN = 60;

interface CellsProps {
  readonly row: Row;
  readonly isChosen: boolean;
  readonly onChoose: (id: string, isRange: boolean) => void;
}

const lateText = ({ late }: Row): string => (late === 0 ? '–' : shownMicros(late));

/** The counters in a line, for narrow screens. */
const briefOf = (row: Row): string =>
  [
    `${shownShort(row.written)} written`,
    ...(row.late === 0 ? [] : [`late ${shownMicros(row.late)}`]),
    ...(row.deadLettered === 0 ? [] : [`${shownShort(row.deadLettered)} dead letters`]),
    ...(row.lost === 0 ? [] : [`${shownShort(row.lost)} lost`]),
    ...(row.restarts === 0 ? [] : [`${counted(row.restarts, 'restart')} in 2 min`]),
  ].join(' · ');

/** The first line of a reason: the page of the generator has all of it. */
const Reason = ({ text, path }: { readonly text: string; readonly path: string }) => (
  <Text size="xs" className="reason">
    <Placed text={text.split('\n')[0] ?? ''} config={path} />
  </Text>
);

const Failure = ({ row: { phase, reason, error_code, path } }: { readonly row: Row }) => (
  <div className="why">
    <Reason text={reason ?? ''} path={path} />
    <Text size="xs">
      {remedyOf(phase, error_code)} {error_code !== null && <ErrorCodeLink code={error_code} size="xs" />}
    </Text>
  </div>
);

/** Dead letters that wait now, of those since the start. */
const Dead = ({ row: { id, deadLettered } }: { readonly row: Row }) => {
  const boxes = useLetterList(id, deadLettered > 0).data;
  if (deadLettered === 0) return <td className="number wide">0</td>;
  const now = boxes?.reduce((sum, { letters }) => sum + letters, 0);
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

const Unwell = ({ row: { health, path } }: { readonly row: Row }) => (
  <div className="why">
    <Reason text={health.health_reason ?? ''} path={path} />
    <Text size="xs">{health.remedy}</Text>
  </div>
);

/** The cells of a generator; why it failed is below its name. */
export const Cells = memo(({ row, isChosen, onChoose }: CellsProps) => (
  <>
    <td className="check">
      <Checkbox
        size="xs"
        aria-label={`Choose ${row.id}`}
        checked={isChosen}
        readOnly
        onClick={(event: MouseEvent) => onChoose(row.id, event.shiftKey)}
      />
    </td>
    <th scope="row" className="name">
      <Anchor
        component={Link}
        href={`/r/${encodeURIComponent(row.id)}`}
        fw={600}
        className="truncated"
        title={row.path}
      >
        {row.id}
      </Anchor>
      {row.node !== null && <Text size="xs">on {row.node}</Text>}
    </th>
    <td>
      <Phase phase={row.phase} health={row.health.health} />
    </td>
    <td className="number">
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        <Sparkline
          values={row.rates}
          span={SPAN}
          label={`Events per second of ${row.id} in the last ${counted(Math.max(row.rates.length, 1), 'second')}`}
        />
        <span className="rate">{shownRate(row.rate)}</span>
      </Group>
    </td>
    <td className="number wide">{lateText(row)}</td>
    <td className="number wide">{shownShort(row.written)}</td>
    <Dead row={row} />
    <td className={`number wide${row.lost > 0 ? ' bad' : ''}`}>{shownShort(row.lost)}</td>
    <td className="number wide">{shownCount(row.queued)}</td>
    <td className="number wide">{shownCount(row.restarts)}</td>
    <td className="brief">
      <Text size="xs" className="figure">
        {briefOf(row)}
      </Text>
    </td>
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
