import * as E from 'fp-ts/lib/Either.js';
import { integer, lazily, required, text } from '../../../schema/index.js';
import type { RuleBreach } from '../../../schema/shape.js';
import { inputPlugin } from '../../declare.js';
import { checkStartBeforeEnd, rangeFields } from '../shared/dateTimeField.js';
import { checkWithCronParser, parseCron } from './expression.js';

const MAX_EXPRESSION_LENGTH = 1_024;

const fields = lazily(() => ({
  expression: required(
    text({
      label: 'cron expression',
      maxLength: MAX_EXPRESSION_LENGTH,
      check: (written) => {
        const parsed = parseCron(written);
        return E.isLeft(parsed) ? { type: 'bad_format', message: parsed.left } : null;
      },
    }),
    {
      help: 'Schedule with five fields (minute hour day-of-month month day-of-week), six with seconds first, or a word such as @hourly.',
      example: '*/5 * * * *',
    },
  ),
  count: required(integer({ min: 1 }), {
    help: 'Timestamps per tick; all have the time of the tick.',
    example: 1,
  }),
  ...rangeFields,
}));

export const cronSpec = inputPlugin({
  name: 'cron',
  summary: 'Timestamps on a cron schedule, in the time zone of the generator.',
  fields,
  rules: [{ fields: ['start', 'end'], check: checkStartBeforeEnd }],
  notes: [
    'Six fields start with seconds: `*/5 * * * * *` ticks every five seconds, `*/5 * * * *` every five minutes.',
    'A field accepts `*` or `?`, values, lists `1,15`, ranges `9-17`, steps `*/5` and `10-50/20`. Months and weekdays also have names (`JAN`, `MON-FRI`); Sunday is 0 or 7. `L` is the last day of the month, `5L` or `L5` its last Friday, `5#2` its second Friday. Words: `@hourly @daily @midnight @weekly @monthly @yearly @annually`.',
    'If day-of-month and day-of-week are both restricted (neither `*` nor `?`), a day that matches either one matches.',
    'Clock changes: if the minute or hour field starts with `*`, the schedule follows the wall clock. It has no ticks in skipped hours, and ticks in both passes of repeated hours. Other schedules have fixed times: one in a skipped hour fires once, at the first instant after it; one in a repeated hour fires in the first pass only.',
    '`start` and `end` are inclusive. Without `start`, an `end` in the past leaves no ticks: the input ends at once and logs it. `skip_past` skips ticks before the start of generation; a tick exactly then fires.',
  ],
  examples: [
    { title: 'One event every second', params: { expression: '* * * * * *', count: 1 } },
    {
      title: 'Ten events every quarter of an hour in office hours, for one week',
      params: {
        expression: '*/15 9-17 * * MON-FRI',
        count: 10,
        tags: ['office'],
        start: '2026-01-05',
        end: '+7d',
      },
    },
    { title: 'A report at the end of each month', params: { expression: '0 18 L * *', count: 1 } },
  ],
});

/**
 * The declaration for the places that check configs: cron-parser confirms the days. Threads decode checked configs with
 * `cronSpec`, and load no calendar library.
 */
export const checkedCronSpec = {
  ...cronSpec,
  rules: [
    ...(cronSpec.rules ?? []),
    {
      fields: ['expression'],
      check: ({ expression }: { readonly expression: string }): RuleBreach | null => {
        const parsed = parseCron(expression);
        const refusal = E.isLeft(parsed) ? null : checkWithCronParser(parsed.right);
        return refusal === null ? null : { at: 'expression', type: 'bad_format', message: refusal };
      },
    },
  ],
} as const;
