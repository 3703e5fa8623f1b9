import type { DealPosition } from '../../domain/checkpoint.js';
import { makeTimestampBatch, type TimestampBatch } from '../../domain/events/timestampBatch.js';
import type { Partition } from '../../domain/partitions.js';
import { type Micros, NEVER } from '../../domain/time/micros.js';
import type { Clock } from '../../ports/clock.js';

/** The timestamps that are dealt. */
export interface Stream {
  /** Adds timestamps earlier than `before` to the batch until it holds `limit`, or a block of sizes ends. */
  readonly take: (into: TimestampBatch, limit: number, before: Micros) => void;
  /** Drops at most `most` timestamps earlier than `before`. False: there are no more of them. */
  readonly dropBefore: (before: Micros, most: number) => boolean;
  /** Up to where an input that still searches has looked. Null when none is searching. */
  readonly searchedTo: () => Micros | null;
}

/** Timestamps of the whole stream passed so far, by all partitions. */
export interface Passed {
  readonly ordinal: number;
  /** Timestamps of each input since the run began. */
  readonly byInput: Float64Array;
}

/** Deals the timestamps of a stream by ordinal: number `k`, from 0, belongs to partition `k mod count`. */
export interface Deal {
  /** Timestamps of other partitions before the next own one. */
  readonly gap: () => number;
  /** Length of the run of the stream that ends with the `want`th own timestamp. */
  readonly runOf: (want: number) => number;
  /** Passes `count` timestamps of an input, from `at` on; own ones are added to the batch. */
  readonly pass: (
    ahead: Float64Array,
    at: number,
    count: number,
    input: number,
    into: TimestampBatch,
  ) => void;
  /** Passes `count` timestamps of an input. */
  readonly drop: (count: number, input: number) => void;
  readonly passed: () => Passed;
}

export const makeDeal = ({ index, count: partitions }: Partition, ordinal: number, inputs: number): Deal => {
  const byInput = new Float64Array(inputs);
  let passed = ordinal;
  /** Counted down: a modulo per run would take as long as the run. */
  let gap = (((index - ordinal) % partitions) + partitions) % partitions;

  const drop = (count: number, input: number): void => {
    byInput[input] = (byInput[input] as number) + count;
    passed += count;
    gap -= count;
    if (gap < 0) gap = ((gap % partitions) + partitions) % partitions;
  };

  return {
    gap: () => gap,
    runOf: (want) => gap + (want - 1) * partitions + 1,
    pass: (ahead, at, count, input, into) => {
      if (count > gap) {
        const end = at + count;
        let target = into.length;
        for (let i = at + gap; i < end; i += partitions, target++) {
          into.micros[target] = ahead[i] as Micros;
          into.inputs[target] = input;
        }
        into.length = target;
      }
      drop(count, input);
    },
    drop,
    passed: () => ({ ordinal: passed, byInput: byInput.slice() }),
  };
};

/** A partition of the stream. */
export interface FeedPartition extends Partition {
  /** Where an earlier run stopped. */
  readonly position: DealPosition;
  /** Timestamps before this are skipped. Null when none are. */
  readonly skipBefore: Micros | null;
}

/** The beginning of a stream. */
export const STREAM_START: DealPosition = { ordinal: 0, skip: 0 };

/** Position of a partition, with the timestamps that each input has passed since the run began. */
export interface Dealt {
  readonly position: DealPosition;
  readonly byInput: Float64Array;
}

/** Follows a partition: what had been passed before the batch in use, and how much of that batch is used. */
export interface Follower {
  readonly deal: Deal;
  /** Drops what an earlier run used since its position. */
  readonly resume: (merged: Pick<Stream, 'take' | 'searchedTo'>) => void;
  /** Drops missed timestamps of all partitions. */
  readonly skipMissed: (
    merged: Pick<Stream, 'dropBefore'>,
    clock: Pick<Clock, 'yieldTurn'>,
    draining: AbortSignal,
  ) => Promise<void>;
  /** A batch begins; `passed` before it. */
  readonly begin: (batch: TimestampBatch, passed: Passed) => void;
  readonly use: (batch: TimestampBatch, count: number) => void;
  readonly dealt: () => Dealt;
}

/** Timestamps that one turn of the event loop drops. */
const DROPS_PER_TURN = 100_000;
const RESUME_SIZE = 4_096;

export const makeFollower = (partition: FeedPartition, inputs: number): Follower => {
  const { position, skipBefore } = partition;
  const deal = makeDeal(partition, position.ordinal, inputs);
  const starts = new WeakMap<TimestampBatch, Passed>();
  let start = deal.passed();
  let used = position.skip;
  return {
    deal,
    resume: (merged) => {
      const scratch = makeTimestampBatch(Math.min(used, RESUME_SIZE));
      for (let left = used; left > 0; left -= scratch.length) {
        scratch.length = 0;
        merged.take(scratch, Math.min(left, RESUME_SIZE), NEVER);
        if (scratch.length === 0 && merged.searchedTo() === null) return;
      }
    },
    skipMissed: async (merged, clock, draining) => {
      if (skipBefore === null) return;
      while (!draining.aborted && merged.dropBefore(skipBefore, DROPS_PER_TURN)) await clock.yieldTurn();
      start = deal.passed();
      used = 0;
    },
    begin: (batch, passed) => void starts.set(batch, passed),
    use: (batch, count) => {
      start = starts.get(batch) ?? start;
      used = count;
    },
    dealt: () => ({ position: { ordinal: start.ordinal, skip: used }, byInput: start.byInput }),
  };
};
