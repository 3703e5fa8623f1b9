import type { Micros } from '../../../domain/time/micros.js';
import { isPart } from '../cut.js';
import type { LearnedField, NumberStyle } from '../model.js';
import { offsetOf, timeFormatOf } from '../times/find.js';
import { hasClock, hasDate } from '../times/parse.js';
import { freshPattern } from './fresh.js';
import { binsOf, fitOf, styleOf } from './numbers.js';

/** Numbers with at most this many values, or few of them by record, are an enumeration. */
const FEW_VALUES = 24;
const MAX_ENUMERATED = 400;
const MIN_REPEATS = 6;
/** Numbers that each record raises. */
const MIN_RISING = 0.97;
const MIN_COUNTED = 8;
const STEPS = 16;
/** Seconds up to which two times of a record are the same. */
const SAME_TIME = 1.5;
/** Further from the time of the record, a date says something else, e.g. when someone was born. */
const MAX_OFFSET = 400 * 86_400;
/** Greatest offset of numbers that may be Unix times, in seconds. */
const UNIX_REACH = 2 * 86_400;
const SAME_DAY = 1.5 * 86_400;
/** A time of day without a date this close to that of the record is one; else it may be a duration. */
const SAME_HOUR = 3_600;
/** Share of the values that must be close. */
const MIN_CLOSE = 0.95;

/** The values of one location of a template, in the order of the records. */
export interface Column {
  readonly name: string;
  readonly values: readonly string[];
  /** Times of the records. */
  readonly times: readonly (Micros | null)[];
}

/** Quarter hours apart: another time zone, not another time. */
const isZoneShift = (offsets: readonly number[]): boolean => {
  const [first = 0] = offsets;
  const quarter = Math.round(first / 900) * 900;
  return Math.abs(quarter) <= 50_400 && offsets.every((offset) => Math.abs(offset - quarter) <= SAME_TIME);
};

/** Greatest offset of times in a format, in seconds. */
const reachOf = (format: string, { name, values }: Column): number => {
  if (!hasDate(format)) return SAME_HOUR;
  if (hasClock(format)) return format.startsWith('%s') ? UNIX_REACH : MAX_OFFSET;
  // A lone date, or one within a text, looks like a version.
  return isPart(name) || values.every((value) => value === values[0]) ? SAME_DAY : MAX_OFFSET;
};

const timeField = (column: Column): LearnedField | null => {
  const { values, times } = column;
  const found = timeFormatOf(values);
  if (found === null) return null;
  const { format, read } = found;
  const offsets = values.flatMap((value, index) => {
    const [own, record] = [read(value), times[index]];
    return own === null || record === null || record === undefined ? [] : [offsetOf(own, record, format)];
  });
  if (offsets.length === 0)
    return hasDate(format) && hasClock(format) ? { kind: 'time', format, offsets: null } : null;
  const reach = reachOf(format, column);
  const close = offsets.filter((offset) => Math.abs(offset) <= reach);
  if (close.length < offsets.length * MIN_CLOSE) return null;
  if (isZoneShift(close) || (!hasClock(format) && reach === SAME_DAY))
    return { kind: 'time', format, offsets: null };
  return { kind: 'time', format, offsets: binsOf(close.toSorted((a, b) => a - b)) };
};

/** A number that grows with the records; `steps` are quantiles of the growth. */
export const counterFieldOf = (
  name: string,
  values: readonly number[],
  style: NumberStyle,
): LearnedField | null => {
  if (style.decimals > 0 || values.length < MIN_COUNTED) return null;
  const steps = values.slice(1).map((value, at) => value - (values[at] ?? 0));
  const rising = steps.filter((step) => step >= 0).length;
  const [first = 0, last = 0] = [values[0], values.at(-1)];
  if (rising < steps.length * MIN_RISING || last - first < values.length / 4) return null;
  const sorted = steps.filter((step) => step >= 0).toSorted((a, b) => a - b);
  // Few big jumps are another counter, or a restart.
  if ((sorted.at(-1) ?? 0) > (last - first) / 2 && values.length > MIN_COUNTED * 2) return null;
  const used = Math.min(STEPS, sorted.length);
  const quantiles = Array.from(
    { length: used },
    (_, at) => sorted[Math.floor(((at + 0.5) * sorted.length) / used)] ?? 0,
  );
  return { kind: 'counter', name, start: first, steps: quantiles, width: style.width };
};

/** Numbers with many values; few values are an enumeration, unless each occurs once. */
const numberField = (values: readonly string[]): LearnedField | null => {
  const style = styleOf(values);
  if (style === null) return null;
  const distinct = new Set(values).size;
  const isFew =
    distinct <= FEW_VALUES || (distinct <= MAX_ENUMERATED && distinct * MIN_REPEATS <= values.length);
  if (isFew && (distinct < MIN_COUNTED || distinct < values.length)) return null;
  return { kind: 'number', fit: fitOf(values.map(Number), style), style, by: null };
};

/** What the values of a column are. */
export const fieldOf = (column: Column): LearnedField => {
  const { values } = column;
  const [first = ''] = values;
  const time = timeField(column);
  if (time !== null) return time;
  if (values.every((value) => value === first)) return { kind: 'constant', text: first };
  const number = numberField(values);
  if (number !== null) return number;
  const pattern = freshPattern(values);
  return pattern === null ? { kind: 'pool' } : { kind: 'fresh', pattern };
};
