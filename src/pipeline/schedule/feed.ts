import { ENDED } from '../../domain/abort.js';
import type { TimestampBatch } from '../../domain/events/timestampBatch.js';
import type { Micros } from '../../domain/time/micros.js';
import { NEVER } from '../../domain/time/micros.js';
import type { Input } from '../../plugins/kit.js';
import type { Source } from '../demand.js';
import { type Batches, type BatchLimits, batcher } from './batch.js';
import { type Merged, merge } from './merge.js';

/** Inputs of a generator with the tags of each, by its number from 0; frozen. */
export interface FeedInputs {
  readonly inputs: readonly Input[];
  readonly tags: readonly (readonly string[])[];
}

/**
 * Timestamps as batches, from inputs that can be exchanged while they flow. Batches of former inputs that
 * are still on their way are void: whoever holds one gives it back unused.
 */
export interface Feed {
  readonly source: Source<TimestampBatch>;
  readonly isVoid: (batch: TimestampBatch) => boolean;
  /** Events were made of the first `used` timestamps of a batch. */
  readonly use: (batch: TimestampBatch, used: number) => void;
  /** The last timestamp that an event was made of; `null` before the first. */
  readonly last: () => Micros | null;
  readonly tagsOf: (input: number) => readonly string[];
  /** Ends with an exchange, and with `draining`: waiting for a timestamp is then over. */
  readonly waiting: () => AbortSignal;
  /** The next timestamp that no event has been made of; `NEVER` at the end. */
  readonly next: () => Micros;
  /** Inputs that ended by an error. */
  readonly failures: () => number;
  readonly exchange: (next: FeedInputs) => void;
}

export interface FeedOptions extends FeedInputs {
  readonly batch: BatchLimits;
  readonly isLive: boolean;
  readonly draining: AbortSignal;
  readonly lastBefore: Micros | null;
  readonly onInputFailure: (number: number, reason: string) => void;
}

const NO_TAGS: readonly string[] = Object.freeze([]);

export const makeFeed = (options: FeedOptions): Feed => {
  let epoch = 0;
  let last = options.lastBefore;
  let tags: FeedInputs['tags'] = [];
  let merged: Merged = merge([], () => {});
  let cut: Batches = batcher(merged, options.batch, options.isLive);
  let waiting = new AbortController();
  /** Pulled and not given back, oldest first. */
  let underWay: TimestampBatch[] = [];
  /** Told when the inputs are exchanged, when the last batch has come back, and when all is over. */
  let onChange: (() => void) | null = null;

  const use = (next: FeedInputs): void => {
    epoch++;
    tags = next.tags;
    merged = merge(next.inputs, options.onInputFailure);
    cut = batcher(merged, options.batch, options.isLive);
    underWay = [];
  };
  use(options);

  const stop = (): void => {
    waiting.abort(ENDED);
    onChange?.();
  };
  options.draining.addEventListener('abort', stop, { once: true });
  const isVoid = (batch: TimestampBatch): boolean => batch.epoch !== epoch;

  return {
    source: {
      next: () => {
        const batch = cut.next();
        if (batch === null) return null;
        batch.epoch = epoch;
        batch.used = 0;
        underWay.push(batch);
        return batch;
      },
      give: (batch) => {
        if (isVoid(batch)) return;
        underWay = underWay.filter((other) => other !== batch);
        cut.give(batch);
        if (underWay.length === 0) onChange?.();
      },
      // The inputs have ended, but as long as their timestamps wait to be due they may be exchanged.
      hasMore: async () => {
        const before = epoch;
        while (epoch === before && underWay.length > 0 && !options.draining.aborted) {
          await new Promise<void>((resolve) => {
            onChange = resolve;
          });
        }
        return epoch !== before && !options.draining.aborted;
      },
    },
    isVoid,
    use: (batch, used) => {
      batch.used = used;
      last = used === 0 ? last : (batch.micros[used - 1] as Micros);
    },
    last: () => last,
    tagsOf: (input) => tags[input] ?? NO_TAGS,
    waiting: () => waiting.signal,
    next: () => {
      const batch = underWay.find(({ used, length }) => used < length);
      return batch === undefined ? merged.peek() : (batch.micros[batch.used] ?? NEVER);
    },
    failures: () => merged.failures(),
    exchange: (next) => {
      use(next);
      waiting.abort(ENDED);
      waiting = new AbortController();
      if (options.draining.aborted) waiting.abort(ENDED);
      onChange?.();
    },
  };
};
