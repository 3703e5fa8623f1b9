import type { DateTimeExpression, RangeProblem } from './expression.js';
import { MICROS_PER_DAY, MICROS_PER_SECOND } from './micros.js';

type Origin = 'utc' | 'wallClock' | 'midnight' | 'now';

interface Comparable {
  readonly from: Origin;
  readonly micros: number;
}

/** A time comparable without zone and clock, or `null`. No start means now. */
const comparable = (expression: DateTimeExpression | null): Comparable | null => {
  switch (expression?.kind) {
    case undefined:
    case 'now':
      return { from: 'now', micros: 0 };
    case 'relative':
      return { from: 'now', micros: expression.micros };
    case 'timeOfDay':
      return { from: 'midnight', micros: expression.micros };
    case 'unix':
      return { from: 'utc', micros: expression.micros };
    case 'absolute': {
      const { local, offset } = expression.parts;
      return offset === null
        ? { from: 'wallClock', micros: local }
        : { from: 'utc', micros: local - offset * MICROS_PER_SECOND };
    }
    default:
      return null;
  }
};

/** Margin by which `start` is later than `end` in every zone: offsets stay within 16 hours. */
const slack = (start: Origin, end: Origin): number | null => {
  if (start === end) return 0;
  const isAbsolute = (origin: Origin): boolean => origin === 'utc' || origin === 'wallClock';
  return isAbsolute(start) && isAbsolute(end) ? MICROS_PER_DAY : null;
};

const BACKWARDS: RangeProblem = { at: 'end', reason: 'is before start' };

/** Checks a range without zone and clock: `start: never`, a negative relative end, an order reversed in every zone. */
export const checkRange = (
  start: DateTimeExpression | null,
  end: DateTimeExpression | null,
): RangeProblem | null => {
  if (start?.kind === 'never')
    return { at: 'start', reason: 'must not be never, as nothing would ever start' };
  if (end === null) return null;
  // A relative end counts from the start.
  if (end.kind === 'relative') return end.micros < 0 ? BACKWARDS : null;
  const from = comparable(start);
  const to = comparable(end);
  if (from === null || to === null) return null;
  const margin = slack(from.from, to.from);
  return margin !== null && from.micros - to.micros > margin ? BACKWARDS : null;
};
