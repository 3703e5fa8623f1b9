import type { Micros } from '../time/micros.js';

/** What a fill returns while an input waits for the sizes of earlier events. */
export const WAITING = -1;

/** What a fill returns when an input has looked for its next timestamp for a while: ask again, after other work. */
export const SEARCHING = -2;

/** Epoch of a batch that was requested, and belongs to no exchange. */
export const REQUESTED = -1;

/** Timestamps in order, each with the number of its input, from 0. */
export interface TimestampBatch {
  readonly micros: Float64Array;
  readonly inputs: Uint16Array;
  length: number;
  /** Entries from the first that events were made of. */
  used: number;
  /** Number of the exchange that its inputs come from, or `REQUESTED`. */
  epoch: number;
  /** Number of the input that has a block of sizes end with this batch. Null when none has. */
  endsBlockOf: number | null;
}

export const makeTimestampBatch = (capacity: number): TimestampBatch => ({
  micros: new Float64Array(capacity),
  inputs: new Uint16Array(capacity),
  length: 0,
  used: 0,
  epoch: 0,
  endsBlockOf: null,
});

/** First index in `[from, to)` with a timestamp later than `at`, else `to`. Binary search. */
export const firstAfter = (micros: Float64Array, from: number, to: number, at: Micros): number => {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((micros[middle] as number) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
};
