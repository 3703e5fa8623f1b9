import { MICROS_PER_DAY, MICROS_PER_HOUR, MICROS_PER_SECOND, type Micros } from '../../domain/time/micros.js';
import type { Rate } from '../model.js';

const HOURS = 24;
const DAYS = 7;
/** Time that a log must cover for a curve over the day, and over the week. */
const MIN_DAY = 22 * MICROS_PER_HOUR;
const MIN_WEEK = 13.5 * MICROS_PER_DAY;
/** Coefficients of variation of the gaps between records: 0 is even, 1 is Poisson. */
const EVEN_BELOW = 0.3;
const BURSTY_ABOVE = 1.8;
const MIN_BURSTS = 8;
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
export const gapsOf = (times: readonly Micros[], resolution: Micros): readonly number[] => {
  const spreadOut: number[] = [];
  for (let at = 0; at < times.length; ) {
    const step = Math.floor((times[at] ?? 0) / resolution);
    let next = at;
    while (next < times.length && Math.floor((times[next] ?? 0) / resolution) === step) next += 1;
    for (let place = at; place < next; place++)
      spreadOut.push((step + (place - at + 0.5) / (next - at)) * resolution);
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

/** Bursts: runs of records without a gap that is longer than five times the mean. */
const burstOf = (gaps: readonly number[]): Rate['burst'] => {
  const limit = mean(gaps) * 5;
  const silences = gaps.filter((gap) => gap > limit);
  if (silences.length < MIN_BURSTS) return null;
  const inBursts = gaps.filter((gap) => gap <= limit).reduce((sum, gap) => sum + gap, 0);
  const on = inBursts / (silences.length + 1);
  const rounded = (value: number): number => Math.max(MIN_BURST_SECONDS, Number(value.toPrecision(3)));
  return { on: rounded(on), off: rounded(mean(silences)) };
};

/** Part of the span that each hour of the day, or weekday, takes. */
const coverage = (
  from: Micros,
  to: Micros,
  step: Micros,
  count: number,
  first: number,
): readonly number[] => {
  const seconds = Array<number>(count).fill(0);
  for (let at = Math.floor(from / step) * step; at <= to; at += step) {
    const place = (((Math.floor(at / step) + first) % count) + count) % count;
    seconds[place] = (seconds[place] ?? 0) + Math.min(to, at + step) - Math.max(from, at);
  }
  return seconds;
};

const weightsOf = (
  times: readonly Micros[],
  step: Micros,
  count: number,
  first: number,
): readonly number[] => {
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 0];
  const counts = Array<number>(count).fill(0);
  for (const at of times) {
    const place = (((Math.floor(at / step) + first) % count) + count) % count;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const covered = coverage(from, to, step, count, first);
  const rates = counts.map((value, place) => (covered[place] === 0 ? 0 : value / (covered[place] ?? 1)));
  const average = mean(rates);
  return rates.map((rate) => Number((average === 0 ? 1 : rate / average).toPrecision(3)));
};

/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const FIRST_WEEKDAY = 3;

/** The rate of ascending times; null: there are too few. `hasDate`: else only the time of day is known. */
export const rateOf = (times: readonly Micros[], hasYear: boolean): Rate | null => {
  const [from, to] = [times[0], times.at(-1)];
  if (from === undefined || to === undefined || to <= from) return null;
  const seconds = (to - from) / MICROS_PER_SECOND;
  const gaps = gapsOf(times, resolutionOf(times));
  const cv = variation(gaps);
  const burst = cv > BURSTY_ABOVE ? burstOf(gaps) : null;
  return {
    events_per_second: Number(((times.length - 1) / seconds).toPrecision(6)),
    arrivals: burst !== null ? 'bursty' : cv < EVEN_BELOW ? 'even' : 'poisson',
    burst,
    hours: to - from >= MIN_DAY ? weightsOf(times, MICROS_PER_HOUR, HOURS, 0) : null,
    weekdays: hasYear && to - from >= MIN_WEEK ? weightsOf(times, MICROS_PER_DAY, DAYS, FIRST_WEEKDAY) : null,
    seconds,
  };
};

const HALF_YEAR = 180 * MICROS_PER_DAY;
const YEAR = 366 * MICROS_PER_DAY;

/** Times that know no year or no date go on at its end: each is at most half a turn before the one before. */
export const unwrapped = (times: readonly (Micros | null)[], format: string): readonly (Micros | null)[] => {
  const turn = /%[Yys]/.test(format) ? null : /%[-_0]?[dej]/.test(format) ? YEAR : MICROS_PER_DAY;
  if (turn === null) return times;
  const half = turn === YEAR ? HALF_YEAR : turn / 2;
  let [shift, before] = [0, Number.NEGATIVE_INFINITY];
  return times.map((at) => {
    if (at === null) return null;
    if (at + shift < before - half) shift += turn;
    before = at + shift;
    return at + shift;
  });
};
