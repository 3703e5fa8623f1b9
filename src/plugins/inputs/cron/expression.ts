import * as E from 'fp-ts/lib/Either.js';
import { reasonOf } from '../../../domain/errors.js';
import { lateRequire } from '../../shared/lateRequire.js';
import {
  type FieldRule,
  HOUR,
  MINUTE,
  MONTH,
  MONTH_DAY,
  type MonthDays,
  type ParsedCron,
  parseMonthDays,
  parseValues,
  parseWeekdays,
  SECOND,
  WEEKDAY,
  type Weekdays,
} from './fields.js';

/** A cron expression as sets of values, each ascending and not empty. */
export interface CronExpression {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly months: readonly number[];
  /** Days of the month. Null when unrestricted. If `weekdays` restricts too, a day that matches either one matches. */
  readonly monthDays: MonthDays | null;
  readonly weekdays: Weekdays | null;
  /**
   * The minute or hour field starts with `*` or `?`: follow the wall clock through offset changes. Else the times of
   * day are fixed, once per day.
   */
  readonly isWildcard: boolean;
}

/** Every value of every field takes half of it. */
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
  '@REBOOT': '@reboot is not a schedule. Use a `static` input for timestamps at the start of generation.',
  '@EVERY': '@every is not supported. Write the interval as a step, e.g. */5 * * * *.',
};

const UNKNOWN_ALIAS = `the word after @ is unknown. Use one of ${Object.keys(ALIASES).join(' ').toLowerCase()}.`;

const FORMS = 'Write five fields (minute hour day-of-month month day-of-week), or six with seconds first';

const fieldCountProblem = (count: number): string | null => {
  if (count === 5 || count === 6) return null;
  if (count === 0) return `the expression is empty. ${FORMS}, e.g. */5 * * * * for every five minutes.`;
  if (count === 7) {
    return 'the expression has seven fields, and a year field is not supported. Remove the year and limit the schedule with start and end.';
  }
  return `the expression has ${count} ${count === 1 ? 'field' : 'fields'}. ${FORMS}.`;
};

const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isImpossible = ({ monthDays, weekdays, months }: CronExpression): boolean => {
  if (monthDays === null || monthDays.hasLast || weekdays !== null) return false;
  const longest = Math.max(...months.map((month) => LONGEST_MONTHS[month - 1] ?? 0));
  return monthDays.days.every((day) => day > longest);
};

/** Reads six fields, seconds first; `given`: fields in the text, for messages. */
const parseFields = (fields: readonly string[], given: number): ParsedCron<CronExpression> => {
  const [second = '', minute = '', hour = '', monthDay = '', month = '', weekday = ''] = fields;
  const rules: readonly FieldRule[] = [SECOND, MINUTE, HOUR, MONTH_DAY, MONTH, WEEKDAY];
  const placed = <A>(rule: FieldRule, parsed: ParsedCron<A>): ParsedCron<A> => {
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
        E.left('has only days that the given months lack. Use a day that exists, or L for the last day.'),
      )
    : E.right(expression);
};

const parseAlias = (text: string): ParsedCron<CronExpression> => {
  const word = text.split(/\s/, 1)[0] ?? '';
  const expansion = ALIASES[text];
  if (expansion === undefined) return E.left(ALIAS_HINTS[word] ?? UNKNOWN_ALIAS);
  return parseFields(['0', ...expansion.split(' ')], 5);
};

/** Adds a hint when six fields only make sense with seconds last. */
const hintAtSecondsLast = (problem: string, fields: readonly string[]): string => {
  const [last, rest] = [fields.at(-1) ?? '', fields.slice(0, -1)];
  if (fields.length !== 6 || E.isLeft(parseFields([last, ...rest], 6))) return problem;
  const what = problem.split('. ', 1)[0] ?? problem;
  return `${what}. The first of six fields is seconds, but this expression has them last: move the last field to the front.`;
};

const parse = (text: string): E.Either<string, CronExpression> => {
  if (text.length > MAX_LENGTH) {
    return E.left(
      `the expression is longer than ${MAX_LENGTH} characters. Use ranges and steps instead of lists.`,
    );
  }
  const trimmed = text.trim().toUpperCase();
  if (trimmed.startsWith('@')) return parseAlias(trimmed);
  const fields = trimmed === '' ? [] : trimmed.split(/\s+/);
  const problem = fieldCountProblem(fields.length);
  if (problem !== null) return E.left(problem);
  const parsed = parseFields(fields.length === 5 ? ['0', ...fields] : fields, fields.length);
  return E.isLeft(parsed) ? E.left(hintAtSecondsLast(parsed.left, fields)) : parsed;
};

/** A thousand generators have a handful of expressions; each is read three times. */
const MAX_KNOWN = 256;
const known = new Map<string, E.Either<string, CronExpression>>();

/**
 * Reads a cron expression: five fields (minute hour day-of-month month day-of-week) or six with seconds first; `*`
 * `?` lists ranges steps, names in any case, `L`, `5L` or `L5`, `5#2`, 0 and 7 for Sunday, and words such as
 * `@hourly`. Returns an error of one sentence with the field, the problem and the remedy.
 */
export const parseCron = (text: string): E.Either<string, CronExpression> => {
  const found = known.get(text);
  if (found !== undefined) return found;
  const parsed = parse(text);
  if (known.size >= MAX_KNOWN) known.clear();
  if (text.length <= MAX_LENGTH) known.set(text, parsed);
  return parsed;
};

/** Loaded on first use, with its calendar library: a process without restricted days needs neither. */
const cronParser = lateRequire<typeof import('cron-parser')>('cron-parser');

/**
 * The expression in the subset of cron-parser: numbers, seconds first, nth weekdays as plain ones. cron-parser takes
 * neither `5#2` in a list nor repeated values nor SAT-SUN.
 */
const plainExpression = (expression: CronExpression): string => {
  const { seconds, minutes, hours, monthDays, months, weekdays } = expression;
  const dayItems = monthDays === null ? [] : [...monthDays.days, ...(monthDays.hasLast ? ['L'] : [])];
  const everyOrNth = [...(weekdays?.every ?? []), ...(weekdays?.nth ?? []).map(({ weekday }) => weekday)];
  const weekdayItems = [...new Set(everyOrNth), ...(weekdays?.last ?? []).map((weekday) => `${weekday}L`)];
  return [seconds, minutes, hours, dayItems, months, weekdayItems]
    .map((items) => (items.length === 0 ? '*' : items.join(',')))
    .join(' ');
};

/**
 * Checks the days of an expression with cron-parser. Returns null when they are valid, else a sentence. Expressions that
 * restrict no days are plain numbers in range.
 */
export const checkWithCronParser = (expression: CronExpression): string | null => {
  if (expression.monthDays === null && expression.weekdays === null) return null;
  try {
    cronParser().CronExpressionParser.parse(plainExpression(expression), { tz: 'UTC', currentDate: 0 });
    return null;
  } catch (thrown) {
    return `cron-parser rejects the expression (${reasonOf(thrown)}). Write it with plain numbers.`;
  }
};
