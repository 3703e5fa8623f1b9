import { Alert, Badge, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { Pause, Play, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { LogLevel } from '../../../domain/errors.js';
import { filledPath } from '../../api/client.js';
import { apiAddressOf } from '../../api/routes.js';
import { useAddress } from '../../parts/address.js';
import { type Numbered, withNews } from '../../parts/events/numbered.js';
import { StreamList } from '../../parts/events/StreamList.js';
import { isShownEntry, LEVEL_CHOICES, type LogEntry, linesOf, logEntryOf } from './streams.js';

/** The log of a generator as it grows. */
export const LogPanel = ({ id }: { readonly id: string }) => {
  const [filter, setFilter] = useAddress<string>('search', '');
  const [lowest, setLowest] = useAddress<LogLevel>('level', 'debug');
  const [isPaused, setPaused] = useState(false);
  const { entries, state } = useLog(id, isPaused);
  const shown = entries.filter(({ value }) => isShownEntry(value, lowest, filter));
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
          data={LEVEL_CHOICES.map((value) => ({
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

const emptyText = (count: number, state: string): string => {
  if (count > 0) return 'No entry matches the filter.';
  return state === 'empty' ? 'Nothing is logged yet.' : 'Waiting for the log.';
};

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

/** Entries in the list. */
const MAX_ENTRIES = 2_000;

/** Bytes of the log before now. */
const BEFORE_BYTES = 65_536;

const SHOW_EVERY_MS = 250;

const RETRY_MS = 3_000;

/** Close code: nothing is logged yet. */
const EMPTY = 1013;

interface ShownLog {
  readonly entries: readonly Numbered<LogEntry>[];
  readonly state: 'open' | 'empty' | 'lost';
}

const NOTHING: ShownLog = { entries: [], state: 'open' };

const urlOf = (id: string): string => {
  const { protocol, host } = globalThis.location;
  const path = filledPath(apiAddressOf('followGeneratorLog').path, { id });
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/api${path}?end_offset=${BEFORE_BYTES}`;
};

/** The log of a generator, newest first. A hidden tab does not follow it. */
const useLog = (id: string, isPaused: boolean): ShownLog => {
  const [log, setLog] = useState(NOTHING);
  const [attempt, setAttempt] = useState(0);
  const isOff = useDocumentVisibility() === 'hidden' || isPaused;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt opens the socket again
  useEffect(() => {
    if (isOff) return;
    const socket = new WebSocket(urlOf(id));
    let news: readonly LogEntry[] = [];
    let rest = '';
    // The socket begins with lines that are shown already.
    let isFirst = true;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const show = (): void => {
      if (news.length === 0) return;
      const [arrived, isNew] = [news, isFirst];
      news = [];
      isFirst = false;
      setLog(({ entries }) => ({
        entries: withNews(isNew ? [] : entries, arrived, MAX_ENTRIES),
        state: 'open',
      }));
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      const read = linesOf(rest, data);
      rest = read.rest;
      news = [...news, ...read.lines.map(logEntryOf)].slice(-MAX_ENTRIES);
    };
    socket.onclose = ({ code }) => {
      show();
      setLog((former) => ({ ...former, state: code === EMPTY ? 'empty' : 'lost' }));
      retry = setTimeout(() => setAttempt((former) => former + 1), RETRY_MS);
    };
    const timer = setInterval(show, SHOW_EVERY_MS);
    return () => {
      socket.onclose = null;
      clearInterval(timer);
      clearTimeout(retry);
      if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
      else socket.close();
    };
  }, [id, isOff, attempt]);
  return log;
};
