import type { Json } from '../../../domain/json.js';
import { MAX_MICROS, type Micros, NEVER } from '../../../domain/time/micros.js';
import type { Input } from '../../kit.js';
import type { Periods } from './periods.js';

/** Timestamps per call: a quantile of the beta distribution takes microseconds. */
const MOST_AT_ONCE = 512;

/** Timestamps of several patterns in order; ties in the order of the patterns. */
export const patternsInput = (patterns: readonly Periods[]): Input => {
  let heads: Micros[] | null = null;
  return {
    fill: (out) => {
      heads ??= patterns.map((pattern) => pattern.next());
      const most = Math.min(out.length, MOST_AT_ONCE);
      for (let written = 0; written < most; written++) {
        let earliest = 0;
        for (let i = 1; i < heads.length; i++) {
          if ((heads[i] as Micros) < (heads[earliest] as Micros)) earliest = i;
        }
        const at = heads[earliest] as Micros;
        if (at > MAX_MICROS) return written;
        out[written] = at;
        heads[earliest] = (patterns[earliest] as Periods).next();
      }
      return most;
    },
    snapshot: (): Json => ({
      heads: heads?.map((at) => (at === NEVER ? null : at)) ?? null,
      patterns: patterns.map((pattern) => pattern.snapshot()),
    }),
    restore: (state) => {
      const saved = state as { readonly heads: (Micros | null)[] | null; readonly patterns: readonly Json[] };
      heads = saved.heads?.map((at) => at ?? NEVER) ?? null;
      for (const [index, one] of saved.patterns.entries()) patterns[index]?.restore(one);
    },
  };
};
