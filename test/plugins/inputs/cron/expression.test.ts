import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { checkWithCronParser, parseCron } from '../../../../src/plugins/inputs/cron/expression.js';
import { cron } from './support.js';

const range = (low: number, high: number, step = 1): number[] =>
  Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => low + i * step);

describe('a cron expression', () => {
  test('has five fields that fire at second 0', () => {
    expect(cron('5,10-12 */6 1 2 *')).toEqual({
      seconds: [0],
      minutes: [5, 10, 11, 12],
      hours: [0, 6, 12, 18],
      monthDays: { days: [1], hasLast: false },
      months: [2],
      weekdays: null,
      isWildcard: true,
    });
  });

  test('has seconds first in its six-field form', () => {
    expect(cron('* * 9-17 * * MON-FRI')).toMatchObject({
      seconds: range(0, 59),
      minutes: range(0, 59),
      hours: range(9, 17),
      weekdays: { every: range(1, 5) },
    });
    expect(cron('*/20 1 2 3 4 5')).toMatchObject({ seconds: [0, 20, 40], minutes: [1], hours: [2] });
  });

  test.each([
    ['0-30/10 * * * *', [0, 10, 20, 30]],
    ['50/5 * * * *', [50, 55]],
    ['*/60 * * * *', [0]],
    ['3,1,2,1-3 * * * *', [1, 2, 3]],
    ['007 * * * *', [7]],
    ['? * * * *', range(0, 59)],
    ['*,5 * * * *', range(0, 59)],
  ])('reads the minutes of %s', (text, minutes) => {
    expect(cron(text).minutes).toEqual(minutes);
  });

  test.each([
    ['0 0 * JAN,mar,Dec *', [1, 3, 12]],
    ['0 0 * feb-APR *', [2, 3, 4]],
    ['0 0 * OCT/2 *', [10, 12]],
  ])('reads the months of %s, names in any case', (text, months) => {
    expect(cron(text).months).toEqual(months);
  });

  test.each([
    ['0', [0]],
    ['7', [0]],
    ['sun', [0]],
    ['5-7', [0, 5, 6]],
    ['SAT-SUN', [0, 6]],
    ['0-7', range(0, 6)],
    ['1/2', [0, 1, 3, 5]],
    ['*/2', [0, 2, 4, 6]],
    ['Mon,THU', [1, 4]],
  ])('reads %s as weekdays, with Sunday as 0', (field, every) => {
    expect(cron(`0 0 * * ${field}`).weekdays).toEqual({ every, last: [], nth: [] });
  });

  test.each(['5L', 'L5', 'FRIL', 'LFRI'])('reads %s as the last Friday', (field) => {
    expect(cron(`0 0 * * ${field}`).weekdays).toEqual({ every: [], last: [5], nth: [] });
  });

  test('reads # as the nth weekday, in lists too', () => {
    expect(cron('0 0 * * 5#2,mon#1,7#3,3').weekdays).toEqual({
      every: [3],
      last: [],
      nth: [
        { weekday: 5, nth: 2 },
        { weekday: 1, nth: 1 },
        { weekday: 0, nth: 3 },
      ],
    });
  });

  test('reads L as the last day of the month, in lists too', () => {
    expect(cron('0 0 L * *').monthDays).toEqual({ days: [], hasLast: true });
    expect(cron('0 0 15,L * *').monthDays).toEqual({ days: [15], hasLast: true });
  });

  test.each([
    ['@hourly', '0 * * * *'],
    ['@daily', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    ['@weekly', '0 0 * * 0'],
    ['@monthly', '0 0 1 * *'],
    ['@yearly', '0 0 1 1 *'],
    [' @Annually ', '0 0 1 1 *'],
  ])('knows %s', (alias, text) => {
    expect(cron(alias)).toEqual(cron(text));
  });

  test.each([
    ['* * * * *', true],
    ['*/15 3 * * *', true],
    ['0 * * * *', true],
    ['0 */2 * * *', true],
    ['? 3 * * *', true],
    ['* 30 2 * * *', false],
    ['0 0-23 * * *', false],
    ['30 2 * * *', false],
  ])('%s: goes through offset changes as a wildcard is %s', (text, isWildcard) => {
    expect(cron(text).isWildcard).toBe(isWildcard);
  });

  test('takes any white space between and around its fields', () => {
    expect(cron('\t 1  2\t3 4 \n *  ')).toEqual(cron('1 2 3 4 *'));
  });

  test.each([
    '0 0 29 2 *',
    '0 0 30 2 MON',
    '0 0 31 4 0#5',
    '0 0 31 4 5L',
    '0 0 31 2,3 *',
    '0 0 L 2 *',
    '0 0 30-31 APR *',
  ])('is possible: %s', (text) => {
    expect(E.isRight(parseCron(text))).toBe(true);
  });
});

describe('a bad cron expression is refused with what, where and what to write instead', () => {
  test.each([
    ['', 'the expression is empty', 'Write five fields'],
    ['  ', 'the expression is empty', '*/5 * * * *'],
    [
      '* * * *',
      'has 4 fields',
      'five fields (minute hour day-of-month month day-of-week), or six with seconds',
    ],
    ['5', 'has 1 field.', 'Write five fields'],
    ['0 0 0 1 1 * 2030', 'seven fields, and a year field', 'start and end'],
    ['* * * * * * * *', 'has 8 fields', 'Write five fields'],
    ['60 * * * *', 'the minute field (1 of 5) has 60, which is outside 0 to 59', 'from 0 to 59'],
    ['60 * * * * *', 'the second field (1 of 6) has 60, which is outside 0 to 59', 'from 0 to 59'],
    ['0 24 * * *', 'the hour field (2 of 5) has 24, which is outside 0 to 23', 'from 0 to 23'],
    ['0 0 0 * *', 'the day-of-month field (3 of 5) has 0, which is outside 1 to 31', 'from 1 to 31'],
    ['0 0 32 * *', 'the day-of-month field (3 of 5) has 32', 'from 1 to 31'],
    ['0 0 1 13 *', 'the month field (4 of 5) has 13, which is outside 1 to 12', 'a name from JAN to DEC'],
    ['0 0 * * 8', 'the day-of-week field (5 of 5) has 8, which is outside 0 to 7', 'a name from SUN to SAT'],
    ['99999999999 * * * *', 'the minute field (1 of 5) has a number, which is outside', 'from 0 to 59'],
    ['0 0 30 2 *', 'the day-of-month field (3 of 5) has only days that the given months lack', 'or L for'],
    ['0 0 31 4,6,9,11 *', 'the day-of-month field (3 of 5) has only days', 'Use a day that exists'],
    ['0 0 0 31 JUN ?', 'the day-of-month field (4 of 6) has only days', 'Use a day that exists'],
    ['H * * * *', 'the minute field (1 of 5) uses H', 'Write the value itself'],
    ['H/5 * * * *', 'the minute field (1 of 5) uses H', 'Write the value itself'],
    ['0 H(0-7) * * *', 'the hour field (2 of 5) uses H', 'Write the value itself'],
    ['R * * * *', 'the minute field (1 of 5) uses R', 'Write the value itself'],
    ['0 R(1-5) * * *', 'the hour field (2 of 5) uses R', 'Write the value itself'],
    ['0 0 15W * *', 'the day-of-month field (3 of 5) uses W', 'List the days themselves'],
    ['0 0 LW * *', 'the day-of-month field (3 of 5) uses LW', 'Use L for the last day'],
    ['0 0 L-3 * *', 'the day-of-month field (3 of 5) uses L with other', 'Let L stand alone'],
    ['0 0 * * L', 'the day-of-week field (5 of 5) has L without a weekday', 'Write 5L for the last Friday'],
    ['0 0 * * 8L', 'the day-of-week field (5 of 5) has 8', '0 to 7'],
    ['0 0 * * 5#6', 'the day-of-week field (5 of 5) has a # without a number from 1 to 5', 'Write 5#2'],
    ['0 0 * * 5#', 'the day-of-week field (5 of 5) has a # without', 'Write 5#2'],
    ['0 0 * * 5#1#2', 'the day-of-week field (5 of 5) has a # without', 'Write 5#2'],
    [
      '0 0 * * 1-5#2',
      'the day-of-week field (5 of 5) uses L or # in an unknown form',
      'Write 5L for the last Friday, 5#2',
    ],
    ['L * * * *', 'the minute field (1 of 5) uses L or # in a field that does not take it', 'from 0 to 59'],
    ['*/0 * * * *', 'the minute field (1 of 5) has a step that is not a number of at least 1', 'e.g. */5'],
    ['*/x * * * *', 'the minute field (1 of 5) has a step', 'e.g. */5'],
    ['*/ * * * *', 'the minute field (1 of 5) has a step', 'e.g. */5'],
    ['*/5/2 * * * *', 'the minute field (1 of 5) has more than one step', 'e.g. 10-50/20'],
    ['/5 * * * *', 'the minute field (1 of 5) has an empty part', 'from 0 to 59'],
    ['1,,2 * * * *', 'the minute field (1 of 5) has an empty part', 'from 0 to 59'],
    ['-5 * * * *', 'the minute field (1 of 5) has an empty part', 'from 0 to 59'],
    ['1-2-3 * * * *', 'the minute field (1 of 5) has a range with more than two ends', 'e.g. 1-5'],
    ['*5 * * * *', 'the minute field (1 of 5) mixes * or ?', 'e.g. */5'],
    ['*-5 * * * *', 'the minute field (1 of 5) mixes * or ?', 'e.g. */5'],
    [
      '0 22-2 * * *',
      'the hour field (2 of 5) has a range that runs backwards, 22-2',
      'Write it as two: 22-23,0-2',
    ],
    ['0 0 * * FRI-MON', 'the day-of-week field (5 of 5) has a range that runs backwards, 5-1', '5-6,0-1'],
    ['0 0 * * MONDAY', 'the day-of-week field (5 of 5) has an invalid value', 'from SUN to SAT'],
    ['0 0 * MON *', 'the month field (4 of 5) has an invalid value', 'from JAN to DEC'],
    ['1.5 * * * *', 'the minute field (1 of 5) has an invalid value', 'from 0 to 59'],
    ['@reboot', '@reboot is not a schedule', 'Use a `static` input'],
    ['@every 5m', '@every is not supported', '*/5 * * * *'],
    ['@fortnightly', 'the word after @ is unknown', '@hourly'],
    ['@daily 5', 'the word after @ is unknown', 'Use one of @yearly'],
  ])('%j', (text, what, hint) => {
    const parsed = parseCron(text);
    expect(E.isLeft(parsed) ? parsed.left : 'accepted').toContain(what);
    expect(E.isLeft(parsed) ? parsed.left : '').toContain(hint);
    expect(E.isLeft(parsed) ? parsed.left : '').toContain('. ');
  });

  test.each(['0 9 * * MON-FRI 30', '*/5 9-17 * JAN * 30', '0 0 1 * 7 0,30', '0 0 31 12 * 15'])(
    '%j fits only with seconds last, and says so',
    (text) => {
      const parsed = parseCron(text);
      expect(E.isLeft(parsed) ? parsed.left : 'accepted').toMatch(
        /^the [a-z-]+ field \(\d of 6\) .*\. The first of six fields is seconds.*move the last field to the front\.$/,
      );
    },
  );

  test('never repeats a word of it: a placeholder may have put a secret there', () => {
    for (const text of [
      'hunter2 * * * *',
      '@hunter2',
      '* * hunter2',
      '0 0 * * */hunter2',
      '1-hunter2 * * * *',
    ]) {
      const parsed = parseCron(text);
      expect(E.isLeft(parsed) ? parsed.left : 'accepted').not.toMatch(/hunter2|accepted/i);
    }
  });

  test('and neither is one of more than 1,024 characters read', () => {
    const parsed = parseCron(`${'1,'.repeat(600)}1 * * * *`);
    expect(parsed).toEqual(E.left(expect.stringContaining('longer than 1024 characters. Use ranges')));
  });
});

describe('the check with cron-parser', () => {
  test('refuses sets of values that no expression can have', () => {
    expect(checkWithCronParser({ ...cron('* * 1 * *'), hours: [24] })).toMatch(
      /^cron-parser rejects the expression \(/,
    );
  });

  test('agrees with the longest expression', () => {
    expect(checkWithCronParser(cron('*/1 */1 */1 1-31,L 1-12 0-6,1L,2L,3#2'))).toBeNull();
  });
});
