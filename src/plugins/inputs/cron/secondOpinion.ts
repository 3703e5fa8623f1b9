import { reasonOf } from '../../../domain/errors.js';
import { lateRequire } from '../../shared/lateRequire.js';
import type { CronExpression } from './expression.js';

/** Loaded for the first schedule: its calendar library is a fifth of all that a thread loads. */
const cronParser = lateRequire<typeof import('cron-parser')>('cron-parser');

/**
 * The parts of an expression that cron-parser knows too, as plain numbers, seconds first. It takes
 * neither `5#2` in a list nor repeated values nor SAT-SUN, so it is asked about what was understood and
 * not about what was written; nth weekdays are passed as plain ones.
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

/** Asks cron-parser whether the expression makes sense; `null` when it agrees, else a sentence. */
export const secondOpinion = (expression: CronExpression): string | null => {
  try {
    cronParser().CronExpressionParser.parse(plainText(expression), { tz: 'UTC', currentDate: 0 });
    return null;
  } catch (thrown) {
    return `the expression is refused by cron-parser (${reasonOf(thrown)}); write it with plain numbers`;
  }
};
