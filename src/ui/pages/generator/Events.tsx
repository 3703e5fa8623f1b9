import './generator.css';
import {
  Alert,
  Button,
  CopyButton,
  Group,
  Paper,
  ScrollArea,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { Pause, Play, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Json } from '../../../domain/json.js';
import { link, useLive } from '../../api/live.js';
import type { TailEvent } from '../../api/streams/protocol.js';
import { useAddress } from '../../parts/address.js';
import { JsonTree } from '../../parts/JsonTree.js';
import { shownCount } from '../../parts/numbers.js';
import { StreamList } from './StreamList.js';
import { type Numbered, withNews } from './streams.js';

const RATES = ['1', '5', '20', '100'] as const;
type Rate = (typeof RATES)[number];

interface ControlsProps {
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  readonly rate: Rate;
  readonly onRate: (rate: Rate) => void;
  readonly isPaused: boolean;
  readonly onPause: () => void;
}

const Controls = ({ filter, onFilter, rate, onRate, isPaused, onPause }: ControlsProps) => (
  <Group gap="sm">
    <TextInput
      aria-label="Filter events"
      placeholder="Filter"
      leftSection={<Search size={16} />}
      value={filter}
      onChange={(event) => onFilter(event.currentTarget.value)}
    />
    <Select
      aria-label="Events per second in the sample"
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
  </Group>
);

const emptyText = (count: number, phase: string | undefined): string => {
  if (count > 0) return 'No event matches the filter.';
  return phase === 'running'
    ? 'Waiting for the next event.'
    : 'The generator does not run. Start it to see its events.';
};

/** A sample of the events as they are made, before they are formatted. */
export const Events = ({ id }: { readonly id: string }) => {
  const [filter, setFilter] = useAddress<string>('find', '');
  const [rate, setRate] = useAddress<Rate>('sample', '5');
  const [isPaused, setPaused] = useState(false);
  const [chosen, setChosen] = useState<Numbered<TailEvent> | null>(null);
  const { events, missed, isLost } = useTail(id, Number(rate), isPaused);
  const phase = useLive().generators.get(id)?.phase;
  const wanted = filter.toLowerCase();
  const shown = events.filter(({ value }) => value.text.toLowerCase().includes(wanted));
  return (
    <Stack gap="sm">
      <Controls
        filter={filter}
        onFilter={setFilter}
        rate={rate}
        onRate={setRate}
        isPaused={isPaused}
        onPause={() => setPaused(!isPaused)}
      />
      {isLost && !isPaused && <Alert color="yellow">The stream is lost. It returns by itself.</Alert>}
      {shown.length === 0 ? (
        <Text size="sm">{emptyText(events.length, phase)}</Text>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <StreamList
            lines={shown}
            label="Events, newest first"
            row={(line) => (
              <button
                type="button"
                className="line"
                aria-pressed={chosen?.number === line.number}
                onClick={() => setChosen(line)}
              >
                {line.value.text}
              </button>
            )}
          />
          <EventView event={(chosen ?? (shown[0] as Numbered<TailEvent>)).value} />
        </SimpleGrid>
      )}
      {missed > 0 && <Text size="sm">{shownCount(missed)} events of the sample were skipped.</Text>}
    </Stack>
  );
};

/** Events in the list. */
const MAX_EVENTS = 500;

interface Tail {
  readonly events: readonly Numbered<TailEvent>[];
  /** Sampled events that this browser was too slow for. */
  readonly missed: number;
  readonly isLost: boolean;
}

const NOTHING: Tail = { events: [], missed: 0, isLost: false };

/** A sample of the events of a generator, newest first, with at most `rate` events per second. */
const useTail = (id: string, rate: number, isPaused: boolean): Tail => {
  const [tail, setTail] = useState(NOTHING);
  useEffect(() => {
    if (isPaused) return;
    return link.tail(id, rate, ({ events, missed, isLost }) =>
      setTail((former) => ({
        events: withNews(former.events, events, MAX_EVENTS),
        missed: former.missed + missed,
        isLost,
      })),
    );
  }, [id, rate, isPaused]);
  return tail;
};

/** Returns the document in an event, or undefined when it is text. */
const documentOf = (text: string): Json | undefined => {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
};

/** One event in full: JSON as a tree that folds. */
const EventView = ({ event }: { readonly event: TailEvent }) => {
  const document = documentOf(event.text);
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
            <JsonTree value={document} />
          )}
        </ScrollArea.Autosize>
        {event.is_cut && <Text size="xs">The event is longer: the sample has its first 16 KiB.</Text>}
      </Stack>
    </Paper>
  );
};
