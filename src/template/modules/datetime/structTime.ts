import { repr } from '../../values/operations/print.js';
import { PyTuple } from '../../values/types/tuple.js';
import type { Value } from '../../values/value.js';
import { civilOf, clockOf, dayOf, weekdayOf } from './civil.js';

/** A tuple with named elements, such as `time.struct_time`. */
export class NamedTuple extends PyTuple {
  constructor(
    private readonly title: string,
    private readonly names: readonly string[],
    items: readonly Value[],
  ) {
    super(items);
  }
  override get typeName(): string {
    return this.title;
  }
  override attribute(name: string): Value | undefined {
    const index = this.names.indexOf(name);
    return index < 0 ? super.attribute(name) : this.items[index];
  }
  override repr(): string {
    const parts = this.items.map((item, index) => `${this.names[index] ?? ''}=${repr(item)}`);
    return `${this.title}(${parts.join(', ')})`;
  }
}

const NAMES = [
  'tm_year',
  'tm_mon',
  'tm_mday',
  'tm_hour',
  'tm_min',
  'tm_sec',
  'tm_wday',
  'tm_yday',
  'tm_isdst',
];

export const structTime = (day: number, micros: number, isDst: number): NamedTuple => {
  const { year, month, day: date } = civilOf(day);
  const [hour, minute, second] = clockOf(micros);
  const yearDay = day - dayOf(year, 1, 1) + 1;
  return new NamedTuple('time.struct_time', NAMES, [
    year,
    month,
    date,
    hour,
    minute,
    second,
    weekdayOf(day),
    yearDay,
    isDst,
  ]);
};

export const isoCalendarDate = (parts: readonly [number, number, number]): NamedTuple =>
  new NamedTuple('datetime.IsoCalendarDate', ['year', 'week', 'weekday'], parts);
