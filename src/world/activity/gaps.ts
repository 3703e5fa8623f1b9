import { MICROS_PER_SECOND, type Micros } from '../../domain/time/micros.js';
import type { KeyedDraws } from '../draw.js';

/** A lognormal time. `median` is in seconds. */
export const gap = (own: KeyedDraws, median: number, sigma: number): Micros =>
  Math.round(own.lognormal(median, sigma) * MICROS_PER_SECOND);

/** Gaps of people at a keyboard, and of programs that try one thing after another. */
export const humanGap = (own: KeyedDraws): Micros => gap(own, 11, 0.8);
export const toolGap = (own: KeyedDraws): Micros => Math.round(own.exponential(9) * MICROS_PER_SECOND);
