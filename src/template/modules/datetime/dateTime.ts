import { offsetText } from '../../../domain/time/iso.js';
import type { Micros } from '../../../domain/time/micros.js';
import { raise } from '../../errors.js';
import { callMethodOf, type Methods, methodOf, methods } from '../../values/methods.js';
import { divide } from '../../values/operations/arithmetic.js';
import { repr } from '../../values/operations/print.js';
import { floatOf, type HashKey, intOf, type Kwargs, type Value } from '../../values/value.js';
import {
  checkDate,
  checkDay,
  checkTime,
  civilOf,
  clockOf,
  clockText,
  DAY_MICROS,
  dateText,
  EPOCH_ORDINAL,
  isoCalendar,
  needTextOf,
  weekdayOf,
} from './civil.js';
import { ctime, isoCalendarDate, PyDate, structTime } from './date.js';
import { strftime } from './format.js';
import { needFold, needZone, PyTime, partOr, secondsDelta } from './time.js';
import { deltaOf, PyTimedelta, timedeltaOf } from './timedelta.js';
import { type PyTzinfo, UTC_ZONE } from './zones.js';

let lastOffset = 0;
let lastOffsetText = offsetText(0);

/** Caches the last offset: a run has one or two. */
const zoneText = (offset: number): string => {
  if (offset !== lastOffset) {
    lastOffset = offset;
    lastOffsetText = offsetText(offset);
  }
  return lastOffsetText;
};

/** Days from 1970 with exact microseconds as a number: years 1700 to 2240. */
const EXACT_DAYS = 98_000;

/** A wall-clock date-time, with or without a zone. */
export class PyDateTime extends PyDate {
  private knownOffset: number | null | undefined;
  private knownText: string | null = null;

  constructor(
    day: number,
    readonly micros: number,
    readonly zone: PyTzinfo | null,
    readonly fold = 0,
    /** Offset in seconds, if known. */
    offset?: number,
  ) {
    super(day);
    this.knownOffset = offset;
  }

  override get typeName(): string {
    return 'datetime.datetime';
  }
  /** Offset in seconds; `null` without a zone. */
  get offset(): number | null {
    if (this.knownOffset === undefined)
      this.knownOffset = this.zone === null ? null : this.zone.offsetAt(this);
    return this.knownOffset;
  }
  /** Microseconds since 1970 in UTC; without a zone, the wall clock counts as UTC. */
  get instant(): bigint {
    return (
      BigInt(this.day) * BigInt(DAY_MICROS) + BigInt(this.micros) - BigInt(this.offset ?? 0) * 1_000_000n
    );
  }
  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'tzinfo':
        return this.zone;
      case 'fold':
        return this.fold;
      case 'hour':
        return clockOf(this.micros)[0];
      case 'minute':
        return clockOf(this.micros)[1];
      case 'second':
        return clockOf(this.micros)[2];
      case 'microsecond':
        return clockOf(this.micros)[3];
      case 'year':
      case 'month':
      case 'day':
        return civilOf(this.day)[name];
      default:
        return DATETIME_BOUNDS.get(name) ?? methodOf(DATETIME_METHODS, this, name);
    }
  }
  override get methodTable(): ReadonlyMap<string, unknown> | undefined {
    return DATETIME_METHODS;
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    return callMethodOf(DATETIME_METHODS, this, name, args, kwargs);
  }
  /** `isoformat()`, kept: templates print a timestamp several times. */
  private get usualText(): string {
    this.knownText ??= this.textWith('T', 'auto');
    return this.knownText;
  }
  isoformat(separator: string, timespec: string): string {
    return separator === 'T' && timespec === 'auto' ? this.usualText : this.textWith(separator, timespec);
  }
  private textWith(separator: string, timespec: string): string {
    const clock = clockText(this.micros, timespec);
    const { offset } = this;
    return dateText(this.day) + separator + clock + (offset === null ? '' : zoneText(offset));
  }
  override text(): string {
    return this.isoformat(' ', 'auto');
  }
  override repr(): string {
    const { year, month, day } = civilOf(this.day);
    const [hour, minute, second, micro] = clockOf(this.micros);
    const tail = micro > 0 ? [second, micro] : second > 0 ? [second] : [];
    const zone = this.zone === null ? '' : `, tzinfo=${repr(this.zone)}`;
    const fold = this.fold === 1 ? ', fold=1' : '';
    return `datetime.datetime(${[year, month, day, hour, minute, ...tail].join(', ')}${fold}${zone})`;
  }
  override format(spec: string): string {
    return strftime(
      { day: this.day, micros: this.micros, offset: this.offset, name: () => this.zone?.nameAt(this) ?? '' },
      spec,
    );
  }
  override equals(other: Value): boolean {
    return (
      other instanceof PyDateTime &&
      (other.zone === null) === (this.zone === null) &&
      (other.zone === this.zone
        ? other.day === this.day && other.micros === this.micros
        : other.instant === this.instant)
    );
  }
  override compare(other: Value): number | undefined {
    if (!(other instanceof PyDateTime)) {
      return other instanceof PyDate
        ? raise('TypeError', "can't compare datetime.datetime to datetime.date")
        : undefined;
    }
    if ((other.zone === null) !== (this.zone === null)) {
      return raise('TypeError', "can't compare offset-naive and offset-aware datetimes");
    }
    if (other.zone === this.zone) return this.day - other.day || this.micros - other.micros;
    return Number(this.instant - other.instant);
  }
  override hashKey(): HashKey {
    return `\0d${this.instant}`;
  }
  override operate(operator: string, other: Value, isRight: boolean): Value | undefined {
    if (other instanceof PyTimedelta && operator === '+') return moved(this, other, 1);
    if (operator !== '-' || isRight) return undefined;
    if (other instanceof PyTimedelta) return moved(this, other, -1);
    if (!(other instanceof PyDateTime)) return undefined;
    if ((other.zone === null) !== (this.zone === null)) {
      return raise('TypeError', "can't subtract offset-naive and offset-aware datetimes");
    }
    if (other.zone !== this.zone) return timedeltaOf(this.instant - other.instant);
    return deltaOf(this.day - other.day, this.micros - other.micros);
  }
}

/** Wall-clock arithmetic, as in Python: the result has the offset of its own time. */
const moved = (from: PyDateTime, delta: PyTimedelta, sign: number): PyDateTime => {
  const micros = from.micros + sign * delta.micros;
  const carry = Math.floor(micros / DAY_MICROS);
  return new PyDateTime(
    checkDay(from.day + sign * delta.days + carry),
    micros - carry * DAY_MICROS,
    from.zone,
  );
};

export const atInstant = (utcDay: number, utcMicros: number, zone: PyTzinfo): PyDateTime => {
  const { offset, fold } = zone.fromUtc(utcDay, utcMicros);
  const micros = utcMicros + offset * 1_000_000;
  const carry = Math.floor(micros / DAY_MICROS);
  return new PyDateTime(checkDay(utcDay + carry), micros - carry * DAY_MICROS, zone, fold, offset);
};

export const dateTimeAt = (instant: Micros, zone: PyTzinfo): PyDateTime => {
  const day = Math.floor(instant / DAY_MICROS);
  return atInstant(day, instant - day * DAY_MICROS, zone);
};

const utcOf = (value: PyDateTime): PyDateTime => {
  const micros = value.micros - (value.offset ?? 0) * 1_000_000;
  const carry = Math.floor(micros / DAY_MICROS);
  return new PyDateTime(value.day + carry, micros - carry * DAY_MICROS, UTC_ZONE);
};

const inZone = (value: PyDateTime, zone: PyTzinfo): PyDateTime => {
  if (value.zone === zone) return value;
  const { day, micros } = utcOf(value);
  return atInstant(day, micros, zone);
};

/** Seconds since 1970. With a zone the nearest double; without one rounded twice, as in Python. */
const secondsOf = (value: PyDateTime): Value => {
  const { day, micros, offset } = value;
  if (offset === null)
    return floatOf(day * 86_400 + Math.floor(micros / 1_000_000) + (micros % 1_000_000) / 1e6);
  if (Math.abs(day) >= EXACT_DAYS) return divide(intOf(value.instant), 1_000_000);
  return floatOf((day * DAY_MICROS + micros - offset * 1_000_000) / 1_000_000);
};

const dstOf = (value: PyDateTime): number | null => value.zone?.dstAt(value) ?? null;

const replaced = (self: PyDateTime, parts: readonly Value[]): PyDateTime => {
  const { year, month, day } = civilOf(self.day);
  const now = [year, month, day, ...clockOf(self.micros)];
  const next = now.map((value, index) => partOr(parts[index], value));
  const [y = 1, m = 1, d = 1, hour = 0, minute = 0, second = 0, micro = 0] = next;
  return new PyDateTime(
    checkDate(y, m, d),
    checkTime(hour, minute, second, micro),
    parts[7] === true ? self.zone : needZone(parts[7] ?? null),
    parts[8] === null || parts[8] === undefined ? self.fold : needFold(parts[8]),
  );
};

const DATETIME_METHODS: Methods<PyDateTime> = methods<PyDateTime>({
  "isoformat(sep='T', timespec='auto')": (self, separator, timespec) =>
    self.isoformat(needTextOf(separator, 'isoformat() argument 1'), needTextOf(timespec, 'timespec')),
  'strftime(format)': (self, format) => self.format(needTextOf(format, 'strftime() argument 1')),
  'timestamp()': secondsOf,
  'date()': (self) => new PyDate(self.day),
  'time()': (self) => new PyTime(self.micros, null, self.fold),
  'timetz()': (self) => new PyTime(self.micros, self.zone, self.fold),
  'weekday()': (self) => weekdayOf(self.day),
  'isoweekday()': (self) => weekdayOf(self.day) + 1,
  'isocalendar()': (self) => isoCalendarDate(isoCalendar(self.day)),
  'toordinal()': (self) => self.day + EPOCH_ORDINAL,
  'utcoffset()': (self) => (self.offset === null ? null : secondsDelta(self.offset)),
  'tzname()': (self) => self.zone?.nameAt(self) ?? null,
  'dst()': (self) => {
    const dst = dstOf(self);
    return dst === null ? null : secondsDelta(dst);
  },
  'timetuple()': (self) => {
    const dst = dstOf(self);
    return structTime(self.day, self.micros, dst === null ? -1 : dst > 0 ? 1 : 0);
  },
  'utctimetuple()': (self) => {
    const { day, micros } = utcOf(self);
    return structTime(day, micros, 0);
  },
  'ctime()': (self) => ctime(self.day, clockText(self.micros, 'seconds')),
  'astimezone(tz=None)': (self, zone) => inZone(self, needZone(zone) ?? UTC_ZONE),
  'replace(year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None, tzinfo=True, *, fold=None)':
    (self, ...parts) => replaced(self, parts),
});

export const DATETIME_BOUNDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['min', new PyDateTime(checkDate(1, 1, 1), 0, null)],
  ['max', new PyDateTime(checkDate(9999, 12, 31), DAY_MICROS - 1, null)],
  ['resolution', new PyTimedelta(0, 1)],
]);
