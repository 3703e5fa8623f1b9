import { callMethodOf, type Methods, methodOf, methods } from '../../values/methods.js';
import { repr } from '../../values/operations/print.js';
import { PyTuple } from '../../values/types/sequences.js';
import { type HashKey, type Kwargs, TemplateObject, type Value } from '../../values/value.js';
import {
  checkDate,
  checkDay,
  civilOf,
  clockOf,
  DAYS,
  dateText,
  dayOf,
  EPOCH_ORDINAL,
  isoCalendar,
  MONTHS,
  needTextOf,
  needWhole,
  weekdayOf,
} from './civil.js';
import { strftime } from './format.js';
import { PyTimedelta, timedeltaOf } from './timedelta.js';

const MICROS = 86_400_000_000n;

export class PyDate extends TemplateObject {
  constructor(readonly day: number) {
    super();
  }
  get typeName(): string {
    return 'datetime.date';
  }
  override attribute(name: string): Value | undefined {
    if (name === 'year' || name === 'month' || name === 'day') return civilOf(this.day)[name];
    return DATE_BOUNDS.get(name) ?? methodOf(DATE_METHODS, this, name);
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    const result = callMethodOf(DATE_METHODS, this, name, args, kwargs);
    return result === undefined ? super.callMethod(name, args, kwargs) : result;
  }
  override text(): string {
    return dateText(this.day);
  }
  override repr(): string {
    const { year, month, day } = civilOf(this.day);
    return `datetime.date(${year}, ${month}, ${day})`;
  }
  override format(spec: string): string {
    return strftime({ day: this.day, micros: 0, offset: null, name: () => '' }, spec);
  }
  override equals(other: Value): boolean {
    return other instanceof PyDate && other.typeName === this.typeName && other.day === this.day;
  }
  override compare(other: Value): number | undefined {
    return other instanceof PyDate && other.typeName === this.typeName ? this.day - other.day : undefined;
  }
  override hashKey(): HashKey {
    return `\0c${this.day}`;
  }
  override operate(operator: string, other: Value, isRight: boolean): Value | undefined {
    if (other instanceof PyTimedelta && operator === '+') return new PyDate(checkDay(this.day + other.days));
    if (isRight || operator !== '-') return undefined;
    // Only whole days count: negate before cutting.
    if (other instanceof PyTimedelta) return new PyDate(checkDay(this.day - other.days));
    const isDate = other instanceof PyDate && other.typeName === this.typeName;
    return isDate ? timedeltaOf(BigInt(this.day - other.day) * MICROS) : undefined;
  }
}

const DATE_METHODS: Methods<PyDate> = methods<PyDate>({
  'isoformat()': (self) => dateText(self.day),
  'strftime(format)': (self, format) => self.format(needTextOf(format, 'strftime() argument 1')),
  'weekday()': (self) => weekdayOf(self.day),
  'isoweekday()': (self) => weekdayOf(self.day) + 1,
  'isocalendar()': (self) => isoCalendarDate(isoCalendar(self.day)),
  'toordinal()': (self) => self.day + EPOCH_ORDINAL,
  'timetuple()': (self) => structTime(self.day, 0, -1),
  'ctime()': (self) => ctime(self.day, '00:00:00'),
  'replace(year=None, month=None, day=None)': (self, year, month, day) => {
    const now = civilOf(self.day);
    return new PyDate(
      checkDate(
        year === null ? now.year : needWhole(year),
        month === null ? now.month : needWhole(month),
        day === null ? now.day : needWhole(day),
      ),
    );
  },
});

export const ctime = (day: number, clock: string): string => {
  const { year, month, day: date } = civilOf(day);
  return `${DAYS[weekdayOf(day)] ?? ''} ${MONTHS[month - 1] ?? ''} ${String(date).padStart(2)} ${clock} ${String(year).padStart(4, '0')}`;
};

export const DATE_BOUNDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['min', new PyDate(checkDate(1, 1, 1))],
  ['max', new PyDate(checkDate(9999, 12, 31))],
  ['resolution', new PyTimedelta(1, 0)],
]);

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
