import type { Json } from '../../../domain/json.js';
import type { Micros } from '../../../domain/time/micros.js';
import type { Input, InputContext } from '../../kit.js';

/**
 * An input with timestamps `at(i)` for `first <= i < end`, each given `copies` times. One number is its whole state.
 */
export const indexedInput = (options: {
  readonly at: (index: number) => Micros;
  readonly first: number;
  /** Exclusive; may be infinite. */
  readonly end: number;
  readonly copies: number;
}): Input => {
  const { at, copies } = options;
  const total = (options.end - options.first) * copies;
  let position = 0;
  return {
    fill: (out) => {
      const count = Math.min(out.length, total - position);
      let step = Math.floor(position / copies);
      // Some copies of the first one may be out already.
      let left = (step + 1) * copies - position;
      let written = 0;
      while (written < count) {
        const value = at(options.first + step);
        // The inner loop costs less than a call of `fill`.
        for (const past = Math.min(written + left, count); written < past; written++) out[written] = value;
        step++;
        left = copies;
      }
      position += written;
      return written;
    },
    remaining: () => total - position,
    snapshot: () => position,
    restore: (state: Json) => {
      if (typeof state === 'number') position = state;
    },
  };
};

/** First index in `[from, end)` that matches, by binary search; all later ones must match too. */
const firstIndex = (from: number, end: number, isWanted: (index: number) => boolean): number => {
  let low = from;
  let high = from + 1;
  while (high < end && !isWanted(high)) {
    low = high;
    high = from + (high - from) * 2;
  }
  high = Math.min(high, end);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isWanted(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** First index in `[from, end)` that `skip_past` leaves. Logs when none is left. */
export const firstAfterSkip = (
  { from, end, isWanted }: { from: number; end: number; isWanted: (index: number) => boolean },
  { skipPast, log }: InputContext,
): number => {
  if (!skipPast) return from;
  const first = firstIndex(from, end, isWanted);
  if (first >= end) log.write('info', 'all timestamps are in the past and skipped');
  return first;
};
