import { reasonOf } from '../../../domain/errors.js';
import { lateRequire } from '../../shared/lateRequire.js';
import type { CronExpression } from './expression.js';

/** Loaded on first use: its calendar library is a fifth of the code of a thread. */
const cronParser = lateRequire<typeof import('cron-parser')>('cron-parser');

/**
 * The expression in the subset of cron-parser: numbers, seconds first, nth weekdays as plain ones. cron-parser takes
 * neither `5#2` in a list nor repeated values nor SAT-SUN.
 */
export const plainText = (expression: CronExpression): string => {
  const { seconds, minutes, hours, monthDays, months, weekdays } = expression;
  const dayItems = monthDays === null ? [] : [...monthDays.days, ...(monthDays.hasLast ? ['L'] : [])];
  const everyOrNth = [...(weekdays?.every ?? []), ...(weekdays?.nth ?? []).map(({ weekday }) => weekday)];
  const weekdayItems = [...new Set(everyOrNth), ...(weekdays?.last ?? []).map((weekday) => `${weekday}L`)];
  return [seconds, minutes, hours, dayItems, months, weekdayItems]
    .map((items) => (items.length === 0 ? '*' : items.join(',')))
    .join(' ');
};

/** Checks an expression with cron-parser; `null` when valid, else a sentence. */
export const checkWithCronParser = (expression: CronExpression): string | null => {
  try {
    cronParser().CronExpressionParser.parse(plainText(expression), { tz: 'UTC', currentDate: 0 });
    return null;
  } catch (thrown) {
    return `cron-parser rejects the expression (${reasonOf(thrown)}). Write it with plain numbers.`;
  }
};
