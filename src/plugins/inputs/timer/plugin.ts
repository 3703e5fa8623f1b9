import * as E from 'fp-ts/lib/Either.js';
import { MAX_MICROS, MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import type { InputContext, InputPlugin } from '../../kit.js';
import { firstAfterSkip, indexedInput } from '../shared/indexed.js';
import { rangeOf } from '../shared/range.js';
import { timerSpec } from './spec.js';

/**
 * Microseconds between ticks. Rounds decimals such as 1.1 s, which are whole microseconds except for the last bit.
 */
const intervalOf = (seconds: number): number => {
  const micros = seconds * MICROS_PER_SECOND;
  const whole = Math.round(micros);
  return Math.abs(micros - whole) <= micros * 2 * Number.EPSILON ? whole : micros;
};

export const timerPlugin: InputPlugin<typeof timerSpec.fields> = {
  spec: timerSpec,
  build: async (params, context) => {
    const range = rangeOf({ start: params.start, end: null }, context);
    if (E.isLeft(range)) return range;
    const interval = intervalOf(params.seconds);
    const start = params.start === null ? phaseOf(context, interval) : range.right.start;
    // Multiplication instead of sums avoids drift.
    const at = (tick: number): number => start + Math.round(tick * interval);
    const inCalendar = Math.floor((MAX_MICROS - start) / interval);
    const end = Math.min(params.repeat ?? Number.POSITIVE_INFINITY, inCalendar) + 1;
    const isWanted = (tick: number): boolean => at(tick) >= context.now;
    const first = firstAfterSkip({ from: 1, end, isWanted }, context);
    const tickBefore = (time: Micros): Micros => {
      const tick = Math.min(Math.floor((time - start) / interval), end - 1);
      // The tick may be rounded up, behind the time.
      return at(Math.max(0, at(tick) > time ? tick - 1 : tick));
    };
    const input = indexedInput({ at, first, end, copies: params.count });
    // The end of the calendar is no end that anyone waits for.
    const remaining = () =>
      params.repeat === null ? Number.POSITIVE_INFINITY : (input.remaining?.() ?? null);
    return E.right({ ...input, remaining, tickBefore });
  },
};

/** The start of a timer without `start`: in a live patch its last tick, and a tick that is overdue is due now. */
const phaseOf = ({ now, lastTick }: InputContext, interval: number): Micros =>
  lastTick === undefined ? now : Math.max(lastTick, now - Math.floor(interval));
