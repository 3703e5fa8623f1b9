import * as E from 'fp-ts/lib/Either.js';
import { MAX_MICROS, MICROS_PER_SECOND } from '../../../domain/time/micros.js';
import type { InputPlugin } from '../../kit.js';
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
    const { start } = range.right;
    // Multiplication instead of sums avoids drift.
    const interval = intervalOf(params.seconds);
    const at = (tick: number): number => start + Math.round(tick * interval);
    const inCalendar = Math.floor((MAX_MICROS - start) / interval);
    const end = Math.min(params.repeat ?? Number.POSITIVE_INFINITY, inCalendar) + 1;
    const isWanted = (tick: number): boolean => at(tick) >= context.now;
    const first = firstAfterSkip({ from: 1, end, isWanted }, context);
    return E.right(indexedInput({ at, first, end, copies: params.count }));
  },
};
