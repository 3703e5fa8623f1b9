import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import { type Micros, NEVER } from '../../../domain/time/micros.js';
import type { Zone } from '../../../domain/time/zone.js';
import type { Input, InputPlugin } from '../../kit.js';
import { scheduleRangeOf } from '../shared/range.js';
import { type CronExpression, parseCron } from './expression.js';
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

interface CronSchedule {
  readonly expression: CronExpression;
  readonly zone: Zone;
  /** Both inclusive; `end` may be `NEVER`. */
  readonly from: Micros;
  readonly end: Micros;
  readonly count: number;
}

/** State for checkpoints. It includes the end: a relative one would resolve differently later. */
interface CronState {
  /** The current tick; if `given` is 0, the earliest time of the next one. */
  readonly at: Micros;
  readonly given: number;
  readonly end: Micros | null;
}

const stateFrom = (state: Json): CronState | null => {
  if (!isJsonObject(state)) return null;
  const { at, given, end } = state;
  const isGiven = Number.isSafeInteger(given) && Number(given) >= 0;
  return Number.isSafeInteger(at) && isGiven && (end === null || Number.isFinite(end))
    ? (state as unknown as CronState)
    : null;
};

/** Ticks per batch when each is given several times. */
const MAX_TICKS_AHEAD = 256;

/** Ticks that are counted for `remaining`: takes a few milliseconds at most. */
const MAX_COUNTED = 20_000;

/** Gives each tick `count` times. An invalid state is ignored. */
export const cronInput = (schedule: CronSchedule): Input => {
  const { expression, zone, count } = schedule;
  let { end } = schedule;
  let next = schedule.from;
  let ticks = cronTicks(expression, zone, next, end);
  const ahead = new Float64Array(count === 1 ? 0 : MAX_TICKS_AHEAD);
  let length = 0;
  let index = 0;
  let given = 0;

  const fillSingly = (out: Float64Array): number => {
    const written = ticks(out, out.length);
    if (written > 0) next = (out[written - 1] as number) + 1;
    return written;
  };

  const fillCopies = (out: Float64Array): number => {
    let written = 0;
    while (written < out.length) {
      if (index === length) {
        length = ticks(ahead, Math.min(ahead.length, Math.ceil((out.length - written) / count)));
        index = 0;
        if (length === 0) break;
      }
      const tick = ahead[index] as number;
      const past = Math.min(out.length, written + count - given);
      given += past - written;
      while (written < past) out[written++] = tick;
      next = tick;
      if (given < count) break;
      index++;
      given = 0;
      next = tick + 1;
    }
    return written;
  };

  return {
    fill: count === 1 ? fillSingly : fillCopies,
    remaining: () => {
      if (end === NEVER) return Number.POSITIVE_INFINITY;
      const counted = cronTicks(expression, zone, next, end)(new Float64Array(MAX_COUNTED), MAX_COUNTED);
      return counted === MAX_COUNTED ? null : counted * count - given;
    },
    snapshot: () => ({ at: next, given, end: end === NEVER ? null : end }),
    restore: (state) => {
      const saved = stateFrom(state);
      if (saved === null) return;
      end = saved.end ?? NEVER;
      next = saved.at;
      // `count` may have shrunk since: the tick is complete.
      if (saved.given >= count) next++;
      given = saved.given < count ? saved.given : 0;
      ticks = cronTicks(expression, zone, next, end);
      length = 0;
      index = 0;
    },
  };
};
