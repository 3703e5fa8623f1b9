import { type DrawKey, hashedDraw } from '../random/hashedDraw.js';
import type { Micros } from '../time/micros.js';
import { flawOf } from './choose.js';
import type { ImperfectionChoices, LateChoices } from './imperfections.js';
import { type Silence, silenceAt } from './silence.js';

/** How an event leaves its place in the stream. */
export type Displacement =
  | { readonly what: 'late'; readonly seconds: number }
  /** Comes behind up to this many later events. */
  | { readonly what: 'out_of_order'; readonly places: number }
  /** Comes behind the silence that it was made in. */
  | { readonly what: 'buffered'; readonly silence: Silence };

const PURPOSE = { displaced: 2, size: 3, angle: 4 } as const;

/** Normal with mean 0 and deviation 1: Box and Muller (1958), from two uniform numbers. */
const standardNormal = (a: number, b: number): number =>
  Math.sqrt(-2 * Math.log(1 - a)) * Math.cos(2 * Math.PI * b);

/** In seconds, 0 to `max`. `a`, `b`: uniform in [0, 1). */
export const delayOf = (
  { distribution, mean, deviation, max }: LateChoices,
  a: number,
  b: number,
): number => {
  const drawn = (): number => {
    if (distribution === 'exponential') return -mean * Math.log(1 - a);
    if (distribution === 'uniform') return 2 * mean * a;
    if (distribution === 'normal') return mean + deviation * standardNormal(a, b);
    const variance = Math.log(1 + (deviation / mean) ** 2);
    return Math.exp(Math.log(mean) - variance / 2 + Math.sqrt(variance) * standardNormal(a, b));
  };
  return Math.min(max, Math.max(0, drawn()));
};

/**
 * Returns how an event is displaced, or null when it stays in its place or is dropped. Depends on the key, the number
 * and the time of the event only. An event of a silence has no other displacement.
 */
export const displacementOf = (
  choices: ImperfectionChoices,
  key: DrawKey,
  ordinal: number,
  micros: Micros | null,
): Displacement | null => {
  const { late, out_of_order, silent } = choices;
  const silence = silenceAt(silent, key, micros);
  if (silence !== null) {
    const isGone = silent?.events === 'lost' || flawOf(choices, key, ordinal) === 'dropped';
    return isGone ? null : { what: 'buffered', silence };
  }
  if (late === null && out_of_order === null) return null;
  const drawn = hashedDraw(key, ordinal, PURPOSE.displaced);
  const lateShare = late?.share ?? 0;
  if (drawn >= lateShare + (out_of_order?.share ?? 0)) return null;
  if (flawOf(choices, key, ordinal) === 'dropped') return null;
  const size = hashedDraw(key, ordinal, PURPOSE.size);
  if (late !== null && drawn < lateShare)
    return { what: 'late', seconds: delayOf(late, size, hashedDraw(key, ordinal, PURPOSE.angle)) };
  return { what: 'out_of_order', places: 1 + Math.floor(size * (out_of_order?.window ?? 1)) };
};
