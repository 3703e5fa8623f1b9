import { makeTimestampBatch, type TimestampBatch } from '../../domain/events/timestampBatch.js';
import { MICROS_PER_SECOND } from '../../domain/time/micros.js';
import type { Merged } from './merge.js';

/** Events per batch when only `batch.delay` is given. */
const DEFAULT_BATCH_SIZE = 10_000;
/**
 * Timestamps per batch where nothing waits, about: enough for several batches of events, so that these end where
 * the event plugin ends them and not where its timestamps do.
 */
const UNHURRIED_SIZE = 32_768;
const FIRST_CAPACITY = 64;

export interface BatchLimits {
  readonly size: number | null;
  /** Seconds of timestamp time; bounds the look-ahead in live mode, has no meaning when nothing waits. */
  readonly delay: number | null;
}

/** Most events of one batch. */
export const eventsPerBatch = ({ size }: BatchLimits): number => size ?? DEFAULT_BATCH_SIZE;

/** Most events that are collected for one write when `batch.size` sets no limit: memory has one. */
const MAX_COLLECTED = 100_000;

/** Events that a bulk destination gets in one write, at most. */
export const collectsUpTo = ({ size }: BatchLimits): number => size ?? MAX_COLLECTED;

/** Batches of a merged stream; used ones come back. */
export interface Batches {
  /** `null` at the end. */
  readonly next: () => TimestampBatch | null;
  readonly give: (batch: TimestampBatch) => void;
}

/** Cuts the merged stream into batches; used ones are filled again. */
export const batcher = (merged: Merged, limits: BatchLimits, isLive: boolean): Batches => {
  const most = eventsPerBatch(limits);
  /** Enough for whole batches of events: only the last one should be smaller. */
  const whole = (count: number): number => (count < most ? count : count - (count % most));
  const size = isLive ? most : Math.max(most, whole(UNHURRIED_SIZE));
  const span = isLive && limits.delay !== null ? limits.delay * MICROS_PER_SECOND : Number.POSITIVE_INFINITY;
  const spare: TimestampBatch[] = [];
  let capacity = Math.min(size, whole(FIRST_CAPACITY));

  return {
    next: () => {
      const batch = spare.pop() ?? makeTimestampBatch(capacity);
      batch.length = 0;
      const limit = Math.min(size, batch.micros.length);
      merged.take(batch, limit, merged.peek() + span);
      if (batch.length === 0) return null;
      if (batch.length === capacity) capacity = Math.min(size, whole(capacity * 4));
      return batch;
    },
    give: (batch) => {
      if (batch.micros.length === capacity) spare.push(batch);
    },
  };
};
