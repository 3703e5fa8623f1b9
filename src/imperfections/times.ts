import {
  type ClockChoices,
  flawOf,
  type ImperfectionChoices,
  type LateChoices,
  type SilentChoices,
} from '../domain/imperfections.js';
import { type DrawKey, hashedDraw } from '../domain/random.js';
import { MICROS_PER_SECOND, type Micros } from '../domain/time/micros.js';

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

/** A source says nothing from `from` until just before `until`. */
export interface Silence {
  readonly from: Micros;
  readonly until: Micros;
}

const SILENCE_PURPOSE = 8;

/**
 * Returns the silence at this time, or null when there is none or the time is not known. Depends on the key and the
 * time only.
 */
export const silenceAt = (
  silent: SilentChoices | null,
  key: DrawKey,
  micros: Micros | null,
): Silence | null => {
  if (silent === null || micros === null) return null;
  const every = Math.round(silent.every * MICROS_PER_SECOND);
  const length = Math.round(silent.for * MICROS_PER_SECOND);
  const from = momentIn(key, SILENCE_PURPOSE, Math.floor(micros / every), { every, room: every - length });
  return micros >= from && micros < from + length ? { from, until: from + length } : null;
};

/** A drawn moment in the first `room` microseconds of a span of `every`; spans are counted from 1970. */
const momentIn = (
  key: DrawKey,
  purpose: number,
  span: number,
  { every, room }: { readonly every: number; readonly room: number },
): Micros => span * every + Math.floor(hashedDraw(key, span, purpose) * room);

const CLOCK_PURPOSE = { step: 6, size: 7 } as const;
const PARTS_PER_MILLION = 1_000_000;

interface Step {
  readonly at: Micros;
  /** Microseconds from the true time plus offset. */
  readonly error: number;
}

/** The last step at or before this time: one in each span, at a drawn moment. */
const lastStep = (steps: NonNullable<ClockChoices['steps']>, key: DrawKey, micros: Micros): Step => {
  const every = Math.round(steps.every * MICROS_PER_SECOND);
  const momentOf = (span: number): Micros => momentIn(key, CLOCK_PURPOSE.step, span, { every, room: every });
  const current = Math.floor(micros / every);
  const span = momentOf(current) <= micros ? current : current - 1;
  const size = steps.size * MICROS_PER_SECOND;
  return { at: momentOf(span), error: size * (2 * hashedDraw(key, span, CLOCK_PURPOSE.size) - 1) };
};

/** How far a wrong clock is ahead at a true time, in whole microseconds; negative: behind. */
export const clockError =
  ({ offset, drift, since, steps }: ClockChoices, key: DrawKey) =>
  (micros: Micros): number => {
    const origin = steps === null ? { at: since ?? micros, error: 0 } : lastStep(steps, key, micros);
    const drifted = ((micros - origin.at) * drift) / PARTS_PER_MILLION;
    return Math.round(offset * MICROS_PER_SECOND + origin.error + drifted);
  };
