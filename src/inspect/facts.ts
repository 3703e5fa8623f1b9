import type { Micros } from '../domain/time/micros.js';
import { hourlyRates } from './rates.js';
import type { FieldReport, InspectReport } from './report.js';
import { showCount, showDistinct, showNumber, showShare } from './show.js';

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
  [rangeText(numbers), ...(out_of_range === 0 ? [] : [`${showCount(out_of_range)} out of range`])]
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
  const lost = failed === 0 ? '' : `; ${showCount(failed)} failed`;
  const of =
    made === timestamps
      ? ''
      : ` of ${showCount(timestamps)} ${timestamps === 1 ? 'timestamp' : 'timestamps'}`;
  return `${showCount(made)} ${made === 1 ? 'event' : 'events'}${of}${lost}`;
};

/** The share of events that repeat another one, and the number of different ones. */
export const repeatsText = ({
  distinct,
  made,
}: Pick<InspectReport, 'distinct' | 'made'>): readonly [main: string, more: string] => {
  const repeats = Math.max(0, made - distinct.count);
  const differ = `${showDistinct(distinct)} of ${showCount(made)} events differ`;
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
  schedule.is_complete ? 'the coming 24 hours' : `the first ${showCount(schedule.timestamps)} timestamps`;
