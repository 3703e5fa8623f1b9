import { HISTOGRAM_SLOTS, quantile } from './histogram.js';
import { readStat, type Stats } from './stats.js';
import { totalsOf } from './totals.js';

/** Resolutions, the finest first, and how far back each reaches. Each step divides the next one. */
export const LEVELS = [
  { step_ms: 1_000, keep_ms: 900_000 },
  { step_ms: 10_000, keep_ms: 21_600_000 },
  { step_ms: 60_000, keep_ms: 259_200_000 },
] as const;
const FINEST_MS = LEVELS[0].step_ms;

/** Buckets of a page, the unit in which memory grows. */
const PAGE = 120;
/** Columns of every page: milliseconds that are known, events, and the highest lateness in microseconds. */
const MAIN = { covered: 0, produced: 1, written: 2, lateness: 3 } as const;
const MAIN_WIDTH = 4;
/** Columns of pages in which they are not all zero. */
const RARE = { failed: 0, dead_lettered: 1 } as const;
const RARE_WIDTH = 2;
const MAX_UINT = 0xffff_ffff;
/** Words before a page in a dump: level, number, and whether it has rare columns. */
const HEAD = 3;

export interface SeriesCounts {
  readonly produced: number;
  readonly written: number;
  /** Events that could not be made, formatted or written, and those abandoned at a stop. */
  readonly failed: number;
  readonly dead_lettered: number;
}

/** What happened between two looks; times in milliseconds of the wall clock, `from_ms` before `to_ms`. */
export interface SeriesSpan extends SeriesCounts {
  readonly from_ms: number;
  readonly to_ms: number;
  /** 99 % of the events were at most this late. */
  readonly lateness_micros: number;
}

/** Steps of equal length; the lists have an item for each. */
export interface SeriesPart {
  /** Start of the first step, a multiple of `step_ms` since the epoch. */
  readonly from_ms: number;
  readonly step_ms: number;
  /** Milliseconds of the step that are known; 0 is a gap, and the other items of the step are then 0. */
  readonly covered_ms: readonly number[];
  readonly produced: readonly number[];
  readonly written: readonly number[];
  readonly failed: readonly number[];
  readonly dead_lettered: readonly number[];
  readonly lateness_micros: readonly number[];
}

/** Events over time in three resolutions, in at most 187,200 bytes, or 124,800 without failures. */
export interface Series {
  readonly add: (span: SeriesSpan) => void;
  /** Reads the coarsest resolution whose step divides `step_ms`, a whole number of seconds. What is older is a gap. */
  readonly read: (from_ms: number, to_ms: number, step_ms: number) => SeriesPart;
  /** All that is not older than the resolutions reach, to be given to `restore`. */
  readonly dump: (now_ms: number) => Uint32Array;
  /** Takes a dump in place of what is there. False when it is none; the series is then empty. */
  readonly restore: (dump: Uint32Array) => boolean;
}

interface Page {
  /** Its first bucket, counted from the epoch in pages. */
  readonly number: number;
  readonly main: Uint32Array;
  rare: Uint32Array | null;
}

const pagesOf = ({ step_ms, keep_ms }: (typeof LEVELS)[number]): number =>
  Math.ceil(keep_ms / step_ms / PAGE) + 1;

const increase = (column: Uint32Array, at: number, amount: number): void => {
  column[at] = Math.min(MAX_UINT, (column[at] as number) + amount);
};

/** A clock that goes back further than this was set. */
const SET_BACK_MS = 500;

/**
 * Makes an empty series. Memory grows with it, in pages that later times take over. Time that a clock which was set back
 * repeats is added to what is known of it: `covered_ms` then exceeds the step, so that rates stay right.
 */
export const makeSeries = (): Series => {
  const levels = LEVELS.map((level) => ({
    step_ms: level.step_ms,
    pages: new Array<Page | null>(pagesOf(level)).fill(null),
  }));
  let coveredUntilMs = Number.NEGATIVE_INFINITY;

  const pageFor = (pages: (Page | null)[], number: number): Page => {
    const slot = number % pages.length;
    const there = pages[slot];
    if (there?.number === number) return there;
    const fresh: Page = { number, main: new Uint32Array(PAGE * MAIN_WIDTH), rare: null };
    pages[slot] = fresh;
    return fresh;
  };

  /** Adds what happened within one step of the finest resolution. */
  const addSlice = (at_ms: number, covered: number, counts: SeriesCounts, lateness: number): void => {
    for (const { step_ms, pages } of levels) {
      const bucket = Math.floor(at_ms / step_ms);
      const page = pageFor(pages, Math.floor(bucket / PAGE));
      const main = (bucket % PAGE) * MAIN_WIDTH;
      increase(page.main, main + MAIN.covered, covered);
      increase(page.main, main + MAIN.produced, counts.produced);
      increase(page.main, main + MAIN.written, counts.written);
      const late = main + MAIN.lateness;
      page.main[late] = Math.min(MAX_UINT, Math.max(page.main[late] as number, Math.round(lateness)));
      if (counts.failed === 0 && counts.dead_lettered === 0) continue;
      page.rare ??= new Uint32Array(PAGE * RARE_WIDTH);
      const rare = (bucket % PAGE) * RARE_WIDTH;
      increase(page.rare, rare + RARE.failed, counts.failed);
      increase(page.rare, rare + RARE.dead_lettered, counts.dead_lettered);
    }
  };

  const add = ({ from_ms, to_ms, lateness_micros, ...all }: SeriesSpan): void => {
    if (to_ms < coveredUntilMs - SET_BACK_MS) coveredUntilMs = Number.NEGATIVE_INFINITY;
    const done = { produced: 0, written: 0, failed: 0, dead_lettered: 0 };
    /** Events up to a time, less those before; rounded so that all slices add up to the whole. */
    const share = (name: keyof SeriesCounts, until_ms: number): number => {
      const upTo = Math.round((all[name] * (until_ms - from_ms)) / (to_ms - from_ms));
      const more = upTo - done[name];
      done[name] = upTo;
      return more;
    };
    for (let start = from_ms; start < to_ms; ) {
      const end = Math.min(to_ms, (Math.floor(start / FINEST_MS) + 1) * FINEST_MS);
      const covered = Math.max(0, end - Math.max(start, coveredUntilMs));
      const counts = {
        produced: share('produced', end),
        written: share('written', end),
        failed: share('failed', end),
        dead_lettered: share('dead_lettered', end),
      };
      addSlice(start, covered, counts, lateness_micros);
      start = end;
    }
    coveredUntilMs = Math.max(coveredUntilMs, to_ms);
  };

  const read: Series['read'] = (from_ms, to_ms, step_ms) => {
    const level = levels.findLast((one) => step_ms % one.step_ms === 0);
    if (level === undefined) return emptyPart(from_ms, step_ms, 0);
    const first = Math.floor(from_ms / step_ms);
    const count = to_ms <= from_ms ? 0 : Math.ceil(to_ms / step_ms) - first;
    const part = emptyPart(first * step_ms, step_ms, count);
    const perStep = step_ms / level.step_ms;
    for (let index = 0; index < count; index++)
      for (let inner = 0; inner < perStep; inner++) {
        const bucket = (first + index) * perStep + inner;
        const number = Math.floor(bucket / PAGE);
        const page = level.pages[number % level.pages.length];
        if (page?.number !== number) continue;
        addBucket(part, index, page, bucket % PAGE);
      }
    return part;
  };

  const dump = (now_ms: number): Uint32Array => {
    const parts = levels.flatMap(({ step_ms, pages }, level) => {
      const newest = Math.floor(now_ms / step_ms / PAGE);
      return pages
        .filter((page) => page !== null)
        .filter(({ number }) => number <= newest && number > newest - pages.length)
        .flatMap(({ number, main, rare }) =>
          rare === null
            ? [Uint32Array.of(level, number, 0), main]
            : [Uint32Array.of(level, number, 1), main, rare],
        );
    });
    const words = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const one of parts) {
      words.set(one, at);
      at += one.length;
    }
    return words;
  };

  const restore = (words: Uint32Array): boolean => {
    for (const { pages } of levels) pages.fill(null);
    let at = 0;
    while (at < words.length) {
      const [level = -1, number = 0, hasRare = 2] = words.subarray(at, at + HEAD);
      const mainEnd = at + HEAD + PAGE * MAIN_WIDTH;
      const end = mainEnd + hasRare * PAGE * RARE_WIDTH;
      const pages = levels[level]?.pages;
      if (pages === undefined || hasRare > 1 || end > words.length) {
        for (const one of levels) one.pages.fill(null);
        return false;
      }
      const main = words.slice(at + HEAD, mainEnd);
      pages[number % pages.length] = { number, main, rare: hasRare === 1 ? words.slice(mainEnd, end) : null };
      at = end;
    }
    return true;
  };

  return { add, read, dump, restore };
};

type Mutable<A> = { -readonly [K in keyof A]: A[K] extends readonly number[] ? number[] : A[K] };

const emptyPart = (from_ms: number, step_ms: number, count: number): Mutable<SeriesPart> => {
  const zeros = (): number[] => new Array<number>(count).fill(0);
  return {
    from_ms,
    step_ms,
    covered_ms: zeros(),
    produced: zeros(),
    written: zeros(),
    failed: zeros(),
    dead_lettered: zeros(),
    lateness_micros: zeros(),
  };
};

const addTo = (list: number[], index: number, amount: number): void => {
  list[index] = (list[index] as number) + amount;
};

const addBucket = (part: Mutable<SeriesPart>, index: number, { main, rare }: Page, bucket: number): void => {
  const at = bucket * MAIN_WIDTH;
  addTo(part.covered_ms, index, main[at + MAIN.covered] as number);
  addTo(part.produced, index, main[at + MAIN.produced] as number);
  addTo(part.written, index, main[at + MAIN.written] as number);
  const late = main[at + MAIN.lateness] as number;
  part.lateness_micros[index] = Math.max(part.lateness_micros[index] as number, late);
  if (rare === null) return;
  addTo(part.failed, index, rare[bucket * RARE_WIDTH + RARE.failed] as number);
  addTo(part.dead_lettered, index, rare[bucket * RARE_WIDTH + RARE.dead_lettered] as number);
};

/**
 * Parts as one: events are summed, and a step is known as well as by the part that knows most of it. Parts of finer steps
 * than others are left out: clocks that differ a little may choose differently.
 */
export const mergeParts = (all: readonly SeriesPart[]): SeriesPart => {
  const step_ms = Math.max(FINEST_MS, ...all.map((part) => part.step_ms));
  const parts = all.filter((part) => part.step_ms === step_ms);
  const from_ms = parts.length === 0 ? 0 : Math.min(...parts.map((part) => part.from_ms));
  const ends = parts.map((part) => (part.from_ms - from_ms) / step_ms + part.covered_ms.length);
  const merged = emptyPart(from_ms, step_ms, Math.max(0, ...ends));
  for (const part of parts) {
    const offset = (part.from_ms - from_ms) / step_ms;
    for (let i = 0; i < part.covered_ms.length; i++) {
      const at = offset + i;
      merged.covered_ms[at] = Math.max(merged.covered_ms[at] as number, part.covered_ms[i] as number);
      merged.lateness_micros[at] = Math.max(
        merged.lateness_micros[at] as number,
        part.lateness_micros[i] as number,
      );
      for (const name of ['produced', 'written', 'failed', 'dead_lettered'] as const)
        addTo(merged[name], at, part[name][i] as number);
    }
  }
  return merged;
};

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

/**
 * Makes spans of looks at one generator. Counters of a new run begin at 0; one that falls within a run, as after a patch
 * that takes out an output, adds nothing. Returns null when there is no time between two looks.
 */
export const makeSpans = (): ((look: SeriesLook) => SeriesSpan | null) => {
  let last: (Omit<SeriesLook, 'stats'> & { readonly counts: SeriesCounts }) | null = null;
  /** Lateness of all events of the run at the last look. */
  let lateness: Float64Array | null = null;

  /** 99 % of the events since the last look were at most this late. */
  const latenessSince = (all: Float64Array): number => {
    lateness ??= new Float64Array(all.length);
    for (let slot = 0; slot < all.length; slot++)
      fresh[slot] = Math.max(0, (all[slot] as number) - (lateness[slot] as number));
    lateness.set(all);
    return quantile(fresh, 0.99);
  };

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
    const before = last?.run_ms === look.run_ms ? last.counts : NO_COUNTS;
    if (before === NO_COUNTS) lateness?.fill(0);
    const gained = (name: keyof SeriesCounts): number => Math.max(0, counts[name] - before[name]);
    const isLate = gained('produced') > 0 && readStat(look.stats, 'max_lateness_micros') > 0;
    const span: SeriesSpan = {
      from_ms,
      to_ms: look.at_ms,
      produced: gained('produced'),
      written: gained('written'),
      failed: gained('failed'),
      dead_lettered: gained('dead_lettered'),
      lateness_micros: isLate ? latenessSince(look.stats.lateness) : 0,
    };
    const { stats: _stats, ...at } = look;
    last = { ...at, counts };
    return span;
  };
};
