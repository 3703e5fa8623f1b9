import * as E from 'fp-ts/lib/Either.js';
import { MICROS_PER_DAY, type Micros } from '../../../domain/time/micros.js';
import { compilePattern } from '../../../domain/timestamps/pattern.js';
import { timestampSpan } from '../../../domain/timestamps/span.js';
import { guessTimes } from '../../../plugins/events/replay/guess/guess.js';
import { type FoundTime, timeSpread } from './find.js';
import { hasDate, hasYear, inYear, timeReader, yearOf } from './parse.js';

const YEAR = 366 * MICROS_PER_DAY;
/** A log that seems to turn more often than this is not in order: its records are of one year. */
const MAX_YEARS = 3;
const MAX_DAYS = 400;
const MAX_LOOKED_AT = 200;
/** Days up to which a date of a line is taken for the day of its record. */
const SAME_DAYS = 1.5;
/** Share of the dates that are of the day of their record, if they tell its year. */
const MIN_AGREED = 0.9;
/** Fewer different dates are chance, unless most lines have one. */
const MIN_DATES = 3;

/** How often the year or the day has turned before each time; a time that is early again belongs before the turn. */
const turnsOf = (times: readonly (Micros | null)[], turn: Micros, most: number): readonly number[] => {
  let before: Micros | null = null;
  let turns = 0;
  const each = times.map((at) => {
    if (at === null) return turns;
    if (before !== null && at < before - turn / 2) turns += 1;
    else if (before !== null && at > before + turn / 2) turns -= 1;
    before = at;
    return turns;
  });
  const least = each.reduce((a, b) => Math.min(a, b), 0);
  const greatest = each.reduce((a, b) => Math.max(a, b), 0);
  return greatest - least >= most ? each.map(() => 0) : each.map((own) => own - greatest);
};

/**
 * The year of the last record, by dates in the same lines that tell theirs; null when none does. One program of many may
 * write such dates, so few lines are enough if their dates go on as the records do: an expiry is the same in all of them.
 */
const yearInLines = (
  lines: readonly string[],
  found: readonly (FoundTime | null)[],
  turns: readonly number[],
): number | null => {
  const indexes = timeSpread(
    found.flatMap((own, at) => (own !== null && hasDate(own.format) && !hasYear(own.format) ? [at] : [])),
    MAX_LOOKED_AT,
  );
  const looked = indexes.map((at) => lines[at] ?? '');
  for (const { timestamp_pattern, timestamp_format } of guessTimes(looked, true)) {
    const pattern = compilePattern(timestamp_pattern);
    if (!hasYear(timestamp_format) || E.isLeft(pattern)) continue;
    const read = timeReader(timestamp_format);
    const votes = new Map<number, Micros[]>();
    let asked = 0;
    for (const at of indexes) {
      const line = lines[at] ?? '';
      const span = timestampSpan(line, pattern.right);
      const other = span === null ? null : read(line.slice(...span));
      const own = found[at]?.at;
      if (other === null || own === undefined) continue;
      asked += 1;
      const year = [-1, 0, 1]
        .map((more) => yearOf(other) + more)
        .find((near) => Math.abs(inYear(own, near) - other) <= SAME_DAYS * MICROS_PER_DAY);
      if (year === undefined) continue;
      const last = year - (turns[at] ?? 0);
      votes.set(last, [...(votes.get(last) ?? []), other]);
    }
    const [best] = [...votes].toSorted(([, a], [, b]) => b.length - a.length);
    if (best === undefined || best[1].length < asked * MIN_AGREED) continue;
    if (best[1].length >= indexes.length / 2 || new Set(best[1]).size >= MIN_DATES) return best[0];
  }
  return null;
};

/** The latest year in which no time is after `now`, but for a zone. */
const yearBefore = (times: readonly (Micros | null)[], turns: readonly number[], now: Micros): number => {
  const year = yearOf(now);
  const isAfter = times.some(
    (at, index) => at !== null && inYear(at, year + (turns[index] ?? 0)) > now + MICROS_PER_DAY,
  );
  return isAfter ? year - 1 : year;
};

/**
 * The times of records in order. Times that tell no year, or no day, go on at its end. They get the year that dates in
 * the same lines tell, else one up to `now`.
 */
export const datedTimes = (
  lines: readonly string[],
  found: readonly (FoundTime | null)[],
  now: Micros,
): readonly (Micros | null)[] => {
  const only = (has: (format: string) => boolean): readonly (Micros | null)[] =>
    found.map((own) => (own !== null && has(own.format) ? own.at : null));
  const [noYear, noDay] = [only((format) => hasDate(format) && !hasYear(format)), only((f) => !hasDate(f))];
  const years = turnsOf(noYear, YEAR, MAX_YEARS);
  const days = turnsOf(noDay, MICROS_PER_DAY, MAX_DAYS);
  const hasNoYear = noYear.some((at) => at !== null);
  const year = hasNoYear ? (yearInLines(lines, found, years) ?? yearBefore(noYear, years, now)) : 0;
  const midnight = Math.floor(now / MICROS_PER_DAY) * MICROS_PER_DAY;
  return found.map((own, at) => {
    if (own === null) return null;
    if (!hasDate(own.format)) return midnight + (own.at % MICROS_PER_DAY) + (days[at] ?? 0) * MICROS_PER_DAY;
    return hasYear(own.format) ? own.at : inYear(own.at, year + (years[at] ?? 0));
  });
};
