import type { Micros } from '../../../domain/time/micros.js';
import { zoneOf } from '../../../domain/time/zone.js';
import { raise } from '../../errors.js';
import { asDouble } from '../../text/numbers.js';
import { native } from '../../values/methods.js';
import { textRepr } from '../../values/operations/print.js';
import {
  type Callable,
  type Kwargs,
  type RunFunction,
  TemplateObject,
  typeName,
  type Value,
} from '../../values/value.js';
import { HostModule } from '../hostModule.js';
import { checkDate, checkDay, checkTime, DAY_MICROS, EPOCH_ORDINAL, needTextOf, needWhole } from './civil.js';
import { DATE_BOUNDS, PyDate } from './date.js';
import { atInstant, DATETIME_BOUNDS, dateTimeAt, PyDateTime } from './dateTime.js';
import { isoWeekDay, parseFormat, parseIsoDate, parseIsoText, parseIsoTime } from './parseDate.js';
import { needFold, needZone, PyTime, TIME_BOUNDS } from './time.js';
import { directDelta, makeTimedelta, PyTimedelta } from './timedelta.js';
import { fixedTimezone, PyZone, UTC_ZONE } from './zones.js';

/** A class: a call creates an object, attributes are class methods. */
class TypeObject extends TemplateObject {
  constructor(
    private readonly name: string,
    private readonly make: Callable,
    private readonly members: ReadonlyMap<string, Value>,
    private readonly makeDirect:
      | ((positional: number, keys: readonly string[]) => RunFunction | null)
      | null = null,
  ) {
    super();
  }
  get typeName(): string {
    return 'type';
  }
  /** For docs; templates do not see it. */
  get memberNames(): readonly string[] {
    return [...this.members.keys()];
  }
  override attribute(name: string): Value | undefined {
    return this.members.get(name);
  }
  override fixed(name: string): Value | undefined {
    return this.members.get(name);
  }
  override directCall(positional: number, keys: readonly string[]): RunFunction | null {
    return this.makeDirect?.(positional, keys) ?? null;
  }
  override isCallable(): boolean {
    return true;
  }
  override call(args: readonly Value[], kwargs: Kwargs | null): Value {
    return this.make(args, kwargs);
  }
  override repr(): string {
    return `<class '${this.name}'>`;
  }
}

/** Seconds since 1970 as day and microseconds, rounded to even as in Python. */
const splitSeconds = (value: Value): readonly [number, number] => {
  const seconds = asDouble(value);
  if (seconds === undefined)
    return raise('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`);
  if (Number.isNaN(seconds)) return raise('ValueError', 'cannot convert float NaN to integer');
  if (Math.abs(seconds) > 1e12) return raise('ValueError', `year is out of range`);
  const whole = Math.floor(seconds);
  const exact = (seconds - whole) * 1_000_000;
  const floor = Math.floor(exact);
  const isUp = exact - floor > 0.5 || (exact - floor === 0.5 && floor % 2 === 1);
  const day = Math.floor(whole / 86_400);
  const micros = (whole - day * 86_400) * 1_000_000 + floor + (isUp ? 1 : 0);
  return micros >= DAY_MICROS ? [day + 1, micros - DAY_MICROS] : [day, micros];
};

const needDate = (value: Value): PyDate =>
  value instanceof PyDate
    ? value
    : raise('TypeError', `combine() argument 1 must be datetime.date, not ${typeName(value)}`);

const needTime = (value: Value): PyTime =>
  value instanceof PyTime
    ? value
    : raise('TypeError', `combine() argument 2 must be datetime.time, not ${typeName(value)}`);

const dateType = (now: () => PyDateTime): TypeObject =>
  new TypeObject(
    'datetime.date',
    native('date(year, month, day)', (...parts) => {
      const [year = 1, month = 1, day = 1] = parts.map(needWhole);
      return new PyDate(checkDate(year, month, day));
    }),
    new Map<string, Value>([
      ...DATE_BOUNDS,
      ['today', native('today()', () => new PyDate(now().day))],
      [
        'fromtimestamp',
        native(
          'fromtimestamp(timestamp, /)',
          (seconds) => new PyDate(checkDay(splitSeconds(seconds ?? null)[0])),
        ),
      ],
      [
        'fromordinal',
        native('fromordinal(ordinal, /)', (ordinal) => new PyDate(dayOfOrdinal(ordinal ?? null))),
      ],
      ['fromisoformat', native('fromisoformat(date_string, /)', (text) => isoDate(text ?? null))],
      [
        'fromisocalendar',
        native('fromisocalendar(year, week, day)', (...parts) => {
          const [year = 1, week = 1, day = 1] = parts.map(needWhole);
          return new PyDate(isoWeekDay(year, week, day));
        }),
      ],
    ]),
  );

const dayOfOrdinal = (value: Value): number => {
  const ordinal = needWhole(value);
  return ordinal < 1 ? raise('ValueError', 'ordinal must be >= 1') : checkDay(ordinal - EPOCH_ORDINAL);
};

const isoDate = (value: Value): PyDate => {
  const text = needTextOf(value, 'fromisoformat: argument');
  const { day, rest } = parseIsoDate(text);
  return rest === '' ? new PyDate(day) : raise('ValueError', `Invalid isoformat string: ${textRepr(text)}`);
};

const timeType = new TypeObject(
  'datetime.time',
  native('time(hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0)', (...parts) => {
    const [hour = 0, minute = 0, second = 0, micro = 0] = parts.slice(0, 4).map(needWhole);
    return new PyTime(
      checkTime(hour, minute, second, micro),
      needZone(parts[4] ?? null),
      needFold(parts[5] ?? 0),
    );
  }),
  new Map<string, Value>([
    ...TIME_BOUNDS,
    [
      'fromisoformat',
      native('fromisoformat(time_string, /)', (text) => {
        const { micros, zone } = parseIsoTime(
          needTextOf(text ?? null, 'fromisoformat: argument').replace(/^T/, ''),
        );
        return new PyTime(micros, zone);
      }),
    ],
  ]),
);

const dateTimeStatics = (now: (zone: Value) => PyDateTime): ReadonlyMap<string, Value> =>
  new Map<string, Value>([
    ...DATETIME_BOUNDS,
    ['now', native('now(tz=None)', (zone) => now(zone ?? null))],
    ['today', native('today()', () => now(null))],
    ['utcnow', native('utcnow()', () => now(null))],
    [
      'fromtimestamp',
      native('fromtimestamp(timestamp, tz=None)', (seconds, given) => {
        const [day, micros] = splitSeconds(seconds ?? null);
        const zone = needZone(given ?? null);
        return zone === null
          ? new PyDateTime(checkDay(day), micros, null)
          : atInstant(checkDay(day), micros, zone);
      }),
    ],
    [
      'utcfromtimestamp',
      native('utcfromtimestamp(timestamp, /)', (seconds) => {
        const [day, micros] = splitSeconds(seconds ?? null);
        return new PyDateTime(checkDay(day), micros, null);
      }),
    ],
    [
      'fromordinal',
      native('fromordinal(ordinal, /)', (ordinal) => new PyDateTime(dayOfOrdinal(ordinal ?? null), 0, null)),
    ],
    [
      'fromisoformat',
      native('fromisoformat(date_string, /)', (text) =>
        parseIsoText(needTextOf(text ?? null, 'fromisoformat: argument')),
      ),
    ],
    [
      'fromisocalendar',
      native('fromisocalendar(year, week, day)', (...parts) => {
        const [year = 1, week = 1, day = 1] = parts.map(needWhole);
        return new PyDateTime(isoWeekDay(year, week, day), 0, null);
      }),
    ],
    [
      'strptime',
      native('strptime(date_string, format, /)', (text, format) =>
        parseFormat(
          needTextOf(text ?? null, 'strptime() argument 1'),
          needTextOf(format ?? null, 'strptime() argument 2'),
        ),
      ),
    ],
    [
      'combine',
      native('combine(date, time, tzinfo=True)', (date, time, zone) => {
        const clock = needTime(time ?? null);
        return new PyDateTime(
          needDate(date ?? null).day,
          clock.micros,
          zone === true ? clock.zone : needZone(zone ?? null),
          clock.fold,
        );
      }),
    ],
  ]);

const dateTimeType = (now: (zone: Value) => PyDateTime): TypeObject =>
  new TypeObject(
    'datetime.datetime',
    native(
      'datetime(year, month, day, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0)',
      (...parts) => {
        const [year = 1, month = 1, day = 1, hour = 0, minute = 0, second = 0, micro = 0] = parts
          .slice(0, 7)
          .map(needWhole);
        return new PyDateTime(
          checkDate(year, month, day),
          checkTime(hour, minute, second, micro),
          needZone(parts[7] ?? null),
          needFold(parts[8] ?? 0),
        );
      },
    ),
    dateTimeStatics(now),
  );

const timedeltaType = new TypeObject(
  'datetime.timedelta',
  makeTimedelta,
  new Map<string, Value>(
    (['min', 'max', 'resolution'] as const).map((name) => [
      name,
      new PyTimedelta(0, 0).attribute(name) ?? null,
    ]),
  ),
  directDelta,
);

const timezoneType = new TypeObject(
  'datetime.timezone',
  native('timezone(offset, name=None)', (offset, name = null) => {
    if (!(offset instanceof PyTimedelta)) {
      return raise(
        'TypeError',
        `timezone() argument 1 must be datetime.timedelta, not ${typeName(offset ?? null)}`,
      );
    }
    return fixedTimezone(offset, name === null ? null : needTextOf(name, 'name'));
  }),
  new Map<string, Value>([['utc', UTC_ZONE]]),
);

/** `now`: the clock of `datetime.now()`. */
export const datetimeModule = (now: () => Micros): HostModule => {
  const nowIn = (given: Value): PyDateTime => {
    const zone = needZone(given);
    const utc = dateTimeAt(now(), zone ?? UTC_ZONE);
    return zone === null ? new PyDateTime(utc.day, utc.micros, null) : utc;
  };
  return new HostModule('datetime', {
    datetime: dateTimeType(nowIn),
    date: dateType(() => nowIn(null)),
    time: timeType,
    timedelta: timedeltaType,
    timezone: timezoneType,
    UTC: UTC_ZONE,
    MINYEAR: 1,
    MAXYEAR: 9999,
  });
};

export const zoneValue = (id: string): PyZone | null => {
  const zone = zoneOf(id);
  return zone === null ? null : new PyZone(zone);
};
