import type { DrawKey } from '../random/hashedDraw.js';
import type { ImperfectionChoices } from './imperfections.js';
import type { Skew } from './skew.js';

/** What decides what happens to the events of an output. */
export interface ImperfectSource {
  readonly choices: ImperfectionChoices;
  readonly key: DrawKey;
  /** `null`: the clock is right. */
  readonly skew: Skew | null;
}
