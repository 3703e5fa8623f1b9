import { SEARCHING } from '../../../domain/events/timestampBatch.js';
import type { Json } from '../../../domain/json.js';
import { MICROS_PER_MINUTE, type Micros } from '../../../domain/time/micros.js';
import type { Activity } from '../../../world/activity/kinds.js';
import { type Observations, type ObservedMinute, observed, type Selection } from '../../../world/observe.js';
import type { World } from '../../../world/world.js';
import type { Input } from '../../kit.js';
import type { Activities } from '../../pairs.js';

interface WorldInputOptions {
  readonly world: World;
  readonly selection: Selection;
  readonly anomaly: string;
  /** Only these activities; null, as by default: all. */
  readonly isOnly?: ((activity: Activity) => boolean) | null;
  /** The attack that is shown now, when only the generator itself can change it. Null when any may be shown at any time. */
  readonly attackNow?: (() => string) | null;
  readonly from: Micros;
  /** Exclusive. */
  readonly end: Micros;
  /** Aborts when the input is asked for nothing any more. */
  readonly signal?: AbortSignal;
}

/** Activities of the world that are looked at before other work gets a turn: about ten milliseconds. */
const MAX_LOOKED = 4_000;
/** What a minute costs even when nothing happens in it, counted in activities. */
const MINUTE_COST = 50;

/** First index with a time at or after `at`. Binary search. */
const indexFrom = (times: Float64Array, at: Micros): number => {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) < at) low = middle + 1;
    else high = middle;
  }
  return low;
};

const minuteOf = (micros: Micros): number => Math.floor(micros / MICROS_PER_MINUTE);

/** Finds activities by their observed times: fast when they are asked for in order. */
const finder = (minute: (number: number) => ObservedMinute): Activities['at'] => {
  let current: ObservedMinute | null = null;
  let begin = Number.NEGATIVE_INFINITY;
  let next = 0;
  return (micros) => {
    if (current === null || micros < begin || micros >= begin + MICROS_PER_MINUTE) {
      const number = minuteOf(micros);
      current = minute(number);
      begin = number * MICROS_PER_MINUTE;
      next = 0;
    }
    if (current.at[next] !== micros) next = indexFrom(current.at, micros);
    return current.at[next] === micros ? (current.activities[next++] ?? null) : null;
  };
};

/** Minutes with the attacks that have been shown so far: the times of one that is shown no more may still be waiting. */
const minutesWith = (
  look: (attacks: ReadonlySet<string> | null) => Observations,
  attackNow: (() => string) | null,
): Observations['minute'] => {
  if (attackNow === null) return look(null).minute;
  let attacks = new Set([attackNow()]);
  let seen = look(attacks);
  return (number) => {
    const attack = attackNow();
    if (!attacks.has(attack)) {
      attacks = new Set([...attacks, attack]);
      seen = look(attacks);
    }
    return seen.minute(number);
  };
};

/** The observed times of a world, each with its activity. The next time is the whole state. */
export const worldInput = (options: WorldInputOptions): Input => {
  const { world, selection, anomaly, isOnly = null, attackNow = null, from, end: last, signal } = options;
  const minute = minutesWith((attacks) => observed(world, selection, isOnly, attacks, signal), attackNow);
  let next = from;
  let end = last;
  let looked = 0;
  let computed: number | null = null;

  const minuteAt = (number: number): ObservedMinute => {
    const found = minute(number);
    if (number !== computed) looked += found.looked + MINUTE_COST;
    computed = number;
    return found;
  };

  const fill = (out: Float64Array): number => {
    while (next < end) {
      const number = minuteOf(next);
      if (number !== computed && looked > MAX_LOOKED) {
        looked = 0;
        return SEARCHING;
      }
      const { at } = minuteAt(number);
      const first = indexFrom(at, next);
      const count = Math.min(out.length, indexFrom(at, end) - first);
      if (count > 0) {
        out.set(at.subarray(first, first + count));
        next = (at[first + count - 1] as Micros) + 1;
        return count;
      }
      next = (number + 1) * MICROS_PER_MINUTE;
    }
    return 0;
  };

  return {
    fill,
    snapshot: (): Json => ({ next, end }),
    restore: (state) => {
      ({ next, end } = state as { readonly next: Micros; readonly end: Micros });
    },
    searchedTo: () => next,
    activities: { kinds: selection.kinds, anomaly, isFixed: isOnly !== null, at: finder(minute) },
  };
};
