import type { Micros } from '../../domain/time/micros.js';
import { hourlyRates } from './rates.js';
import type { FieldReport, InspectReport } from './report.js';

/** Numbers and values as text, for the terminal and the page. */

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const significant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

export const countText = (count: number): string => grouped.format(count);

/** Three digits, or all digits of a large number. */
export const showNumber = (value: number): string => {
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 1e15)) return value.toExponential(2);
  return size >= 1_000 ? grouped.format(value) : significant.format(value);
};

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** `1.72 kB`: powers of 1,000. */
export const showBytes = (bytes: number): string => {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${showNumber(value)} ${UNITS[unit]}`;
};

/** Never 0 % for a part, nor 100 % for less than all. */
export const showShare = (share: number): string => {
  const percent = share * 100;
  if (share > 0 && percent < 0.1) return '< 0.1 %';
  if (share < 1 && percent > 99.9) return '> 99.9 %';
  return `${percent < 10 ? percent.toFixed(1) : percent.toFixed(0)} %`.replace('.0 %', ' %');
};

export const showSeconds = (seconds: number): string => {
  if (seconds < 1) return `${showNumber(seconds * 1_000)} ms`;
  if (seconds < 60) return `${showNumber(seconds)} s`;
  if (seconds < 3_600) return `${showNumber(seconds / 60)} min`;
  return seconds < 86_400 ? `${showNumber(seconds / 3_600)} h` : `${showNumber(seconds / 86_400)} d`;
};

/** An estimate has a tilde. */
const showDistinct = (distinct: { readonly count: number; readonly is_exact: boolean }): string =>
  `${distinct.is_exact ? '' : '~'}${countText(distinct.count)}`;

/** Control, format and unpaired characters, which could drive a terminal or reverse a line, become escapes. */
export const visible = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );

/** Characters that take two columns: East Asian wide forms and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Combining characters take none. */
const NARROW = /\p{M}/u;

const widthOfOne = (character: string): number => {
  if (character <= '~') return 1;
  return WIDE.test(character) ? 2 : NARROW.test(character) ? 0 : 1;
};

/** Columns of a text in a terminal. */
export const shownWidthOf = (text: string): number => {
  let width = 0;
  for (const character of text) width += widthOfOne(character);
  return width;
};

/** The text in at most `max` columns; an ellipsis marks the cut. */
export const fitted = (text: string, max: number): string => {
  if (shownWidthOf(text) <= max) return text;
  let width = 1;
  let end = 0;
  for (const character of text) {
    width += widthOfOne(character);
    if (width > max) break;
    end += character.length;
  }
  return `${text.slice(0, end)}…`;
};

/** Sentences and figures that the terminal and the page share. */

export const fieldName = ({ path }: Pick<FieldReport, 'path'>): string =>
  path === '' ? '(whole event)' : path;

export const typesText = ({ types, values }: Pick<FieldReport, 'types' | 'values'>): string => {
  const all = Object.entries(types);
  return all.length === 1
    ? (all[0]?.[0] ?? '')
    : all.map(([type, count]) => `${type} ${showShare(count / values)}`).join(', ');
};

const rangeText = (range: FieldReport['numbers']): string =>
  range === null
    ? ''
    : range.min === range.max
      ? showNumber(range.min)
      : `${showNumber(range.min)} to ${showNumber(range.max)}, mean ${showNumber(range.mean)}`;

export const numbersText = ({ numbers, out_of_range }: FieldReport): string =>
  [rangeText(numbers), ...(out_of_range === 0 ? [] : [`${countText(out_of_range)} out of range`])]
    .filter((part) => part !== '')
    .join('; ');

export const lengthText = ({ length }: Pick<FieldReport, 'length'>): string =>
  length === null ? '' : `${rangeText(length)} characters`;

export const itemsText = ({ items }: Pick<FieldReport, 'items'>): string =>
  items === null ? '' : `${rangeText(items)} ${items.max === 1 && items.min === 1 ? 'item' : 'items'}`;

export const entropyText = ({ entropy_bits, distinct }: FieldReport): string =>
  distinct.count === 0 ? '' : `${distinct.is_exact ? '' : '~'}${entropy_bits.toFixed(1)}`;

export const distinctText = ({ distinct }: FieldReport): string =>
  distinct.count === 0 ? '' : showDistinct(distinct);

/** Whether no value is frequent enough to be worth listing. */
export const isUniqueLike = ({ top, values }: Pick<FieldReport, 'top' | 'values'>): boolean =>
  values > 20 && (top[0]?.share ?? 0) < 0.01;

/** `10,000 events of 9,231 timestamps` */
export const madeText = ({ made, timestamps, failed }: InspectReport): string => {
  const lost = failed === 0 ? '' : `; ${countText(failed)} failed`;
  const of =
    made === timestamps
      ? ''
      : ` of ${countText(timestamps)} ${timestamps === 1 ? 'timestamp' : 'timestamps'}`;
  return `${countText(made)} ${made === 1 ? 'event' : 'events'}${of}${lost}`;
};

/** The share of events that repeat another one, and the number of different ones. */
export const repeatsText = ({
  distinct,
  made,
}: Pick<InspectReport, 'distinct' | 'made'>): readonly [main: string, more: string] => {
  const repeats = Math.max(0, made - distinct.count);
  const differ = `${showDistinct(distinct)} of ${countText(made)} events differ`;
  return [repeats === 0 ? 'none' : showShare(repeats / made), differ];
};

/** `20 events/s in every hour`, or the quietest and the busiest one. */
export const hoursText = (
  { rates, schedule }: Pick<InspectReport, 'rates' | 'schedule'>,
  timeOf: (at: Micros) => string,
): string => {
  const { min, max } = rates.events_per_second;
  if (max - min <= max * 0.01) return 'the same in every hour';
  const hours = hourlyRates(schedule, rates.events_per_timestamp);
  const at = (rate: number): string => timeOf(schedule.hours[hours.indexOf(rate)]?.start ?? schedule.from);
  return `quietest hour ${showNumber(min)} (${at(min)}), busiest ${showNumber(max)} (${at(max)})`;
};

const KIND_NAMES = { json: 'JSON', cef: 'CEF', key_value: 'key=value', text: 'text without fields' };

export const kindsText = ({ kinds, made }: Pick<InspectReport, 'kinds' | 'made'>): string => {
  const all = Object.entries(kinds) as [keyof typeof KIND_NAMES, number][];
  return all
    .map(([kind, count]) =>
      all.length === 1 ? KIND_NAMES[kind] : `${KIND_NAMES[kind]} ${showShare(count / made)}`,
    )
    .join(', ');
};

export const scheduleText = ({ schedule }: Pick<InspectReport, 'schedule'>): string =>
  schedule.is_complete ? 'the coming 24 hours' : `the first ${countText(schedule.timestamps)} timestamps`;
