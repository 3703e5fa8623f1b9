import * as E from 'fp-ts/lib/Either.js';
import type { InputPlugin } from '../../kit.js';
import { firstAfterSkip, indexedInput } from '../shared/indexed.js';
import { rangeOf } from '../shared/range.js';
import { roundedDown } from '../shared/resolution.js';
import { linspaceSpec } from './spec.js';

export const linspacePlugin: InputPlugin<typeof linspaceSpec.fields> = {
  spec: linspaceSpec,
  build: async (params, context) => {
    const range = rangeOf(params, context);
    if (E.isLeft(range)) return range;
    const { start, end } = range.right;
    const { count } = params;
    const steps = params.endpoint ? count - 1 : count;
    const step = (end - start) / steps;
    // Multiplication instead of sums avoids drift. The end is exact; a single timestamp is the start.
    const exactly = (index: number): number => {
      if (index === 0) return start;
      return index === steps ? end : start + Math.round(step * index);
    };
    const { resolution } = params;
    const at = resolution === null ? exactly : roundedDown(exactly, resolution);
    const isWanted = (index: number): boolean => at(index) > context.now;
    const first = firstAfterSkip({ from: 0, end: count, isWanted }, context);
    return E.right(indexedInput({ at, first, end: count, copies: 1 }));
  },
};
