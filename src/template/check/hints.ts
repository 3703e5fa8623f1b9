/** The known name that was probably meant; `null` when none is near. */
export type Nearest = (name: string, known: readonly string[]) => string | null;

/** Names that are listed when none of them is near. */
const MAX_LISTED = 20;

/** Every short name is near to every other one. */
const MIN_LENGTH = 3;

/** `Did you mean 'x'?` where a known name is near. */
export const nearOnly = (name: string, known: readonly string[], nearest: Nearest): string | null => {
  const meant = name.length < MIN_LENGTH ? null : nearest(name, known);
  return meant === null ? null : `Did you mean '${meant}'?`;
};

/** The same, else a short list of what there is, else nothing. */
export const didYouMean = (name: string, known: readonly string[], nearest: Nearest): string | null => {
  const meant = nearOnly(name, known, nearest);
  if (meant !== null) return meant;
  return known.length === 0 || known.length > MAX_LISTED ? null : `There are: ${known.join(', ')}.`;
};

const IDENTIFIER = '[\\p{L}\\p{N}\\p{Pc}\\p{M}]';

/** Offset of a whole word at or after another offset; that offset when it is not there. */
export const wordFrom = (source: string, word: string, from: number): number => {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`(?<!${IDENTIFIER})${escaped}(?!${IDENTIFIER})`, 'gu');
  pattern.lastIndex = from;
  return pattern.exec(source)?.index ?? from;
};
