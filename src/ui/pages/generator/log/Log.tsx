import '../generator.css';
import { Alert, Badge, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { Pause, Play, Search } from 'lucide-react';
import { useState } from 'react';
import type { LogLevel } from '../../../../domain/errors.js';
import { useAddress } from '../../../parts/address.js';
import { StreamList } from '../StreamList.js';
import { isShown, LEVELS, type LogEntry } from './entries.js';
import { useLog } from './useLog.js';

const COLORS: Readonly<Record<LogLevel, string>> = {
  debug: 'gray',
  info: 'blue',
  warning: 'orange',
  error: 'red',
  critical: 'red',
};

/** Time of day with milliseconds. */
const timeOf = (at: string): string => at.slice(11, 23);

const Entry = ({ entry: { at, level, message } }: { readonly entry: LogEntry }) => (
  <div className="line entry">
    <time dateTime={at} title={at}>
      {timeOf(at)}
    </time>
    <span>
      {level !== null && (
        <Badge size="xs" variant="light" color={COLORS[level]} autoContrast>
          {level}
        </Badge>
      )}
    </span>
    <span>{message}</span>
  </div>
);

const emptyText = (count: number, state: string): string => {
  if (count > 0) return 'No entry matches the filter.';
  return state === 'empty' ? 'Nothing is logged yet.' : 'Waiting for the log.';
};

/** The log of a generator as it grows. */
export const Log = ({ id }: { readonly id: string }) => {
  const [filter, setFilter] = useAddress<string>('search', '');
  const [lowest, setLowest] = useAddress<LogLevel>('level', 'debug');
  const [isPaused, setPaused] = useState(false);
  const { entries, state } = useLog(id, isPaused);
  const shown = entries.filter(({ value }) => isShown(value, lowest, filter));
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <TextInput
          aria-label="Filter the log"
          placeholder="Filter"
          leftSection={<Search size={16} />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <Select
          aria-label="Lowest level"
          data={LEVELS.map((value) => ({
            value,
            label: value === 'debug' ? 'all levels' : `${value} and above`,
          }))}
          value={lowest}
          onChange={(value) => setLowest(value ?? 'debug')}
          allowDeselect={false}
          w={180}
        />
        <Button
          variant="default"
          leftSection={isPaused ? <Play size={16} /> : <Pause size={16} />}
          onClick={() => setPaused(!isPaused)}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        <Text size="sm">Times in UTC</Text>
      </Group>
      {state === 'lost' && !isPaused && (
        <Alert color="yellow">The log is cut off. It returns by itself.</Alert>
      )}
      {shown.length === 0 ? (
        <Text size="sm">{emptyText(entries.length, state)}</Text>
      ) : (
        <StreamList lines={shown} label="Log, newest first" row={({ value }) => <Entry entry={value} />} />
      )}
    </Stack>
  );
};
