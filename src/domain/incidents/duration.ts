import * as E from 'fp-ts/lib/Either.js';
import { MICROS_PER_SECOND } from '../time/micros.js';
import { parseSpan } from '../time/span.js';

const ZERO = /^0+(?:ms|[smhdw])?$/;

/** Returns the seconds of a duration such as `90s`, `1h30m` or `0`, or null when the text is none. */
export const durationSeconds = (written: string): number | null => {
  if (ZERO.test(written)) return 0;
  const span = parseSpan(written);
  return E.isLeft(span) ? null : span.right / MICROS_PER_SECOND;
};
