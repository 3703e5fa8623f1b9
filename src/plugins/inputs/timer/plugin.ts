import * as E from 'fp-ts/lib/Either.js';
import { MAX_MICROS, MICROS_PER_SECOND } from '../../../domain/time/micros.js';
import type { InputPlugin } from '../../kit.js';
import { firstIndex, indexedInput } from '../shared/indexed.js';
import { rangeOf } from '../shared/range.js';
import { timerSpec } from './spec.js';

export const timerPlugin: InputPlugin<typeof timerSpec.fields> = {
  spec: timerSpec,
  build: async (params, context) => {
    const range = rangeOf({ start: params.start, end: null }, context);
    if (E.isLeft(range)) return range;
    const { start } = range.right;
    // Multiplied, not added up: an interval that is no whole number of microseconds never drifts.
    const at = (tick: number): number => start + Math.round(tick * params.seconds * MICROS_PER_SECOND);
    const inCalendar = Math.floor((MAX_MICROS - start) / (params.seconds * MICROS_PER_SECOND));
    const end = Math.min(params.repeat ?? Number.POSITIVE_INFINITY, inCalendar) + 1;
    const first = context.skipPast ? firstIndex(1, end, (tick) => at(tick) >= context.now) : 1;
    return E.right(indexedInput({ at, first, end, copies: params.count }));
  },
};
