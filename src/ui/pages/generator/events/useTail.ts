import { useEffect, useState } from 'react';
import { filledPath } from '../../../api/client.js';
import { addressOf } from '../../../api/routes.js';
import { type Numbered, withNews } from '../newest.js';

export interface TailEvent {
  readonly text: string;
  /** The event is longer than the sample shows. */
  readonly is_cut: boolean;
}

/** Events in the list. */
const MAX_EVENTS = 500;
/** Bytes of an event. */
const MAX_EVENT_BYTES = 16_384;
const SHOW_EVERY_MS = 250;
const RETRY_MS = 2_000;

export interface Tail {
  readonly events: readonly Numbered<TailEvent>[];
  /** Sampled events that this browser was too slow for. */
  readonly missed: number;
  readonly isLost: boolean;
}

const NOTHING: Tail = { events: [], missed: 0, isLost: false };

const dataOf = (event: Event): unknown => JSON.parse((event as MessageEvent<string>).data);

/** A sample of the events of a generator, newest first. `rate`: events per second at most. */
export const useTail = (id: string, rate: number, isPaused: boolean): Tail => {
  const [tail, setTail] = useState(NOTHING);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt opens the stream again
  useEffect(() => {
    if (isPaused) return;
    const query = `rate=${rate}&max_bytes=${MAX_EVENT_BYTES}`;
    const source = new EventSource(`/api${filledPath(addressOf('tailGenerator').path, { id })}?${query}`);
    let news: TailEvent[] = [];
    let missed = 0;
    let retry: ReturnType<typeof setTimeout> | undefined;
    source.addEventListener('event', (event) => news.push(dataOf(event) as TailEvent));
    source.addEventListener('missed', (event) => {
      missed += (dataOf(event) as { readonly count: number }).count;
    });
    source.onopen = () => setTail((former) => ({ ...former, isLost: false }));
    source.onerror = () => {
      setTail((former) => ({ ...former, isLost: true }));
      // After an answer that is no stream, the browser gives up.
      if (source.readyState === EventSource.CLOSED)
        retry ??= setTimeout(() => setAttempt((former) => former + 1), RETRY_MS);
    };
    const show = (): void => {
      if (news.length === 0 && missed === 0) return;
      const [arrived, lost] = [news, missed];
      news = [];
      missed = 0;
      setTail((former) => ({
        ...former,
        events: withNews(former.events, arrived, MAX_EVENTS),
        missed: former.missed + lost,
      }));
    };
    const timer = setInterval(show, SHOW_EVERY_MS);
    return () => {
      source.close();
      clearInterval(timer);
      clearTimeout(retry);
      show();
    };
  }, [id, rate, isPaused, attempt]);
  return tail;
};
