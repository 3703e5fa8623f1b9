import '../generator.css';
import { Alert, Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { Pause, Play, Search } from 'lucide-react';
import { useState } from 'react';
import { useLive } from '../../../api/live.js';
import type { TailEvent } from '../../../api/streams/protocol.js';
import { useAddress } from '../../../parts/address.js';
import { shownCount } from '../../../parts/numbers.js';
import type { Numbered } from '../newest.js';
import { StreamList } from '../StreamList.js';
import { EventView } from './EventView.js';
import { useTail } from './useTail.js';

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
