import type { Micros } from '../time/micros.js';

/** Timestamps in order, each with the number (from 0) of the input that made it. */
export interface TimestampBatch {
  readonly micros: Float64Array;
  readonly inputs: Uint16Array;
  /** How many entries of the two arrays are in use. */
  length: number;
  /** How many of them, from the first, events have been made of. */
  used: number;
  /** Which inputs it is from: their number goes up when they are exchanged. */
  epoch: number;
}

export const makeTimestampBatch = (capacity: number): TimestampBatch => ({
  micros: new Float64Array(capacity),
  inputs: new Uint16Array(capacity),
  length: 0,
  used: 0,
  epoch: 0,
});

/** First index in `[from, to)` whose timestamp is later than `at`; `to` when there is none. Binary search. */
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
