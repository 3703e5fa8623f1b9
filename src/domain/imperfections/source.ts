import type { DrawKey } from '../random/hashedDraw.js';
import type { ImperfectionChoices } from './imperfections.js';
import type { Skew } from './skew.js';

/** What decides what happens to the events of an output. */
export interface ImperfectSource {
  readonly choices: ImperfectionChoices;
  readonly key: DrawKey;
  /** Moves timestamps by the error of the clock. Null when the clock is right. */
  readonly skew: Skew | null;
}
