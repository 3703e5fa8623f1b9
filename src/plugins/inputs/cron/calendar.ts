import type { CronExpression } from './expression.js';

/** Days since 1970-01-01 of a calendar that has no zone. */
export type DayNumber = number;

const MS_PER_DAY = 86_400_000;

/** 1970-01-01 was a Thursday. */
const weekdayOf = (day: DayNumber): number => (((day + 4) % 7) + 7) % 7;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a day of a fitting month fits: `day` from 1 in a month of `length` days. */
const fits = (
  { monthDays, weekdays }: CronExpression,
  day: number,
  length: number,
  weekday: number,
): boolean => {
  if (monthDays === null && weekdays === null) return true;
  if (monthDays !== null && (monthDays.days.includes(day) || (monthDays.hasLast && day === length))) {
    return true;
  }
  return (
    weekdays !== null &&
    (weekdays.every.includes(weekday) ||
      (day > length - 7 && weekdays.last.includes(weekday)) ||
      weekdays.nth.some((item) => item.weekday === weekday && item.nth === Math.ceil(day / 7)))
  );
};

/**
 * For each day of a year, from 0, the first fitting day of the year on or after it, or `NONE`. One entry
 * more: the day after the year, so that a search may go on from there into the next year.
 */
type FittingDays = Int16Array;

const NONE = -1;

/** Of any year of `yearLength` days whose 1 January is `firstWeekday`. */
const fittingDays = (expression: CronExpression, yearLength: number, firstWeekday: number): FittingDays => {
  const table = new Int16Array(yearLength + 1).fill(NONE);
  let [dayOfYear, next] = [yearLength, NONE];
  for (let month = 12; month >= 1; month--) {
    const length = (MONTH_LENGTHS[month - 1] as number) + (month === 2 ? yearLength - 365 : 0);
    const isFitting = expression.months.includes(month);
    for (let day = length; day >= 1; day--) {
      dayOfYear--;
      if (isFitting && fits(expression, day, length, (firstWeekday + dayOfYear) % 7)) next = dayOfYear;
      table[dayOfYear] = next;
    }
  }
  return table;
};

/**
 * Tables of an expression by kind of year: there are 14, by length and weekday of 1 January. Each is made
 * when a search first meets it and kept as long as the expression, which generators share.
 */
const tablesOf = new WeakMap<CronExpression, FittingDays[]>();

/**
 * Makes a search for the days of an expression: the first fitting day on or after `day`, or Infinity when
 * there is none up to the end of the year of `lastDay`. A look into the table of a year, so that rare days
 * cost a step a year; closures and plain loops because it runs for each tick of a rare schedule.
 */
export const dayFinder = (
  expression: CronExpression,
  lastDay: DayNumber,
): ((day: DayNumber) => DayNumber) => {
  const tables = tablesOf.get(expression) ?? [];
  tablesOf.set(expression, tables);
  /** The year at hand and its table; at first one that holds no day. */
  let [year, firstDay, length] = [0, 0, -1];
  let table: FittingDays = new Int16Array(0);
  /** The question asked last and its answer: no day between them fits. */
  let [asked, answer] = [1, 0];

  const load = (ofYear: number, ofFirstDay: DayNumber): void => {
    year = ofYear;
    firstDay = ofFirstDay;
    length = isLeap(year) ? 366 : 365;
    const weekday = weekdayOf(firstDay);
    const kind = weekday + 7 * (length - 365);
    table = tables[kind] ??= fittingDays(expression, length, weekday);
  };

  const find = (day: DayNumber): DayNumber => {
    if (day < firstDay || day > firstDay + length) {
      const ofYear = new Date(day * MS_PER_DAY).getUTCFullYear();
      // Whole as it is: Math.floor has the engine keep it as an integer, with which it is twice as fast.
      load(ofYear, Math.floor(Date.UTC(ofYear, 0, 1) / MS_PER_DAY));
    }
    let found = table[day - firstDay] as number;
    while (found === NONE) {
      if (firstDay + length > lastDay) return Number.POSITIVE_INFINITY;
      load(year + 1, firstDay + length);
      found = table[0] as number;
    }
    return firstDay + found;
  };

  return (day) => {
    if (day < asked || day > answer) {
      asked = day;
      answer = find(day);
    }
    return answer;
  };
};
