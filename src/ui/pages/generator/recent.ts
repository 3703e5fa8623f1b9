import type { AnswerOf } from '../../api/routes.js';
import { shownMicros, shownMs } from '../../parts/numbers.js';

export type ShownStats = AnswerOf<'readGeneratorStats'>;

/** Counters at a time of the browser's clock. */
export interface Snapshot {
  readonly at_ms: number;
  readonly stats: ShownStats;
}

/** Oldest first, all of one run. */
export type RecentHistory = readonly Snapshot[];

/** Snapshots; one a second. */
const MAX_SNAPSHOTS = 61;

/** The history with one more look; a restart, or a patch that exchanges parts, begins a new one. */
export const appended = (history: RecentHistory, next: Snapshot): RecentHistory => {
  const last = history.at(-1)?.stats;
  const isSameRun =
    last !== undefined &&
    last.start_time === next.stats.start_time &&
    last.event.produced <= next.stats.event.produced &&
    // A patch of the inputs begins their counters anew.
    last.input.every(({ generated }, index) => generated <= (next.stats.input[index]?.generated ?? 0)) &&
    partsOf(last) === partsOf(next.stats);
  return isSameRun ? [...history, next].slice(-MAX_SNAPSHOTS) : [next];
};

/** The history of a run that is over: its counters stay, its rates are zero. */
export const ended = (history: RecentHistory): RecentHistory => history.slice(-1);

const partsOf = ({ input, output }: ShownStats): string =>
  [...input, ...output].map(({ plugin_name, plugin_id }) => `${plugin_name} ${plugin_id}`).join();

/** Milliseconds that a rate looks back. */
const RATE_MS = 5_000;

/** What a counter gains per second, over the last five seconds. */
export const rateOf = (
  history: RecentHistory,
  counter: (stats: ShownStats) => number | undefined,
): number => {
  const last = history.at(-1);
  if (last === undefined) return 0;
  const first = history.find(({ at_ms }) => last.at_ms - at_ms <= RATE_MS) ?? last;
  // By the clock of the service: answers may take their time.
  const seconds = last.stats.uptime - first.stats.uptime;
  if (seconds <= 0) return 0;
  return Math.max(0, ((counter(last.stats) ?? 0) - (counter(first.stats) ?? 0)) / seconds);
};

export type Buckets = ShownStats['lateness_ms']['buckets'];
export type DurationKey = 'lateness_ms' | 'delivery_lag_ms';

/** The counts of `now` without those of `before`. */
export const difference = (now: Buckets, before: Buckets): Buckets => {
  const known = new Map(before.map(({ le_ms, count }) => [le_ms, count]));
  return now
    .map(({ le_ms, count }) => ({ le_ms, count: count - (known.get(le_ms) ?? 0) }))
    .filter(({ count }) => count > 0);
};

/** Durations of the last `span_ms`, or as far back as the history goes: a minute. */
export const recentBuckets = (
  history: RecentHistory,
  key: DurationKey,
  span_ms = Number.POSITIVE_INFINITY,
): Buckets => {
  const last = history.at(-1);
  const first = history.find(({ at_ms }) => last !== undefined && last.at_ms - at_ms <= span_ms);
  if (first === undefined || last === undefined || first === last) return [];
  return difference(last.stats[key].buckets, first.stats[key].buckets);
};

const totalOf = (buckets: Buckets): number => buckets.reduce((sum, { count }) => sum + count, 0);

/** Milliseconds that `share` of the durations stay within; 0 without durations. */
export const quantileOf = (buckets: Buckets, share: number): number => {
  const total = totalOf(buckets);
  let seen = 0;
  for (const { le_ms, count } of buckets) {
    seen += count;
    if (seen >= share * total) return le_ms;
  }
  return 0;
};

/** Durations are whole microseconds: zero is less than one. */
const withinText = (ms: number): string => shownMs(Math.max(ms, 0.001));

/** How long half and nearly all of the durations are at most. */
export const figuresOf = (buckets: Buckets): string =>
  totalOf(buckets) === 0
    ? '–'
    : `half within ${withinText(quantileOf(buckets, 0.5))}, 99 % within ${withinText(quantileOf(buckets, 0.99))}`;

export interface HistogramBar {
  /** Durations of the bar are shorter than this. */
  readonly below_us: number;
  readonly count: number;
}

/** The label of a bar: its durations are shorter than its bound. */
export const boundText = (below_us: number): string => `< ${shownMicros(below_us)}`;

/** Shorter durations share the first bar: 128 µs. */
const MIN_POWER = 7;

/** Bars that double in duration, from the shortest to the longest without gaps. */
export const barsOf = (buckets: Buckets): readonly HistogramBar[] => {
  const counts = new Map<number, number>();
  for (const { le_ms, count } of buckets) {
    const power = Math.max(MIN_POWER, Math.ceil(Math.log2(Math.round(le_ms * 1_000) + 1)));
    counts.set(power, (counts.get(power) ?? 0) + count);
  }
  if (counts.size === 0) return [];
  const first = Math.min(...counts.keys());
  const last = Math.max(...counts.keys());
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    below_us: 2 ** (first + index),
    count: counts.get(first + index) ?? 0,
  }));
};
