import { reasonOf } from '../../domain/errors.js';
import type { TimestampBatch } from '../../domain/events/timestampBatch.js';
import type { Micros } from '../../domain/time/micros.js';
import { NEVER } from '../../domain/time/micros.js';
import type { Input } from '../../plugins/kit.js';

/**
 * Timestamps that an input is asked for in advance: a few at first, so that a thousand slow generators
 * start at once, then more each time it fills what it was given.
 */
const FIRST_LOOK_AHEAD = 16;
const MAX_LOOK_AHEAD = 4_096;
/** Fewer timestamps are copied faster one by one. */
const SHORT_RUN = 32;

interface Source {
  readonly input: Input;
  readonly number: number;
  ahead: Float64Array;
  length: number;
  at: number;
  isEnded: boolean;
}

/** Timestamps of several inputs as one stream in time order; ties in the order of the inputs. */
export interface Merged {
  /** Next timestamp without taking it; `NEVER` when all inputs have ended. */
  readonly peek: () => Micros;
  /** Adds timestamps earlier than `before` to the batch until it holds `limit`. */
  readonly take: (into: TimestampBatch, limit: number, before: Micros) => void;
  /** Inputs that ended by an error. */
  readonly failures: () => number;
}

/** Where the timestamps of a source that are earlier than `end` end, after at most `room`. */
const endOfRun = ({ ahead, length, at }: Source, room: number, end: Micros): number => {
  const most = Math.min(at + room, length);
  // Mostly all of them: a dense schedule, or the only one.
  if ((ahead[most - 1] as Micros) < end) return most;
  // Not by `firstAfter`: runs of inputs that alternate are short, and a binary search takes half as long again.
  let to = at;
  while ((ahead[to] as Micros) < end) to++;
  return to;
};

/** Takes timestamps from a source, up to that place. */
const moveTo = (into: TimestampBatch, source: Source, to: number): void => {
  const { micros, inputs, length } = into;
  const { ahead, at, number } = source;
  const end = length + to - at;
  if (to - at < SHORT_RUN) {
    for (let i = at, place = length; i < to; i++, place++) {
      micros[place] = ahead[i] as Micros;
      inputs[place] = number;
    }
  } else {
    micros.set(ahead.subarray(at, to), length);
    inputs.fill(number, length, end);
  }
  into.length = end;
  source.at = to;
};

/**
 * Merges inputs. An input that throws is logged through `onFailure` and dropped; the others go on.
 */
export const merge = (
  inputs: readonly Input[],
  onFailure: (number: number, reason: string) => void,
): Merged => {
  let failures = 0;
  const sources: Source[] = inputs.map((input, number) => ({
    input,
    number,
    ahead: new Float64Array(FIRST_LOOK_AHEAD),
    length: 0,
    at: 0,
    isEnded: false,
  }));

  const refill = (source: Source): void => {
    if (source.length === source.ahead.length && source.length < MAX_LOOK_AHEAD) {
      source.ahead = new Float64Array(source.length * 4);
    }
    source.at = 0;
    try {
      source.length = source.input.fill(source.ahead);
    } catch (thrown) {
      source.length = 0;
      failures++;
      onFailure(source.number, reasonOf(thrown));
    }
    if (source.length === 0) source.isEnded = true;
  };

  const headOf = (source: Source): Micros => {
    if (source.at === source.length && !source.isEnded) refill(source);
    return source.isEnded ? NEVER : (source.ahead[source.at] as number);
  };

  /** The source to take from next, and the first instant at which another one is: runs are copied without comparing. */
  const earliest = (): { readonly source: Source | null; readonly end: Micros } => {
    let best: Source | null = null;
    let bestHead = NEVER;
    let next: Source | null = null;
    let nextHead = NEVER;
    for (const source of sources) {
      const head = headOf(source);
      if (head < bestHead) {
        next = best;
        nextHead = bestHead;
        best = source;
        bestHead = head;
      } else if (head < nextHead) {
        next = source;
        nextHead = head;
      }
    }
    // A tie goes to the earlier input.
    const isTieMine = best !== null && next !== null && best.number < next.number;
    return { source: best, end: isTieMine ? nextHead + 1 : nextHead };
  };

  return {
    peek: () => {
      const { source } = earliest();
      return source === null ? NEVER : headOf(source);
    },
    take: (into, limit, before) => {
      while (into.length < limit) {
        const { source, end } = earliest();
        if (source === null || headOf(source) >= before) return;
        moveTo(into, source, endOfRun(source, limit - into.length, Math.min(end, before)));
      }
    },
    failures: () => failures,
  };
};
