import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { filledPath } from '../../../api/client.js';
import { addressOf } from '../../../api/routes.js';
import { type Numbered, withNews } from '../newest.js';
import { entryOf, type LogEntry, linesOf } from './entries.js';

/** Entries in the list. */
const MAX_ENTRIES = 2_000;
/** Bytes of the log before now. */
const BEFORE_BYTES = 65_536;
const SHOW_EVERY_MS = 250;
const RETRY_MS = 3_000;

/** Close code: nothing is logged yet. */
const EMPTY = 1013;

export interface Log {
  readonly entries: readonly Numbered<LogEntry>[];
  readonly state: 'open' | 'empty' | 'lost';
}

const NOTHING: Log = { entries: [], state: 'open' };

const urlOf = (id: string): string => {
  const { protocol, host } = globalThis.location;
  const path = filledPath(addressOf('followGeneratorLog').path, { id });
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/api${path}?end_offset=${BEFORE_BYTES}`;
};

/** The log of a generator, newest first. A hidden tab does not follow it. */
export const useLog = (id: string, isPaused: boolean): Log => {
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
      news = [...news, ...read.lines.map(entryOf)].slice(-MAX_ENTRIES);
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
