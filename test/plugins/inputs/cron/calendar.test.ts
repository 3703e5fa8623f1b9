import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { dayFinder } from '../../../../src/plugins/inputs/cron/calendar.js';
import { type CronExpression, parseCron } from '../../../../src/plugins/inputs/cron/expression.js';
import { cron } from './support.js';

const MS_PER_DAY = 86_400_000;
const dayOf = (date: string): number => Date.parse(date) / MS_PER_DAY;
const dateOf = (day: number): string => new Date(day * MS_PER_DAY).toISOString().slice(0, 10);

const FIRST = dayOf('1900-01-01');
const LAST = dayOf('2255-12-31');

/** Every day of the centuries as Date has it. */
const DAYS = Array.from({ length: LAST - FIRST + 1 }, (_, index) => {
  const date = new Date((FIRST + index) * MS_PER_DAY);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return { month: month + 1, day: date.getUTCDate(), length, weekday: date.getUTCDay() };
});

/** The rules, day by day. */
const fits = (
  expression: CronExpression,
  { month, day, length, weekday }: (typeof DAYS)[number],
): boolean => {
  const { months, monthDays, weekdays } = expression;
  if (!months.includes(month)) return false;
  if (monthDays === null && weekdays === null) return true;
  return (
    monthDays?.days.includes(day) === true ||
    (monthDays?.hasLast === true && day === length) ||
    weekdays?.every.includes(weekday) === true ||
    (weekdays?.last.includes(weekday) === true && day + 7 > length) ||
    weekdays?.nth.some(
      (item) => item.weekday === weekday && day > 7 * item.nth - 7 && day <= 7 * item.nth,
    ) === true
  );
};

/** For each of `DAYS` the first fitting day on or after it, Infinity for none. */
const plainAnswers = (expression: CronExpression): Float64Array => {
  const answers = new Float64Array(DAYS.length);
  let next = Number.POSITIVE_INFINITY;
  for (let index = DAYS.length - 1; index >= 0; index--) {
    const date = DAYS[index];
    if (date !== undefined && fits(expression, date)) next = FIRST + index;
    answers[index] = next;
  }
  return answers;
};

const list = <A>(item: fc.Arbitrary<A>): fc.Arbitrary<string> =>
  fc.array(item, { minLength: 1, maxLength: 4 }).map((items) => items.join());
const number = (min: number, max: number): fc.Arbitrary<string> => fc.integer({ min, max }).map(String);

const monthDay = fc.oneof(fc.constant('*'), list(fc.oneof(number(1, 31), fc.constantFrom('L', '29', '31'))));
const month = fc.oneof(fc.constantFrom('*', '2'), list(number(1, 12)));
const weekday = fc.oneof(
  { weight: 2, arbitrary: fc.constant('*') },
  list(
    fc.oneof(
      number(0, 6),
      number(0, 6).map((day) => `${day}L`),
      fc.tuple(number(0, 6), number(1, 5)).map(([day, nth]) => `${day}#${nth}`),
    ),
  ),
);
const expression = fc
  .tuple(monthDay, month, weekday)
  .map(([day, ofMonth, ofWeek]) => parseCron(`0 0 ${day} ${ofMonth} ${ofWeek}`))
  .filter(E.isRight)
  .map(({ right }) => right);

describe('the days of an expression', () => {
  test('are those found by looking at every day of 1900 to 2255', () => {
    fc.assert(
      fc.property(expression, (of) => {
        const [find, answers] = [dayFinder(of, LAST), plainAnswers(of)];
        for (let day = FIRST; day <= LAST; day = find(day) + 1) {
          // Compared by hand: `expect` for each of thousands of days takes longer than all else.
          if (find(day) !== answers[day - FIRST]) expect(find(day)).toBe(answers[day - FIRST]);
        }
      }),
      { seed: 1, numRuns: 150 },
    );
  });

  test('are found from any day, in any order of questions', () => {
    const questions = fc.array(fc.integer({ min: FIRST + 1, max: LAST - 1 }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(expression, questions, (of, days) => {
        const [find, answers] = [dayFinder(of, LAST), plainAnswers(of)];
        const asked = days.flatMap((day) => [day, day + 1, day - 1, day]);
        expect(asked.map(find)).toEqual(asked.map((day) => answers[day - FIRST]));
      }),
      { seed: 1, numRuns: 80 },
    );
  });

  test.each([
    ['0 0 29 2 *', '1896-03-01', '1904-02-29'],
    ['0 0 29 2 *', '1999-01-01', '2000-02-29'],
    ['0 0 29 2 *', '2096-03-01', '2104-02-29'],
    ['0 0 L 2 *', '2100-01-01', '2100-02-28'],
    ['0 0 L 2 *', '2000-01-01', '2000-02-29'],
    ['0 0 L 12 *', '2024-12-31', '2024-12-31'],
    ['0 0 1 1 *', '2024-12-31', '2025-01-01'],
    // 29 February on a Sunday comes every 28 years, and not over 1900.
    ['0 0 * 2 0#5', '1880-03-01', '1920-02-29'],
    ['0 0 * * *', '1970-01-01', '1970-01-01'],
    ['0 0 * * *', '1969-12-31', '1969-12-31'],
    ['0 0 1 * *', '1684-11-05', '1684-12-01'],
  ])('the first of %s from %s on is %s', (text, from, expected) => {
    expect(dateOf(dayFinder(cron(text), LAST)(dayOf(from)))).toBe(expected);
  });

  test('are none after the year of the last day', () => {
    const find = dayFinder(cron('0 0 29 2 *'), dayOf('2255-06-07'));
    expect([find(dayOf('2252-02-29')), find(dayOf('2252-03-01'))]).toEqual([
      dayOf('2252-02-29'),
      Number.POSITIVE_INFINITY,
    ]);
    expect(find(dayOf('2252-02-01'))).toBe(dayOf('2252-02-29'));
  });

  test('of one expression are found by two searches that do not disturb each other', () => {
    const of = cron('0 0 13 * 5');
    const [ahead, behind] = [dayFinder(of, LAST), dayFinder(of, LAST)];
    expect(dateOf(ahead(dayOf('2200-01-01')))).toBe('2200-01-03');
    expect(dateOf(behind(dayOf('2000-01-01')))).toBe('2000-01-07');
    expect(dateOf(ahead(dayOf('2200-01-04')))).toBe('2200-01-10');
  });
});
