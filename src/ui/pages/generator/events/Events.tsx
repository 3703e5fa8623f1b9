import './events.css';
import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Download, Pause, Play } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { matcherOf } from '../../../../domain/events/search.js';
import { addCounts, NOTHING_SEARCHED, type SearchCounts } from '../../../../domain/events/tail.js';
import { onOneLine } from '../../../../domain/json.js';
import { link, useLive } from '../../../api/live.js';
import { saveAs } from '../../../api/saveAs.js';
import type { TailEvent } from '../../../api/streams/protocol.js';
import { useAddress } from '../../../parts/address.js';
import { EventExplorer, EventSearch } from '../../../parts/events/EventExplorer.js';
import { documentOf } from '../../../parts/events/fields.js';
import { type Numbered, withNews } from '../../../parts/events/numbered.js';
import { shownCount } from '../../../parts/numbers.js';
import { clockTime } from '../../../parts/times.js';
import { BAR_SECONDS, BARS, NO_VOLUME, type Volume, volumeAt } from './volume.js';

const RATES = ['1', '5', '20', '100'] as const;
type Rate = (typeof RATES)[number];

/** The service searches for what is typed after this pause. */
const PAUSE_MS = 400;

interface ControlsProps {
  readonly find: string;
  readonly onFind: (find: string) => void;
  readonly rate: Rate;
  readonly onRate: (rate: Rate) => void;
  readonly isPaused: boolean;
  readonly onPause: () => void;
  /** Null while there is nothing to save. */
  readonly onSave: (() => void) | null;
}

const Controls = ({ find, onFind, rate, onRate, isPaused, onPause, onSave }: ControlsProps) => (
  <Group gap="sm">
    <EventSearch find={find} onFind={onFind} />
    <Select
      aria-label="Most events per second in the list"
      data={RATES.map((value) => ({ value, label: `up to ${value}/s` }))}
      value={rate}
      onChange={(value) => onRate(value ?? '5')}
      allowDeselect={false}
      w={130}
    />
    <Button
      variant="default"
      leftSection={isPaused ? <Play size={16} /> : <Pause size={16} />}
      onClick={onPause}
    >
      {isPaused ? 'Resume' : 'Pause'}
    </Button>
    <Button
      variant="default"
      leftSection={<Download size={16} />}
      onClick={onSave ?? undefined}
      disabled={onSave === null}
    >
      Download
    </Button>
  </Group>
);

const emptyText = (isSearch: boolean, phase: string | undefined): string => {
  if (phase !== 'running') return 'The generator does not run. Start it to see its events.';
  return isSearch ? 'No event matches so far.' : 'Waiting for the next event.';
};

/** What a search has done: every event counts, those that are not shown too. */
const countText = ({ searched, skipped, found }: SearchCounts): string => {
  const all = `${shownCount(found)} found in ${shownCount(searched)} events.`;
  return skipped === 0
    ? all
    : `${all} There was no time for ${shownCount(skipped)} more: a search takes a fifth of the time at most.`;
};

/** Nothing keeps the events of a generator but its outputs. */
const sinceText = (since: Date): string =>
  `Events made before ${clockTime(since.getTime())}, during a pause or while this page is hidden are not searched.`;

/** One event a line; with the ending of JSON if all are. */
const save = (id: string, events: Tail['events']): void => {
  const texts = events.map(({ value }) => onOneLine(value.text)).toReversed();
  const isJson = texts.every((text) => documentOf(text) !== undefined);
  saveAs(
    `${id}-events.${isJson ? 'ndjson' : 'log'}`,
    new Blob([`${texts.join('\n')}\n`], { type: 'text/plain' }),
  );
};

/** A sample of the events as they are made, before they are formatted, or those that a search finds. */
export const Events = ({ id }: { readonly id: string }) => {
  const [find, setFind] = useAddress<string>('find', '');
  const [rate, setRate] = useAddress<Rate>('sample', '5');
  const [columnText, setColumnText] = useAddress<string>('columns', '');
  const [isPaused, setPaused] = useState(false);
  const [searched] = useDebouncedValue(find.trim(), PAUSE_MS);
  const tail = useTail(id, Number(rate), searched, isPaused);
  const phase = useLive().generators.get(id)?.phase;
  const shown = useMemo(() => {
    // What was searched for matches already: hundreds of events would be parsed for each piece of news.
    const matches = find.trim() === searched ? null : matcherOf(find);
    return matches === null ? tail.events : tail.events.filter(({ value }) => matches(value.text));
  }, [tail.events, find, searched]);
  const [first, ...rest] = shown;
  return (
    <Stack gap="sm">
      <Controls
        find={find}
        onFind={setFind}
        rate={rate}
        onRate={setRate}
        isPaused={isPaused}
        onPause={() => setPaused(!isPaused)}
        onSave={shown.length === 0 ? null : () => save(id, shown)}
      />
      {tail.isLost && !isPaused && <Alert color="yellow">The stream is lost. It returns by itself.</Alert>}
      {searched !== '' && (
        <div>
          <Text size="sm" role="status">
            {countText(tail.counts)} {sinceText(tail.since)}
          </Text>
          <FoundBars found={volumeAt(tail.volume, Date.now(), 0).found} />
        </div>
      )}
      {first === undefined ? (
        <Text size="sm">{emptyText(find !== '', phase)}</Text>
      ) : (
        // Another search chooses no event.
        <EventExplorer
          key={searched}
          events={[first, ...rest]}
          label="Events, newest first"
          find={find}
          onFind={setFind}
          columnText={columnText}
          onColumnText={setColumnText}
        />
      )}
      {tail.missed > 0 && <Text size="sm">{shownCount(tail.missed)} events of the sample were skipped.</Text>}
    </Stack>
  );
};

/** When the events were found that the list may have no room for. */
const FoundBars = ({ found }: { readonly found: readonly number[] }) => {
  const top = Math.max(...found);
  if (top === 0) return null;
  const most = `at most ${shownCount(top)} in ${BAR_SECONDS} s`;
  return (
    <figure className="found-bars" role="img" aria-label={`Found in the last two minutes: ${most}`}>
      <svg viewBox={`0 0 ${BARS} 1`} preserveAspectRatio="none" aria-hidden>
        {found.map((count, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is a place
          <rect key={index} x={index} y={1 - count / top} width={0.8} height={count / top} />
        ))}
      </svg>
      <figcaption aria-hidden>
        <span>2 minutes ago</span>
        <span>{most}</span>
        <span>now</span>
      </figcaption>
    </figure>
  );
};

/** Events in the list. */
const MAX_EVENTS = 500;

interface Tail {
  /** Newest first. */
  readonly events: readonly Numbered<TailEvent>[];
  /** What the search has looked at since it began. */
  readonly counts: SearchCounts;
  /** Sampled events that this browser was too slow for. */
  readonly missed: number;
  readonly isLost: boolean;
  /** When the search began. */
  readonly since: Date;
  readonly volume: Volume;
}

const NOTHING: Omit<Tail, 'since'> = {
  events: [],
  counts: NOTHING_SEARCHED,
  missed: 0,
  isLost: false,
  volume: NO_VOLUME,
};

/** Events of a generator, at most `rate` per second: a sample, or what a search finds. A new search keeps what it finds of the former events. */
const useTail = (id: string, rate: number, find: string, isPaused: boolean): Tail => {
  const [tail, setTail] = useState<Tail>(() => ({ ...NOTHING, since: new Date() }));
  useEffect(() => {
    const matches = matcherOf(find);
    setTail(({ events, isLost }) => ({
      ...NOTHING,
      events: matches === null ? events : events.filter(({ value }) => matches(value.text)),
      isLost,
      since: new Date(),
    }));
  }, [find]);
  useEffect(() => {
    if (isPaused) return;
    return link.tail({ id, rate, find }, ({ events, counts, missed, isLost }) =>
      setTail((former) => ({
        events: withNews(former.events, events, MAX_EVENTS),
        counts: addCounts(former.counts, counts),
        missed: former.missed + missed,
        isLost,
        since: former.since,
        volume: volumeAt(former.volume, Date.now(), counts.found),
      })),
    );
  }, [id, rate, find, isPaused]);
  return tail;
};
