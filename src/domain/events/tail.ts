import type { EventHead } from './eventHead.js';

/** Limits of the events that a viewer gets. */
export interface TailLimits {
  /** Events per second, from 1. */
  readonly rate: number;
  /** Longer events are cut. */
  readonly max_bytes: number;
  /** At least `max_bytes`. */
  readonly bytes_per_second: number;
  /** Only events that this search finds (`src/domain/events/search.ts`); empty: all. */
  readonly find: string;
}

/** What a search has looked at since the last such counts; zeros without a search. */
export interface SearchCounts {
  readonly searched: number;
  /** Events that there was no time for. */
  readonly skipped: number;
  readonly found: number;
}

export const NOTHING_SEARCHED: SearchCounts = { searched: 0, skipped: 0, found: 0 };

export const addCounts = (a: SearchCounts, b: SearchCounts): SearchCounts => ({
  searched: a.searched + b.searched,
  skipped: a.skipped + b.skipped,
  found: a.found + b.found,
});

/** Copies of events for viewers with the same search. */
export interface TailSample extends SearchCounts {
  readonly find: string;
  readonly heads: readonly EventHead[];
}

export const MAX_TAIL_RATE = 1_000;
export const DEFAULT_TAIL_RATE = 10;
export const MAX_TAIL_BYTES = 1_048_576;
/** Generators of one stream. */
export const MAX_TAILED = 32;
export const DEFAULT_TAIL_BYTES = 16_384;
/** Searches of one stream. */
export const MAX_SEARCHES = 8;

/** Upper limit of every tail. */
const TAIL_BYTES_PER_SECOND = 4 * 1_048_576;

export const tailLimits = (rate: number, max_bytes: number, find = ''): TailLimits => ({
  rate,
  max_bytes,
  bytes_per_second: Math.max(max_bytes, TAIL_BYTES_PER_SECOND),
  find: find.trim(),
});

/** Limits wide enough for all viewers of each search. */
export const widest = (all: readonly TailLimits[]): readonly TailLimits[] => {
  const searches = [...new Set(all.map(({ find }) => find))];
  return searches.map((find) => {
    const viewers = all.filter((limits) => limits.find === find);
    return {
      rate: Math.max(...viewers.map(({ rate }) => rate)),
      max_bytes: Math.max(...viewers.map(({ max_bytes }) => max_bytes)),
      bytes_per_second: Math.max(...viewers.map(({ bytes_per_second }) => bytes_per_second)),
      find,
    };
  });
};

/** A token bucket for events and bytes, of one second's worth at most. */
export interface Allowance {
  readonly refill: () => void;
  /** Whole events left. */
  readonly events: () => number;
  readonly bytes: () => number;
  /** Takes one event of this size; false: not enough left. */
  readonly take: (bytes: number) => boolean;
}

export const makeAllowance = (
  { rate, bytes_per_second }: Pick<TailLimits, 'rate' | 'bytes_per_second'>,
  monotonicMs: () => number,
): Allowance => {
  let events = rate;
  let bytes = bytes_per_second;
  let lastMs = monotonicMs();
  return {
    refill: () => {
      const nowMs = monotonicMs();
      const seconds = (nowMs - lastMs) / 1_000;
      lastMs = nowMs;
      events = Math.min(rate, events + seconds * rate);
      bytes = Math.min(bytes_per_second, bytes + seconds * bytes_per_second);
    },
    events: () => Math.floor(events),
    bytes: () => bytes,
    take: (wanted) => {
      if (events < 1 || bytes < wanted) return false;
      events--;
      bytes -= wanted;
      return true;
    },
  };
};
