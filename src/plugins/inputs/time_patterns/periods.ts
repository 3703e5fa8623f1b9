import type { Json } from '../../../domain/json.js';
import type { Random } from '../../../domain/random/random.js';
import { type Micros, NEVER } from '../../../domain/time/micros.js';
import type { Quantile } from './spread.js';

interface PeriodOptions {
  readonly start: Micros;
  /** Inclusive; may be `NEVER`. */
  readonly end: Micros;
  /** Microseconds; may be a fraction. */
  readonly period: number;
  readonly ratio: number;
  /** Range of the factors of the ratio. */
  readonly least: number;
  readonly most: number;
  readonly sampling: number;
  readonly quantile: Quantile;
  readonly random: Random;
  /** Skip timestamps at or before this. Null to skip none. */
  readonly after: Micros | null;
}

interface State {
  readonly first: number;
  readonly period: number;
  readonly size: number;
  readonly given: number;
  readonly rank: number;
  readonly end: Micros | null;
  readonly random: readonly number[];
}

/** Timestamps of one pattern. */
export interface Periods {
  /** `NEVER` at the end. */
  readonly next: () => Micros;
  readonly snapshot: () => Json;
  readonly restore: (state: Json) => void;
}

/** Factors in the order of a pass. Each pass follows from the seed alone, so a checkpoint has none of them. */
const factorPasses = ({ least, most, sampling, random }: PeriodOptions) => {
  const draws = random.fork('factors');
  const factors = Float64Array.from({ length: sampling }, () => least + draws.next() * (most - least));
  const order = factors.slice();
  let shuffled = 0;
  return {
    largest: factors.reduce((largest, factor) => Math.max(largest, factor), 0),
    of: (used: number): number => {
      const pass = Math.floor(used / sampling);
      if (pass !== shuffled) {
        shuffled = pass;
        order.set(factors);
        const chance = random.fork(`pass/${pass}`);
        for (let i = pass === 0 ? 0 : sampling - 1; i > 0; i--) {
          const other = chance.integer(0, i);
          [order[i], order[other]] = [order[other] as number, order[i] as number];
        }
      }
      return order[used % sampling] as number;
    },
  };
};

export const makePeriods = (options: PeriodOptions): Periods => {
  const { start, period: length, ratio, quantile, after } = options;
  const positions = options.random.fork('positions');
  const passes = factorPasses(options);
  let { end } = options;
  /** Number of the first period; factors are used from there. */
  let first = after === null || after < start ? 0 : Math.floor((after - start) / length);
  let period = first;
  let given = 0;
  /** The last position as a sum of exponential values: positions come in order, without a list of them. */
  let rank = 0;
  const sizeOf = (at: number): number => Math.floor(ratio * passes.of(at - first));
  let size = sizeOf(period);
  const isEmpty = Math.floor(ratio * passes.largest) === 0;

  const next = (): Micros => {
    if (isEmpty) return NEVER;
    for (;;) {
      while (given >= size) {
        period++;
        if (start + period * length >= end) return NEVER;
        given = 0;
        rank = 0;
        size = sizeOf(period);
      }
      if (start + period * length > end) return NEVER;
      rank -= Math.log(1 - positions.next()) / (size - given);
      given++;
      const at = start + Math.round((period + quantile(-Math.expm1(-rank))) * length);
      if (at > end) return NEVER;
      if (after === null || at > after) return at;
    }
  };

  return {
    next,
    snapshot: () => ({
      first,
      period,
      size,
      given,
      rank,
      end: end === NEVER ? null : end,
      random: positions.snapshot(),
    }),
    restore: (state) => {
      const saved = state as unknown as State;
      ({ first, period, size, given, rank } = saved);
      end = saved.end ?? NEVER;
      positions.restore(saved.random);
    },
  };
};
