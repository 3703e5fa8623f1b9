import type { CronExpression } from './expression.js';

/** Days since 1970-01-01, without a zone. */
type DayNumber = number;

const MS_PER_DAY = 86_400_000;

/** 1970-01-01 was a Thursday. */
const weekdayOf = (day: DayNumber): number => (((day + 4) % 7) + 7) % 7;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether day `day` (from 1) of a matching month of `length` days matches. */
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
 * For each day of a year, from 0: the first matching day on or after it, or `NONE`. The extra entry is the day after
 * the year.
 */
type FittingDays = Int16Array;

const NONE = -1;

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

/** Tables by length and first weekday of a year: at most 14 per expression. Generators share expressions. */
const tablesOf = new WeakMap<CronExpression, FittingDays[]>();

/**
 * Finds the first matching day on or after `day`, Infinity if there is none up to the end of the year of `lastDay`.
 * Rare days cost one step per year. Plain loops: this runs for each tick of a rare schedule.
 */
export const dayFinder = (
  expression: CronExpression,
  lastDay: DayNumber,
): ((day: DayNumber) => DayNumber) => {
  const tables = tablesOf.get(expression) ?? [];
  tablesOf.set(expression, tables);
  /** The current year and its table; at first one without days. */
  let [year, firstDay, length] = [0, 0, -1];
  let table: FittingDays = new Int16Array(0);
  /** The last question and its answer: no day between them matches. */
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
      // Already whole: Math.floor makes V8 store an integer, which is twice as fast.
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
