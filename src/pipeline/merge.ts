import { reasonOf } from '../domain/errors.js';
import type { Micros } from '../domain/time/micros.js';
import { NEVER } from '../domain/time/micros.js';
import type { TimestampBatch } from '../domain/timestampBatch.js';
import type { Input } from '../plugins/kit.js';

/**
 * Timestamps that an input is asked for in advance: a few at first, so that a thousand slow generators
 * start at once, then more each time it fills what it was given.
 */
const FIRST_LOOK_AHEAD = 16;
const MAX_LOOK_AHEAD = 4_096;

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

  /** The source to take from next and the head of the next best one: runs are copied without comparing all. */
  const earliest = (): {
    readonly source: Source | null;
    readonly until: Micros;
    readonly isTieMine: boolean;
  } => {
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
    return {
      source: best,
      until: nextHead,
      isTieMine: best !== null && next !== null && best.number < next.number,
    };
  };

  return {
    peek: () => {
      const { source } = earliest();
      return source === null ? NEVER : headOf(source);
    },
    take: (into, limit, before) => {
      while (into.length < limit) {
        const { source, until, isTieMine } = earliest();
        if (source === null || headOf(source) >= before) return;
        do {
          const head = source.ahead[source.at] as number;
          if (head >= before || head > until || (head === until && !isTieMine)) break;
          into.micros[into.length] = head;
          into.inputs[into.length] = source.number;
          into.length++;
          source.at++;
        } while (source.at < source.length && into.length < limit);
      }
    },
    failures: () => failures,
  };
};
