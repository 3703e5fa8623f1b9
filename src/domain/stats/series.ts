import { bucketOf, upperBoundOf } from './histogram.js';

/** Resolutions, the finest first, and how far back each reaches. Each step divides the next one. */
export const LEVELS = [
  { step_ms: 1_000, keep_ms: 900_000 },
  { step_ms: 10_000, keep_ms: 21_600_000 },
  { step_ms: 60_000, keep_ms: 259_200_000 },
] as const;
const FINEST_MS = LEVELS[0].step_ms;

/** Buckets of a page, the unit in which memory grows. */
const PAGE = 120;
/** Columns of every page: milliseconds that are known, events, and the gauges. */
const MAIN = { covered: 0, produced: 1, written: 2, delays: 3, load: 4 } as const;
const MAIN_WIDTH = 5;
/** Bits of a gauge within its column. Delays are kept as buckets of the histogram that they come from. */
const GAUGES = {
  lateness_p50_micros: { column: MAIN.delays, shift: 0, bits: 8 },
  lateness_p99_micros: { column: MAIN.delays, shift: 8, bits: 8 },
  delivery_lag_micros: { column: MAIN.delays, shift: 16, bits: 8 },
  queue_batches: { column: MAIN.load, shift: 0, bits: 16 },
  busy_permille: { column: MAIN.load, shift: 16, bits: 16 },
} as const;
const GAUGE_LIST = Object.entries(GAUGES) as readonly (readonly [
  keyof SeriesGauges,
  (typeof GAUGES)[keyof SeriesGauges],
])[];
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

/** How a generator was at a look; of several looks the highest counts. */
export interface SeriesGauges {
  /** Half of the events were at most this late. */
  readonly lateness_p50_micros: number;
  /** 99 % of the events were at most this late. */
  readonly lateness_p99_micros: number;
  /** 99 % of the events were written within this time. */
  readonly delivery_lag_micros: number;
  /** Batches in flight to the outputs. */
  readonly queue_batches: number;
  /** Thousandths of the time in which the thread made and formatted its events. */
  readonly busy_permille: number;
}

/** What happened between two looks; times in milliseconds of the wall clock, `from_ms` before `to_ms`. */
export interface SeriesSpan extends SeriesCounts, SeriesGauges {
  readonly from_ms: number;
  readonly to_ms: number;
}

type Lists<A> = { readonly [K in keyof A]: readonly number[] };

/** Steps of equal length; the lists have an item for each. */
export interface SeriesPart extends Lists<SeriesCounts>, Lists<SeriesGauges> {
  /** Start of the first step, a multiple of `step_ms` since the epoch. */
  readonly from_ms: number;
  readonly step_ms: number;
  /** Milliseconds of the step that are known; 0 is a gap, and the other items of the step are then 0. */
  readonly covered_ms: readonly number[];
}

/** Events over time in three resolutions, in at most 218,400 bytes, or 156,000 without failures. */
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
export const SET_BACK_MS = 500;

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
  const addSlice = (at_ms: number, covered: number, counts: SeriesCounts, gauges: SeriesGauges): void => {
    for (const { step_ms, pages } of levels) {
      const bucket = Math.floor(at_ms / step_ms);
      const page = pageFor(pages, Math.floor(bucket / PAGE));
      const main = (bucket % PAGE) * MAIN_WIDTH;
      increase(page.main, main + MAIN.covered, covered);
      increase(page.main, main + MAIN.produced, counts.produced);
      increase(page.main, main + MAIN.written, counts.written);
      for (const [name, { column, shift, bits }] of GAUGE_LIST) {
        const code = Math.min(2 ** bits - 1, codeOf(name, gauges[name]));
        const word = page.main[main + column] as number;
        const there = (word >>> shift) & (2 ** bits - 1);
        if (code > there) page.main[main + column] = word + (code - there) * 2 ** shift;
      }
      if (counts.failed === 0 && counts.dead_lettered === 0) continue;
      page.rare ??= new Uint32Array(PAGE * RARE_WIDTH);
      const rare = (bucket % PAGE) * RARE_WIDTH;
      increase(page.rare, rare + RARE.failed, counts.failed);
      increase(page.rare, rare + RARE.dead_lettered, counts.dead_lettered);
    }
  };

  const add = (all: SeriesSpan): void => {
    const { from_ms, to_ms } = all;
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
      addSlice(start, covered, counts, all);
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

const isDelay = (name: keyof SeriesGauges): boolean => GAUGES[name].column === MAIN.delays;

const codeOf = (name: keyof SeriesGauges, value: number): number =>
  isDelay(name) ? bucketOf(value) : Math.round(value);

const gaugeIn = (name: keyof SeriesGauges, word: number): number => {
  const { shift, bits } = GAUGES[name];
  const code = (word >>> shift) & (2 ** bits - 1);
  return isDelay(name) ? upperBoundOf(code) : code;
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
    lateness_p50_micros: zeros(),
    lateness_p99_micros: zeros(),
    delivery_lag_micros: zeros(),
    queue_batches: zeros(),
    busy_permille: zeros(),
  };
};

const raise = (list: number[], index: number, value: number): void => {
  list[index] = Math.max(list[index] as number, value);
};

const addTo = (list: number[], index: number, amount: number): void => {
  list[index] = (list[index] as number) + amount;
};

const addBucket = (part: Mutable<SeriesPart>, index: number, { main, rare }: Page, bucket: number): void => {
  const at = bucket * MAIN_WIDTH;
  addTo(part.covered_ms, index, main[at + MAIN.covered] as number);
  addTo(part.produced, index, main[at + MAIN.produced] as number);
  addTo(part.written, index, main[at + MAIN.written] as number);
  for (const [name, { column }] of GAUGE_LIST)
    raise(part[name], index, gaugeIn(name, main[at + column] as number));
  if (rare === null) return;
  addTo(part.failed, index, rare[bucket * RARE_WIDTH + RARE.failed] as number);
  addTo(part.dead_lettered, index, rare[bucket * RARE_WIDTH + RARE.dead_lettered] as number);
};

/** Parts as one share no queue and no thread; of delays the longest is that of the whole. */
const SUMMED = ['produced', 'written', 'failed', 'dead_lettered', 'queue_batches', 'busy_permille'] as const;
const HIGHEST = ['covered_ms', 'lateness_p50_micros', 'lateness_p99_micros', 'delivery_lag_micros'] as const;

/** A generator with its part of the time that was asked for. */
export interface NamedPart {
  readonly id: string;
  readonly part: SeriesPart;
}

/** Parts of the same generator as one, in the order in which the generators come first. */
export const mergedById = (all: readonly NamedPart[]): readonly NamedPart[] => {
  const parts = new Map<string, SeriesPart[]>();
  for (const { id, part } of all) {
    const those = parts.get(id);
    if (those === undefined) parts.set(id, [part]);
    else those.push(part);
  }
  return [...parts].map(([id, those]) => ({ id, part: mergeParts(those) }));
};

/** Those that made most events, the most first; parts of the same generator are one. */
export const busiest = (all: readonly NamedPart[], count: number): readonly NamedPart[] => {
  const made = ({ part }: NamedPart): number => part.produced.reduce((sum, events) => sum + events, 0);
  return mergedById(all)
    .map((one) => ({ one, events: made(one) }))
    .filter(({ events }) => events > 0)
    .toSorted((a, b) => b.events - a.events || (a.one.id < b.one.id ? -1 : 1))
    .slice(0, count)
    .map(({ one }) => one);
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
      for (const name of HIGHEST) raise(merged[name], at, part[name][i] as number);
      for (const name of SUMMED) addTo(merged[name], at, part[name][i] as number);
    }
  }
  return merged;
};
