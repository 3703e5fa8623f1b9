import {
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_SECOND,
  type Micros,
} from '../../../domain/time/micros.js';
import type { LearnedRate } from '../model.js';

const HOURS = 24;
const DAYS = 7;
/** Time that a log must cover for a curve over the day, and over the week. */
const MIN_DAY = 22 * MICROS_PER_HOUR;
const MIN_WEEK = 13.5 * MICROS_PER_DAY;
/** Coefficients of variation of the gaps between records: 0 is even, 1 is Poisson. */
const EVEN_BELOW = 0.3;
const BURSTY_ABOVE = 1.4;
/** Silences that show that bursts are no chance: so many, or this share of the time. */
const MIN_SILENCES = 3;
const MIN_SILENT = 0.5;
/** A burst and the silence behind it, of which all hours have some. */
const MAX_CYCLE_SECONDS = 7_200;
/** Chi square of 24 hours that chance exceeds in one of 10,000 logs. */
const CHANCE_OF_HOURS = 58;
/** Limits of the `rate` input. */
const MIN_BURST_SECONDS = 0.001;

const RESOLUTIONS = [MICROS_PER_SECOND, 1_000] as const;

/** What all times are multiples of: a second, a millisecond or a microsecond. */
export const resolutionOf = (times: readonly Micros[]): Micros =>
  RESOLUTIONS.find((step) => times.every((at) => at % step === 0)) ?? 1;

/**
 * Seconds between ascending times. Times of the same second, or whatever the resolution is, are spread over it: they
 * were not at once.
 */
export const gapsOf = (
  times: readonly Micros[],
  resolution: Micros,
  clock: (at: Micros) => Micros = (at) => at,
): readonly number[] => {
  const spreadOut: number[] = [];
  for (let at = 0; at < times.length; ) {
    const step = Math.floor((times[at] ?? 0) / resolution);
    let next = at;
    while (next < times.length && Math.floor((times[next] ?? 0) / resolution) === step) next += 1;
    for (let place = at; place < next; place++)
      spreadOut.push(clock((step + (place - at + 0.5) / (next - at)) * resolution));
    at = next;
  }
  return spreadOut.slice(1).map((at, index) => (at - (spreadOut[index] ?? at)) / MICROS_PER_SECOND);
};

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Standard deviation by mean. */
export const variation = (values: readonly number[]): number => {
  const average = mean(values);
  if (average === 0) return 0;
  return Math.sqrt(mean(values.map((value) => (value - average) ** 2))) / average;
};

interface Burst {
  /** Mean seconds of bursts and of the silence between them, and of the gap that is silence. */
  readonly on: number;
  readonly off: number;
  readonly above: number;
}

/**
 * Bursts: runs of records without a gap that is longer than five times the mean. Many short silences raise the mean, so 20
 * times the median is enough: of random gaps, one in a million is so long. `plain` are the same gaps by the wall clock.
 */
const burstOf = (gaps: readonly number[], plain: readonly number[]): Burst | null => {
  const median = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  const above = Math.min(mean(gaps) * 5, median > 0 ? median * 20 : Number.POSITIVE_INFINITY);
  const silences = plain.filter((_, at) => (gaps[at] ?? 0) > above);
  const silent = silences.reduce((sum, gap) => sum + gap, 0);
  const inBursts = plain.reduce((sum, gap) => sum + gap, 0) - silent;
  if (silences.length < MIN_SILENCES && silent <= MIN_SILENT * (silent + inBursts)) return null;
  const rounded = (value: number): number => Math.max(MIN_BURST_SECONDS, Number(value.toPrecision(3)));
  return { on: rounded(inBursts / (silences.length + 1)), off: rounded(mean(silences)), above };
};

/** The hour of the day or the weekday of a time; weeks begin on Monday, and 1970-01-01 was a Thursday. */
const hourOf = (at: Micros): number => placeOf(at, MICROS_PER_HOUR, HOURS, 0);
const weekdayOf = (at: Micros): number => placeOf(at, MICROS_PER_DAY, DAYS, 3);
const placeOf = (at: Micros, step: Micros, count: number, first: number): number =>
  (((Math.floor(at / step) + first) % count) + count) % count;

/** The pieces of a span that end with its hours. */
const hoursOf = (from: Micros, to: Micros): readonly (readonly [from: Micros, to: Micros])[] => {
  const pieces: (readonly [Micros, Micros])[] = [];
  for (let at = from; at < to; ) {
    const next = Math.min(to, (Math.floor(at / MICROS_PER_HOUR) + 1) * MICROS_PER_HOUR);
    pieces.push([at, next]);
    at = next;
  }
  return pieces;
};

/** The mean rate of each hour or weekday by the mean of all; those that the log does not cover have the mean. */
const weightsOf = (
  times: readonly Micros[],
  count: number,
  of: (at: Micros) => number,
): readonly number[] => {
  const [counts, covered] = [Array<number>(count).fill(0), Array<number>(count).fill(0)];
  for (const at of times) counts[of(at)] = (counts[of(at)] ?? 0) + 1;
  for (const [from, to] of hoursOf(times[0] ?? 0, times.at(-1) ?? 0))
    covered[of(from)] = (covered[of(from)] ?? 0) + to - from;
  const rates = counts.map((value, place) => (covered[place] === 0 ? null : value / (covered[place] ?? 1)));
  const average = mean(rates.filter((rate) => rate !== null));
  return rates.map((rate) => Number((rate === null || average === 0 ? 1 : rate / average).toPrecision(3)));
};

/** Longer logs have gaps that the hours explain in part only. */
const MAX_HOURS = 24 * 400;

/** The time of a curve: it runs fast in hours with many records. */
const clockOf = (
  times: readonly Micros[],
  hours: readonly number[] | null,
  weekdays: readonly number[] | null,
): ((at: Micros) => Micros) => {
  const [from = 0, to = 0] = [times[0], times.at(-1)];
  if (hours === null || to - from > MAX_HOURS * MICROS_PER_HOUR) return (at) => at;
  const days = weekdays ?? Array<number>(DAYS).fill(1);
  const norm = mean(hours) * mean(days);
  const pieces = hoursOf(from, to);
  const factors = pieces.map(([at]) => ((hours[hourOf(at)] ?? 1) * (days[weekdayOf(at)] ?? 1)) / norm);
  const starts: Micros[] = [0];
  for (const [index, [start, end]] of pieces.entries())
    starts.push((starts[index] ?? 0) + (end - start) * (factors[index] ?? 1));
  const first = Math.floor(from / MICROS_PER_HOUR);
  return (at) => {
    const index = Math.min(pieces.length - 1, Math.max(0, Math.floor(at / MICROS_PER_HOUR) - first));
    return (starts[index] ?? 0) + (at - (pieces[index]?.[0] ?? at)) * (factors[index] ?? 1);
  };
};

interface Arrivals {
  readonly gaps: readonly number[];
  /** Coefficient of variation of the gaps. */
  readonly cv: number;
  readonly burst: Burst | null;
}

const arrivalsOf = (gaps: readonly number[], plain: readonly number[]): Arrivals => {
  const cv = variation(gaps);
  return { gaps, cv, burst: cv > BURSTY_ABOVE ? burstOf(gaps, plain) : null };
};

/** Whether each hour of a few days has bursts of its own. */
const isShort = ({ on, off }: Burst): boolean => on + off < MAX_CYCLE_SECONDS;

/** Whether bursts begin in some hours of the day more often than chance has it: else their curve is that of a few bursts. */
const haveHours = (times: readonly Micros[], gaps: readonly number[], above: number): boolean => {
  const starts = times.filter((_, at) => at === 0 || (gaps[at - 1] ?? 0) > above);
  const counts = Array<number>(HOURS).fill(0);
  for (const at of starts) counts[hourOf(at)] = (counts[hourOf(at)] ?? 0) + 1;
  const expected = starts.length / HOURS;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0) > CHANCE_OF_HOURS;
};

/** The rate of ascending times; null when there are too few. `hasYear`: else the weekdays are unknown. */
export const learnedRateOf = (times: readonly Micros[], hasYear: boolean): LearnedRate | null => {
  const [from, to] = [times[0], times.at(-1)];
  if (from === undefined || to === undefined || to <= from) return null;
  const hours = to - from >= MIN_DAY ? weightsOf(times, HOURS, hourOf) : null;
  const weekdays = hasYear && to - from >= MIN_WEEK ? weightsOf(times, DAYS, weekdayOf) : null;
  const resolution = resolutionOf(times);
  const plainGaps = gapsOf(times, resolution);
  const plain = arrivalsOf(plainGaps, plainGaps);
  // A day that is busy at noon has no bursts for that.
  const byDay = arrivalsOf(gapsOf(times, resolution, clockOf(times, hours, weekdays)), plainGaps);
  const isCurve =
    hours === null ||
    byDay.burst === null ||
    (plain.burst !== null && (isShort(plain.burst) || haveHours(times, plainGaps, plain.burst.above)));
  const curve = isCurve ? { hours, weekdays } : { hours: null, weekdays: null };
  const clock = clockOf(times, curve.hours, curve.weekdays);
  const { cv, burst } = isCurve ? byDay : plain;
  // Bursts of a generator know no hours: long ones would seldom meet the hours that have records.
  const isBursty = burst !== null && (curve.hours === null || isShort(burst));
  return {
    events_per_second: Number(
      (((times.length - 1) / (clock(to) - clock(from))) * MICROS_PER_SECOND).toPrecision(6),
    ),
    arrivals: isBursty ? 'bursty' : cv < EVEN_BELOW ? 'even' : 'poisson',
    burst: isBursty ? { on: burst.on, off: burst.off } : null,
    ...curve,
    seconds: (to - from) / MICROS_PER_SECOND,
  };
};
