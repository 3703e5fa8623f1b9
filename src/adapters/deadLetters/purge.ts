import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import { parseIso } from '../../domain/time/iso.js';
import type { Micros } from '../../domain/time/micros.js';
import { utc } from '../../domain/time/zone.js';
import type { LetterBox, Sweep } from '../../ports/deadLetters.js';

const RUN = { letters: 1_000, bytes: 4 * 1024 * 1024 } as const;

export type IsMatch = (letter: {
  readonly at: string;
  readonly code: string;
  readonly reason: string;
}) => boolean;

/** Matches letters older than `end`; a letter with an unreadable time never matches. */
export const olderThan = (end: Micros | null) => {
  let known = { text: '', isOld: false };
  return ({ at }: { readonly at: string }): boolean => {
    if (end === null) return true;
    if (at !== known.text) known = { text: at, isOld: (parseIso(at, utc) ?? Number.NaN) < end };
    return known.isOld;
  };
};

/** Removes the letters that match; those that are added meanwhile stay. */
export const purgeBox = async (
  box: LetterBox,
  isMatch: IsMatch,
): Promise<Result<{ readonly removed: number; readonly left: number; readonly torn: number }>> => {
  let [removed, left] = [0, 0];
  const sweep: Sweep = {
    next: () => RUN,
    judge: async (letters) => {
      const keep = letters.filter((letter) => !isMatch(letter)).map(({ line }) => line);
      removed += letters.length - keep.length;
      left += keep.length;
      return { keep, goesOn: true };
    },
  };
  const swept = await box.sweep(sweep);
  return E.map(({ torn }: { readonly torn: number }) => ({ removed, left, torn }))(swept);
};
