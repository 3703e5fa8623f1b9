import type { Random } from '../../../../../domain/random.js';
import { type PyDateTime, raise, type Value, zoneValue } from '../../../../../template/index.js';
import { pick, wholeBetween } from '../faker/draws.js';
import { monthName, timezoneName, weekdayName } from '../faker/groups/dateTime.js';
import type { LoadedLocale } from '../faker/locales.js';
import { civilSeconds, momentAt, nowSeconds, secondBetween } from '../faker/moments.js';
import { fakeText, flag, type Group, whole, wholeOrNone } from '../faker/providers.js';
import { plainOf } from './enums.js';

const YEAR_LIMITS = [1, 9_999] as const;

/** Year of the event, in the generator's zone. */
const thisYear = (locale: LoadedLocale): number =>
  new Date(nowSeconds(locale, null) * 1_000).getUTCFullYear();

const yearOf = (value: Value | undefined, name: string, fallback: number): number => {
  const year = wholeOrNone(value, name) ?? fallback;
  const [first, last] = YEAR_LIMITS;
  return year < first || year > last ? raise('ValueError', `${name} must be a year from 1 to 9999`) : year;
};

const zoneOf = (value: Value | undefined): Value => {
  const name = plainOf(value);
  if (name === null || typeof name !== 'string') return name;
  return zoneValue(name) ?? raise('ValueError', `unknown time zone '${name}'`);
};

const moment = (
  locale: LoadedLocale,
  start: Value | undefined,
  end: Value | undefined,
  zone: Value = null,
): PyDateTime => {
  const current = thisYear(locale);
  const first = civilSeconds(yearOf(start, 'start', 2_000), 1, 1);
  const last = civilSeconds(yearOf(end, 'end', current) + 1, 1, 1) - 1;
  return momentAt(secondBetween(locale.random, first, last), zone);
};

const ZONE_NAMES = Intl.supportedValuesOf('timeZone');

const timezone = (locale: LoadedLocale, region: Value | undefined): string => {
  const wanted = plainOf(region);
  if (wanted === null) return timezoneName(locale);
  const known = ZONE_NAMES.filter((id) => id.startsWith(`${fakeText(wanted, 'region')}/`));
  return known.length === 0
    ? raise('ValueError', `no time zone in the region '${fakeText(wanted, 'region')}'`)
    : pick(locale.random, known);
};

const gmtOffset = (random: Random): string => {
  const minutes = pick(random, [0, 0, 0, 30]);
  const hours = random.integer(-11, 12);
  return `UTC ${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
};

const PERIODS = ['Always', 'Never', 'Often', 'Once', 'Rarely', 'Sometimes', 'Usually'];

export const datetime: Group = (locale) => {
  const { random } = locale;
  const any = (start?: Value, end?: Value, zone?: Value): PyDateTime =>
    moment(locale, start, end, zoneOf(zone));
  return {
    'datetime(start=None, end=None, timezone=None)': any,
    "formatted_datetime(fmt='', start=None, end=None)": (format, start, end) =>
      any(start, end).format(fakeText(format, 'fmt') || '%Y-%m-%d %H:%M:%S'),
    'date(start=None, end=None)': (start, end) => any(start, end).callMethod('date', [], null) ?? null,
    "formatted_date(fmt='', start=None, end=None)": (format, start, end) =>
      any(start, end).format(fakeText(format, 'fmt') || '%Y-%m-%d'),
    'time()': () => any().callMethod('time', [], null) ?? null,
    "formatted_time(fmt='')": (format) => any().format(fakeText(format, 'fmt') || '%H:%M:%S'),
    'timestamp(fmt=None, start=None, end=None)': (format, start, end) => {
      const when = any(start, end);
      const form = plainOf(format);
      if (form === null || form === 1) return Number(when.instant / 1_000_000n);
      return form === 3 ? `${when.isoformat('T', 'seconds')}Z` : when.isoformat('T', 'auto');
    },
    'year(minimum=1990, maximum=None)': (low, high) =>
      wholeBetween(random, whole(low, 'minimum'), wholeOrNone(high, 'maximum') ?? thisYear(locale), 'year'),
    'month(abbr=False)': (isShort) =>
      flag(isShort) ? locale.of((faker) => faker.date.month({ abbreviated: true })) : monthName(locale),
    'day_of_week(abbr=False)': (isShort) =>
      flag(isShort) ? locale.of((faker) => faker.date.weekday({ abbreviated: true })) : weekdayName(locale),
    'day_of_month()': () => random.integer(1, 31),
    'week_date(start=None, end=None)': (start, end) => any(start, end).format('%G-W%V'),
    'century()': () => pick(random, 'I V X XV XVI XVII XVIII XIX XX XXI'.split(' ')),
    'periodicity()': () => pick(random, PERIODS),
    'timezone(region=None)': (region) => timezone(locale, region),
    'gmt_offset()': () => gmtOffset(random),
  };
};
