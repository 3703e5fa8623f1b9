import type { Micros } from '../../domain/time/micros.js';
import { raise } from '../errors.js';
import { asDouble } from '../text/numbers.js';
import { native } from '../values/methods.js';
import { listFrom } from '../values/operations/iterate.js';
import { needIndex } from '../values/operations/subscript.js';
import { type Callable, floatOf, intOf, typeName, type Value } from '../values/value.js';
import { checkDate, checkTime, DAY_MICROS, needTextOf, secondText } from './datetime/civil.js';
import { ctime, type NamedTuple, structTime } from './datetime/date.js';
import { strftime } from './datetime/format.js';
import { parseFormat } from './datetime/parseDate.js';
import type { PyTzinfo } from './datetime/zones.js';
import { HostModule } from './hostModule.js';

const MICROS_PER_SECOND = 1_000_000;
const FORMAT = '%a %b %d %H:%M:%S %Y';

/** Day, microseconds of the day, zone. */
interface Wall {
  readonly day: number;
  readonly micros: number;
  readonly fold: number;
}

const wallOf = (micros: number, zone: PyTzinfo | null): Wall & { readonly offset: number } => {
  const day = Math.floor(micros / DAY_MICROS);
  const { offset, fold } =
    zone === null ? { offset: 0, fold: 0 } : zone.fromUtc(day, micros - day * DAY_MICROS);
  const local = micros + offset * MICROS_PER_SECOND;
  const localDay = Math.floor(local / DAY_MICROS);
  return { day: localDay, micros: local - localDay * DAY_MICROS, fold, offset };
};

const wallOfTuple = (value: Value): Wall => {
  const items = listFrom(value);
  if (items.length !== 9)
    return raise('TypeError', `time tuple must have exactly 9 elements (${items.length} given)`);
  const [year = 1900, month = 1, day = 1, hour = 0, minute = 0, second = 0] = items.map(needIndex);
  const start = checkDate(year, month === 0 ? 1 : month, day === 0 ? 1 : day);
  return { day: start, micros: checkTime(hour, minute, Math.min(second, 59), 0), fold: 0 };
};

/** Every clock shows the event's time; nothing sleeps. */
export const timeModule = (now: () => Micros, zone: PyTzinfo): HostModule => {
  const secondsOf = (value: Value): number => {
    if (value === null) return now();
    const seconds = asDouble(value);
    if (seconds === undefined)
      return raise('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`);
    const whole = Math.floor(seconds) * MICROS_PER_SECOND;
    return Math.abs(whole) < 2 ** 53
      ? whole
      : raise('OverflowError', 'timestamp out of range for platform time_t');
  };
  const tuple = (micros: number, where: PyTzinfo | null): NamedTuple => {
    const wall = wallOf(Math.floor(micros / MICROS_PER_SECOND) * MICROS_PER_SECOND, where);
    return structTime(wall.day, wall.micros, where === null ? 0 : Number((where.dstAt(wall) ?? 0) !== 0));
  };
  const given = (value: Value): Wall => (value === null ? wallOf(now(), zone) : wallOfTuple(value));
  const seconds: Callable = native('time()', () => floatOf(now() / MICROS_PER_SECOND));
  const nanoseconds: Callable = native('time_ns()', () => intOf(BigInt(now()) * 1_000n));
  const ascii = ({ day, micros }: Wall): string =>
    ctime(day, secondText(micros)).replace(/ 0(?=\d{3}$)/, '  ');
  return new HostModule('time', {
    time: seconds,
    time_ns: nanoseconds,
    monotonic: seconds,
    monotonic_ns: nanoseconds,
    perf_counter: seconds,
    perf_counter_ns: nanoseconds,
    gmtime: native('gmtime(seconds=None, /)', (value = null) => tuple(secondsOf(value), null)),
    localtime: native('localtime(seconds=None, /)', (value = null) => tuple(secondsOf(value), zone)),
    mktime: native('mktime(t, /)', (value = null) => {
      const wall = wallOfTuple(value);
      const local = wall.day * DAY_MICROS + wall.micros;
      return floatOf(local / MICROS_PER_SECOND - zone.offsetAt(wall));
    }),
    strftime: native('strftime(format, t=None, /)', (format = null, value = null) => {
      const wall = given(value);
      const { day, micros } = wall;
      return strftime(
        { day, micros, offset: zone.offsetAt(wall), name: () => zone.nameAt(wall) },
        needTextOf(format, 'strftime() argument 1'),
      );
    }),
    strptime: native(`strptime(string, format='${FORMAT}', /)`, (text = null, format = null) => {
      const { day, micros } = parseFormat(
        needTextOf(text, 'strptime() argument 0'),
        needTextOf(format, 'strptime() argument 1'),
      );
      return structTime(day, micros, -1);
    }),
    asctime: native('asctime(t=None, /)', (value = null) => ascii(given(value))),
    ctime: native('ctime(seconds=None, /)', (value = null) => ascii(wallOf(secondsOf(value), zone))),
  });
};
