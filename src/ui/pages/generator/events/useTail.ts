import { useEffect, useState } from 'react';
import { link } from '../../../api/live.js';
import type { TailEvent } from '../../../api/streams/protocol.js';
import { type Numbered, withNews } from '../newest.js';

/** Events in the list. */
const MAX_EVENTS = 500;

export interface Tail {
  readonly events: readonly Numbered<TailEvent>[];
  /** Sampled events that this browser was too slow for. */
  readonly missed: number;
  readonly isLost: boolean;
}

const NOTHING: Tail = { events: [], missed: 0, isLost: false };

/** A sample of the events of a generator, newest first, with at most `rate` events per second. */
export const useTail = (id: string, rate: number, isPaused: boolean): Tail => {
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
