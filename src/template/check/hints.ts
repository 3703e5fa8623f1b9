import { didYouMean } from '../../domain/text/nearest.js';

/** Names listed in a hint without a near one. */
const MAX_LISTED = 20;

/** Shorter names are near to every short name. */
const MIN_LENGTH = 3;

/** `Did you mean 'x'?` if a known name is near; `null` otherwise. */
export const nearName = (name: string, known: readonly string[]): string | null =>
  name.length < MIN_LENGTH ? null : didYouMean(name, known);

/** A near name, else a short list of the known ones, else `null`. */
export const nearOrAll = (name: string, known: readonly string[]): string | null =>
  nearName(name, known) ??
  (known.length === 0 || known.length > MAX_LISTED ? null : `Known: ${known.join(', ')}.`);

const IDENTIFIER = '[\\p{L}\\p{N}\\p{Pc}\\p{M}]';

/** Offset of the next whole word from `from`; `from` if there is none. */
export const wordFrom = (source: string, word: string, from: number): number => {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`(?<!${IDENTIFIER})${escaped}(?!${IDENTIFIER})`, 'gu');
  pattern.lastIndex = from;
  return pattern.exec(source)?.index ?? from;
};
