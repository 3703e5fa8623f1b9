import * as E from 'fp-ts/lib/Either.js';
import type { FieldRule, MonthDays, Parsed, Weekdays } from './fields.js';
import {
  HOUR,
  MINUTE,
  MONTH,
  MONTH_DAY,
  parseMonthDays,
  parseValues,
  parseWeekdays,
  SECOND,
  WEEKDAY,
} from './fields.js';
import { secondOpinion } from './secondOpinion.js';

/** A cron expression as sets of values, each ascending and never empty. */
export interface CronExpression {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** 1 to 12. */
  readonly months: readonly number[];
  /** `null`: not restricted. When both this and `weekdays` restrict, a day that fits either one fits. */
  readonly monthDays: MonthDays | null;
  readonly weekdays: Weekdays | null;
  /**
   * True when the minute or hour field begins with `*` (or `?`): the schedule follows the wall clock
   * through changes of the offset. False: fixed times of day, each meant once per day.
   */
  readonly isWildcard: boolean;
}

/** Longer texts are refused: listing every value of every field needs about half of it. */
const MAX_LENGTH = 1_024;

const ALIASES: Readonly<Record<string, string>> = {
  '@YEARLY': '0 0 1 1 *',
  '@ANNUALLY': '0 0 1 1 *',
  '@MONTHLY': '0 0 1 * *',
  '@WEEKLY': '0 0 * * 0',
  '@DAILY': '0 0 * * *',
  '@MIDNIGHT': '0 0 * * *',
  '@HOURLY': '0 * * * *',
};

const ALIAS_HINTS: Readonly<Record<string, string>> = {
  '@REBOOT': '@reboot is not a schedule; use a `static` input for timestamps at the start of generation',
  '@EVERY': '@every is not supported; write the interval as a step, e.g. */5 * * * *',
};

const UNKNOWN_ALIAS = `the word after @ is not known; use one of ${Object.keys(ALIASES).join(' ').toLowerCase()}`;

const FORMS =
  'write five fields (minute hour day-of-month month day-of-week) or six with seconds in front of them';

const fieldCountProblem = (count: number): string | null => {
  if (count === 5 || count === 6) return null;
  if (count === 0) return `the expression is empty; ${FORMS}, e.g. */5 * * * * for every five minutes`;
  if (count === 7) {
    return 'the expression has seven fields, and a year field is not supported; leave the year out and bound the schedule with start and end';
  }
  return `the expression has ${count} ${count === 1 ? 'field' : 'fields'}; ${FORMS}`;
};

const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** True when no year has a day that fits: days of the month that none of the months has. */
const isImpossible = ({ monthDays, weekdays, months }: CronExpression): boolean => {
  if (monthDays === null || monthDays.hasLast || weekdays !== null) return false;
  const longest = Math.max(...months.map((month) => LONGEST_MONTHS[month - 1] ?? 0));
  return monthDays.days.every((day) => day > longest);
};

/** Reads exactly six fields, seconds first; `given` says how many were written, for messages. */
const parseFields = (fields: readonly string[], given: number): Parsed<CronExpression> => {
  const [second = '', minute = '', hour = '', monthDay = '', month = '', weekday = ''] = fields;
  const rules: readonly FieldRule[] = [SECOND, MINUTE, HOUR, MONTH_DAY, MONTH, WEEKDAY];
  const placed = <A>(rule: FieldRule, parsed: Parsed<A>): Parsed<A> => {
    const position = rules.indexOf(rule) + given - 5;
    return E.mapLeft((problem: string) => `the ${rule.name} field (${position} of ${given}) ${problem}`)(
      parsed,
    );
  };
  const seconds = placed(SECOND, parseValues(second, SECOND));
  if (E.isLeft(seconds)) return seconds;
  const minutes = placed(MINUTE, parseValues(minute, MINUTE));
  if (E.isLeft(minutes)) return minutes;
  const hours = placed(HOUR, parseValues(hour, HOUR));
  if (E.isLeft(hours)) return hours;
  const monthDays = placed(MONTH_DAY, parseMonthDays(monthDay));
  if (E.isLeft(monthDays)) return monthDays;
  const months = placed(MONTH, parseValues(month, MONTH));
  if (E.isLeft(months)) return months;
  const weekdays = placed(WEEKDAY, parseWeekdays(weekday));
  if (E.isLeft(weekdays)) return weekdays;
  const expression: CronExpression = {
    seconds: seconds.right,
    minutes: minutes.right,
    hours: hours.right,
    monthDays: monthDays.right,
    months: months.right,
    weekdays: weekdays.right,
    isWildcard: /^[*?]/.test(minute) || /^[*?]/.test(hour),
  };
  return isImpossible(expression)
    ? placed(
        MONTH_DAY,
        E.left(
          'names only days that the chosen months never have; use a day that exists, or L for the last day',
        ),
      )
    : E.right(expression);
};

const parseAlias = (text: string): Parsed<CronExpression> => {
  const word = text.split(/\s/, 1)[0] ?? '';
  const expansion = ALIASES[text];
  if (expansion === undefined) return E.left(ALIAS_HINTS[word] ?? UNKNOWN_ALIAS);
  return parseFields(['0', ...expansion.split(' ')], 5);
};

/** Six fields that cannot be read seconds first but can be seconds last get the hint that says so. */
const hintAtSecondsLast = (problem: string, fields: readonly string[]): string => {
  const [last, rest] = [fields.at(-1) ?? '', fields.slice(0, -1)];
  if (fields.length !== 6 || E.isLeft(parseFields([last, ...rest], 6))) return problem;
  const what = problem.split('; ', 1)[0] ?? problem;
  return `${what}; of six fields the first is seconds, and this fits only with seconds last: move the last field to the front`;
};

/**
 * Without rules for days there is nothing but numbers in their ranges, of which there cannot be two opinions. Most
 * schedules are like that, and the calendar library of cron-parser is 2 MB in each thread.
 */
const restrictsDays = ({ monthDays, weekdays }: CronExpression): boolean =>
  monthDays !== null || weekdays !== null;

const parse = (text: string): E.Either<string, CronExpression> => {
  if (text.length > MAX_LENGTH) {
    return E.left(
      `the expression is longer than ${MAX_LENGTH} characters; use ranges and steps instead of lists`,
    );
  }
  const trimmed = text.trim().toUpperCase();
  if (trimmed.startsWith('@')) return parseAlias(trimmed);
  const fields = trimmed === '' ? [] : trimmed.split(/\s+/);
  const problem = fieldCountProblem(fields.length);
  if (problem !== null) return E.left(problem);
  const parsed = parseFields(fields.length === 5 ? ['0', ...fields] : fields, fields.length);
  if (E.isLeft(parsed)) return E.left(hintAtSecondsLast(parsed.left, fields));
  const refusal = restrictsDays(parsed.right) ? secondOpinion(parsed.right) : null;
  return refusal === null ? parsed : E.left(refusal);
};

/** Expressions that are remembered: a thousand generators have a handful, and each is read three times. */
const MAX_KNOWN = 256;
const known = new Map<string, E.Either<string, CronExpression>>();

/**
 * Reads a cron expression: five fields (minute hour day-of-month month day-of-week) or six with seconds
 * first; `*` `?` lists ranges steps, names in any case, `L`, `5L` or `L5`, `5#2`, 0 and 7 for Sunday, and
 * `@hourly` and its like.
 *
 * Left: one sentence with what is wrong, in which field, and what to write instead.
 */
export const parseCron = (text: string): E.Either<string, CronExpression> => {
  const found = known.get(text);
  if (found !== undefined) return found;
  const parsed = parse(text);
  if (known.size >= MAX_KNOWN) known.clear();
  if (text.length <= MAX_LENGTH) known.set(text, parsed);
  return parsed;
};
