import { type DrawKey, hashedDraw } from '../random/hashedDraw.js';
import { FLAWS, type Flaw, type ImperfectionChoices, type MalformedKind } from './imperfections.js';

const PURPOSE = { flaw: 0, kind: 1, skewed: 5 } as const;

/** Returns what happens to the event with this number, or null for nothing. One draw decides, so shares add up. */
export const flawOf = (choices: ImperfectionChoices, key: DrawKey, ordinal: number): Flaw | null => {
  let left = hashedDraw(key, ordinal, PURPOSE.flaw);
  for (const flaw of FLAWS) {
    left -= choices[flaw];
    if (left < 0) return flaw;
  }
  return null;
};

/** Whether the clock that writes the timestamps of this event is wrong. */
export const isSkewed = (choices: ImperfectionChoices, key: DrawKey, ordinal: number): boolean =>
  choices.skewed > 0 && hashedDraw(key, ordinal, PURPOSE.skewed) < choices.skewed;

export const kindOf = (
  { kinds }: Pick<ImperfectionChoices, 'kinds'>,
  key: DrawKey,
  ordinal: number,
): MalformedKind => kinds[Math.floor(hashedDraw(key, ordinal, PURPOSE.kind) * kinds.length)] as MalformedKind;
