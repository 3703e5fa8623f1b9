import type { CronExpression } from './expression.js';

/** Days since 1970-01-01 of a calendar that has no zone. */
export type DayNumber = number;

const MS_PER_DAY = 86_400_000;

/** 1970-01-01 was a Thursday. */
const weekdayOf = (day: DayNumber): number => (((day + 4) % 7) + 7) % 7;

/** Days of a month that fit, bit 0 for the first; `length` is the number of days of the month. */
const fittingDays = (expression: CronExpression, firstDay: DayNumber, length: number): number => {
  const { monthDays, weekdays } = expression;
  const fitsMonthDay = (day: number): boolean =>
    monthDays !== null && (monthDays.days.includes(day) || (monthDays.hasLast && day === length));
  const fitsWeekday = (day: number): boolean => {
    if (weekdays === null) return false;
    const weekday = weekdayOf(firstDay + day - 1);
    return (
      weekdays.every.includes(weekday) ||
      (day > length - 7 && weekdays.last.includes(weekday)) ||
      weekdays.nth.some((item) => item.weekday === weekday && item.nth === Math.ceil(day / 7))
    );
  };
  const isEveryDay = monthDays === null && weekdays === null;
  let bits = 0;
  for (let day = 1; day <= length; day++) {
    if (isEveryDay || fitsMonthDay(day) || fitsWeekday(day)) bits |= 1 << (day - 1);
  }
  return bits;
};

/**
 * Makes a search for the days of an expression: the first fitting day on or after `day`, or Infinity when
 * there is none up to the end of the month of `lastDay`. Steps month by month; the month at hand is kept.
 */
export const dayFinder = (
  expression: CronExpression,
): ((day: DayNumber, lastDay: DayNumber) => DayNumber) => {
  let year = 0;
  let month = 0;
  let firstDay = 0;
  let length = 0;
  let bits = 0;

  /** `monthIndex` from 0; 12 is January of the year after. */
  const load = (ofYear: number, monthIndex: number): void => {
    year = ofYear + Math.floor(monthIndex / 12);
    month = monthIndex % 12;
    firstDay = Date.UTC(year, month, 1) / MS_PER_DAY;
    length = Date.UTC(year, month + 1, 1) / MS_PER_DAY - firstDay;
    bits = expression.months.includes(month + 1) ? fittingDays(expression, firstDay, length) : 0;
  };

  return (day, lastDay) => {
    if (day < firstDay || day >= firstDay + length) {
      const date = new Date(day * MS_PER_DAY);
      load(date.getUTCFullYear(), date.getUTCMonth());
    }
    for (let from = day; ; from = firstDay) {
      const rest = bits >>> (from - firstDay);
      // The lowest bit set is the next day that fits.
      if (rest !== 0) return from + 31 - Math.clz32(rest & -rest);
      if (firstDay + length > lastDay) return Number.POSITIVE_INFINITY;
      load(year, month + 1);
    }
  };
};
