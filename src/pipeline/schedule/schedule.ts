import { firstAfter, type TimestampBatch } from '../../domain/events/timestampBatch.js';
import { MICROS_PER_MS } from '../../domain/time/micros.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Held } from '../demand.js';
import { clockWatch } from './clockWatch.js';
import type { Feed } from './feed.js';

/**
 * Dense live schedules are released at most this often: an event waits up to this long for its
 * neighbours, and a slice costs one production and one write.
 */
const SLICE_INTERVAL_MS = 5;

/** A long wait looks at the clock this often: it may be set, and the machine may sleep. */
const LOOK_EVERY_MS = 10_000;

/** Timestamps that are due: `from <= i < to` of a batch. `release` gives the batch back after its last slice. */
export interface Slice {
  readonly batch: TimestampBatch;
  readonly from: number;
  readonly to: number;
  readonly release: (() => void) | null;
}

export interface ScheduleOptions {
  readonly isLive: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** What is not due yet when it ends is never produced. */
  readonly draining: AbortSignal;
  readonly feed: Pick<Feed, 'isVoid' | 'waiting'>;
}

/**
 * The one place that waits. Live mode hands out the timestamps of a batch when the clock reaches them,
 * never before; sample mode hands out the whole batch at once.
 */
export const schedule = (options: ScheduleOptions) => {
  const { clock, draining, feed } = options;
  const watch = clockWatch(options);
  return async function* slices(held: Held<TimestampBatch>): AsyncGenerator<Slice> {
    const batch = held.value;
    if (!options.isLive) {
      yield { batch, from: 0, to: batch.length, release: held.release };
      return;
    }
    let from = 0;
    while (from < batch.length && !feed.isVoid(batch)) {
      const now = clock.now();
      watch.look(now, (batch.micros[from] as number) - now);
      const to = firstAfter(batch.micros, from, batch.length, now);
      if (to > from) {
        yield { batch, from, to, release: to === batch.length ? held.release : null };
        from = to;
        if (from === batch.length) return;
      }
      const next = batch.micros[from] as number;
      const isNeighbourSoon = next - now < SLICE_INTERVAL_MS * MICROS_PER_MS;
      const left_ms = isNeighbourSoon ? SLICE_INTERVAL_MS : Math.ceil((next - now) / MICROS_PER_MS);
      // Monotonic time: on a clock that is set back a wait for the wall clock would not end to be looked at.
      await clock.sleepMs(Math.min(left_ms, LOOK_EVERY_MS), feed.waiting());
      if (draining.aborted) return;
    }
    // The rest is void; whoever makes events has earlier slices of the batch before it can be given back.
    yield { batch, from, to: from, release: held.release };
  };
};
