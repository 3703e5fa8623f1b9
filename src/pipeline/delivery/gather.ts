import { ENDED } from '../../domain/abort.js';
import { joinBatches } from '../../domain/events/eventBatch.js';
import type { Clock } from '../../ports/clock.js';
import type { SequencedBatch } from '../produce.js';

/** Batches that became one write, in order; all of them are done when it is. */
export interface Gathered {
  readonly events: SequencedBatch['events'];
  readonly producedAtMs: number;
  readonly sequences: readonly number[];
}

export interface GatherOptions {
  readonly clock: Clock;
  /** Events of one write. */
  readonly limit: number;
  /** Seconds of clock time; `null`: no limit. */
  readonly delay: number | null;
  readonly signal: AbortSignal;
  readonly onFull: (gathered: Gathered) => void;
}

/**
 * Collects small batches for a destination that is better served with large ones: until there are
 * `batch.size` events, or `batch.delay` seconds of clock time have passed since the first of them.
 */
export interface Gatherer {
  /** True when adding the batch begins a new collection. */
  readonly startsWith: (batch: SequencedBatch) => boolean;
  readonly add: (batch: SequencedBatch) => void;
  /** Hands out what is collected, if anything. */
  readonly flush: () => void;
}

export const gatherer = (options: GatherOptions): Gatherer => {
  const { limit } = options;
  let collected: SequencedBatch[] = [];
  let count = 0;
  let timer = new AbortController();

  const flush = (): void => {
    timer.abort(ENDED);
    const [first] = collected;
    if (first === undefined) return;
    const whole = collected;
    collected = [];
    count = 0;
    options.onFull({
      events: joinBatches(whole.map(({ events }) => events)),
      producedAtMs: first.producedAtMs,
      sequences: whole.map(({ sequence }) => sequence),
    });
  };

  const startTimer = (delay: number): void => {
    timer = new AbortController();
    const { signal } = timer;
    void options.clock.sleepMs(delay * 1_000, signal).then(() => {
      if (!signal.aborted && !options.signal.aborted) flush();
    });
  };

  // A batch is never cut: one that does not fit goes into the next write.
  const fits = (batch: SequencedBatch): boolean => count === 0 || count + batch.events.count <= limit;

  return {
    startsWith: (batch) => count === 0 || !fits(batch),
    add: (batch) => {
      if (!fits(batch)) flush();
      if (collected.length === 0 && options.delay !== null) startTimer(options.delay);
      collected.push(batch);
      count += batch.events.count;
      if (count >= limit) flush();
    },
    flush,
  };
};
