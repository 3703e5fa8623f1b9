import { type DrawKey, hashedDraw } from '../random/hashedDraw.js';
import type { Micros } from '../time/micros.js';

/** A drawn moment in the first `room` microseconds of a span of `every`; spans are counted from 1970. */
export const momentIn = (
  key: DrawKey,
  purpose: number,
  span: number,
  { every, room }: { readonly every: number; readonly room: number },
): Micros => span * every + Math.floor(hashedDraw(key, span, purpose) * room);
