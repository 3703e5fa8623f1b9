import { DAY_NAMES_FROM_MONDAY, MONTH_NAMES } from '../../domain/time/englishNames.js';
import { native } from '../values/calls/method.js';
import { raise } from '../values/fault.js';
import { iterate } from '../values/operations/iterate.js';
import { needIndex } from '../values/operations/subscript.js';
import { PyTuple } from '../values/types/tuple.js';
import { intOf, type Value } from '../values/value.js';
import { dayOf, isLeap, monthLength, weekdayOf } from './datetime/civil.js';
import { HostModule } from './hostModule.js';

const MONTHS = ['', ...MONTH_NAMES];
const DAYS = DAY_NAMES_FROM_MONDAY;

const timegm = (value: Value | undefined): Value => {
  const [year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0] = [...iterate(value ?? null)]
    .slice(0, 6)
    .map(needIndex);
  const days = dayOf(year, month, 1) + day - 1;
  return intOf(BigInt(days) * 86_400n + BigInt((hour * 60 + minute) * 60 + second));
};

const monthRange = (year: number, month: number): PyTuple => {
  if (month < 1 || month > 12) return raise('IllegalMonthError', `bad month number ${month}; must be 1-12`);
  return new PyTuple([weekdayOf(dayOf(year, month, 1)), monthLength(year, month)]);
};

const leapDays = (from: number, to: number): number => {
  const before = (year: number): number =>
    Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  return before(to - 1) - before(from - 1);
};

export const calendarModule = (): HostModule => {
  const days = Object.fromEntries(DAYS.map((name, index) => [name.toUpperCase(), index]));
  return new HostModule('calendar', {
    ...days,
    timegm: native('timegm(tuple)', timegm),
    isleap: native('isleap(year)', (year) => isLeap(needIndex(year ?? null))),
    leapdays: native('leapdays(y1, y2)', (from, to) =>
      leapDays(needIndex(from ?? null), needIndex(to ?? null)),
    ),
    monthrange: native('monthrange(year, month)', (year, month) =>
      monthRange(needIndex(year ?? null), needIndex(month ?? null)),
    ),
    weekday: native('weekday(year, month, day)', (year, month, day) =>
      weekdayOf(dayOf(needIndex(year ?? null), needIndex(month ?? null), needIndex(day ?? null))),
    ),
    month_name: [...MONTHS],
    month_abbr: MONTHS.map((name) => name.slice(0, 3)),
    day_name: [...DAYS],
    day_abbr: DAYS.map((name) => name.slice(0, 3)),
  });
};
