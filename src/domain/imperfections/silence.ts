import type { DrawKey } from '../random/hashedDraw.js';
import { MICROS_PER_SECOND, type Micros } from '../time/micros.js';
import type { SilentChoices } from './imperfections.js';
import { momentIn } from './moments.js';

/** A source says nothing from `from` until just before `until`. */
export interface Silence {
  readonly from: Micros;
  readonly until: Micros;
}

const PURPOSE = 8;

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
  const from = momentIn(key, PURPOSE, Math.floor(micros / every), { every, room: every - length });
  return micros >= from && micros < from + length ? { from, until: from + length } : null;
};
