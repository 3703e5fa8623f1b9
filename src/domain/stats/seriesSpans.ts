import { HISTOGRAM_SLOTS, quantile } from './histogram.js';
import { SET_BACK_MS, type SeriesCounts, type SeriesSpan } from './series.js';
import { readStat, type Stats } from './stats.js';
import { totalsOf } from './totals.js';

/** A look at the counters of a run. */
export interface SeriesLook {
  /** Wall clock. */
  readonly at_ms: number;
  readonly monotonic_ms: number;
  /** Start of the run by the wall clock; differs from run to run. */
  readonly run_ms: number;
  readonly stats: Stats;
}

/** Longer between two looks, and nobody knows when within that time the events were made. */
const MAX_STRETCH_MS = 5_000;
/** What was made in an unknown time counts in the last of it. */
const LOOK_MS = 1_000;

const countsOf = (stats: Stats): SeriesCounts => {
  const { produced, written, produce_failed, write_failed, format_failed, abandoned, dead_lettered } =
    totalsOf(stats);
  return {
    produced,
    written,
    failed: produce_failed + write_failed + format_failed + abandoned,
    dead_lettered,
  };
};

const NO_COUNTS: SeriesCounts = { produced: 0, written: 0, failed: 0, dead_lettered: 0 };

/** A histogram for one calculation: there are many generators, and a look at each every second. */
const fresh = new Float64Array(HISTOGRAM_SLOTS);

/** Quantiles of what a histogram gains from look to look. */
const makeGains = () => {
  let before: Float64Array | null = null;
  return {
    forget: (): void => void before?.fill(0),
    quantiles: (all: Float64Array, shares: readonly number[]): readonly number[] => {
      before ??= new Float64Array(all.length);
      for (let slot = 0; slot < all.length; slot++)
        fresh[slot] = Math.max(0, (all[slot] as number) - (before[slot] as number));
      before.set(all);
      return shares.map((share) => quantile(fresh, share));
    },
  };
};

interface Former extends Omit<SeriesLook, 'stats'> {
  readonly counts: SeriesCounts;
  readonly busy_micros: number;
}

/** Work of a shorter time says little about its share. */
const LEAST_BUSY_MS = 200;

/**
 * Makes spans of looks at one generator. Counters of a new run begin at 0; one that falls within a run, as after a patch
 * that takes out an output, adds nothing. Returns null when there is no time between two looks.
 */
export const makeSpans = (): ((look: SeriesLook) => SeriesSpan | null) => {
  let last: Former | null = null;
  const lateness = makeGains();
  const lag = makeGains();

  const startOf = ({ at_ms, monotonic_ms, run_ms }: SeriesLook): number => {
    // A clock that was set back since the start says nothing about it.
    if (last?.run_ms !== run_ms)
      return run_ms > at_ms || at_ms - run_ms > MAX_STRETCH_MS ? at_ms - LOOK_MS : run_ms;
    const passed = monotonic_ms - last.monotonic_ms;
    if (passed > MAX_STRETCH_MS) return at_ms - LOOK_MS;
    // The monotonic clock stands still in a suspended machine and never jumps.
    const isSteady = Math.abs(at_ms - last.at_ms - passed) <= SET_BACK_MS;
    return isSteady ? last.at_ms : at_ms - Math.round(passed);
  };

  return (look) => {
    const from_ms = startOf(look);
    if (from_ms >= look.at_ms) return null;
    const counts = countsOf(look.stats);
    const former = last?.run_ms === look.run_ms ? last : null;
    const before = former?.counts ?? NO_COUNTS;
    if (former === null) {
      lateness.forget();
      lag.forget();
    }
    const gained = (name: keyof SeriesCounts): number => Math.max(0, counts[name] - before[name]);
    const busy_micros = readStat(look.stats, 'busy_micros');
    const worked = Math.max(0, busy_micros - (former?.busy_micros ?? 0));
    const isLate = gained('produced') > 0 && readStat(look.stats, 'max_lateness_micros') > 0;
    const [p50 = 0, p99 = 0] = isLate ? lateness.quantiles(look.stats.lateness, [0.5, 0.99]) : [];
    const [delivered = 0] = gained('written') > 0 ? lag.quantiles(look.stats.deliveryLag, [0.99]) : [];
    const span: SeriesSpan = {
      from_ms,
      to_ms: look.at_ms,
      produced: gained('produced'),
      written: gained('written'),
      failed: gained('failed'),
      dead_lettered: gained('dead_lettered'),
      lateness_p50_micros: p50,
      lateness_p99_micros: p99,
      delivery_lag_micros: delivered,
      queue_batches: readStat(look.stats, 'in_flight_batches'),
      busy_permille: worked / Math.max(LEAST_BUSY_MS, look.at_ms - from_ms),
    };
    const { stats: _stats, ...at } = look;
    last = { ...at, counts, busy_micros };
    return span;
  };
};
