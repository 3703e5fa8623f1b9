import { type DrawKey, hashedDraw } from '../random/hashedDraw.js';
import { MICROS_PER_SECOND, type Micros } from '../time/micros.js';
import type { ClockChoices } from './imperfections.js';
import { momentIn } from './moments.js';

const PURPOSE = { step: 6, size: 7 } as const;
const PARTS_PER_MILLION = 1_000_000;

interface Step {
  readonly at: Micros;
  /** Microseconds from the true time plus offset. */
  readonly error: number;
}

/** The last step at or before this time: one in each span, at a drawn moment. */
const lastStep = (steps: NonNullable<ClockChoices['steps']>, key: DrawKey, micros: Micros): Step => {
  const every = Math.round(steps.every * MICROS_PER_SECOND);
  const momentOf = (span: number): Micros => momentIn(key, PURPOSE.step, span, { every, room: every });
  const current = Math.floor(micros / every);
  const span = momentOf(current) <= micros ? current : current - 1;
  const size = steps.size * MICROS_PER_SECOND;
  return { at: momentOf(span), error: size * (2 * hashedDraw(key, span, PURPOSE.size) - 1) };
};

/** How far a wrong clock is ahead at a true time, in whole microseconds; negative: behind. */
export const clockError =
  ({ offset, drift, since, steps }: ClockChoices, key: DrawKey) =>
  (micros: Micros): number => {
    const origin = steps === null ? { at: since ?? micros, error: 0 } : lastStep(steps, key, micros);
    const drifted = ((micros - origin.at) * drift) / PARTS_PER_MILLION;
    return Math.round(offset * MICROS_PER_SECOND + origin.error + drifted);
  };
