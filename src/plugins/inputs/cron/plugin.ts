import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import type { InputPlugin } from '../../kit.js';
import { scheduleRangeOf } from '../shared/range.js';
import { type CronExpression, parseCron } from './expression.js';
import { cronInput } from './input.js';
import { cronTicks } from './matcher.js';
import { cronSpec } from './spec.js';

const expressionOf = (text: string): Result<CronExpression> =>
  E.mapLeft((message: string) =>
    failure('plugin_failed', `expression: ${message}`, {
      issues: [{ path: ['expression'], type: 'bad_format', message }],
    }),
  )(parseCron(text));

export const cronPlugin: InputPlugin<typeof cronSpec.fields> = {
  spec: cronSpec,
  build: async (params, context) => {
    const expression = expressionOf(params.expression);
    if (E.isLeft(expression)) return expression;
    const range = scheduleRangeOf(params, context);
    if (E.isLeft(range)) return range;
    const { start, end } = range.right;
    const { zone, now, skipPast, log } = context;
    const from = skipPast ? Math.max(start, now) : start;
    if (cronTicks(expression.right, zone, from, end)(new Float64Array(1), 1) === 0) {
      log.write('info', 'the schedule has no ticks left: no timestamps');
    }
    return E.right(cronInput({ expression: expression.right, zone, from, end, count: params.count }));
  },
};
