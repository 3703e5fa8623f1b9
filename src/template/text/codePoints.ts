/** Python counts code points. Texts without surrogates take the fast path. */
const SURROGATE = /[\uD800-\uDFFF]/;

const hasSurrogates = (text: string): boolean => SURROGATE.test(text);

export const lengthOf = (text: string): number => {
  if (!hasSurrogates(text)) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/** The text itself if it has no surrogates. */
export const charactersOf = (text: string): string | readonly string[] =>
  hasSurrogates(text) ? Array.from(text) : text;

/** Units to characters. */
export const toPoints = (text: string, units: number): number =>
  units <= 0 || !hasSurrogates(text) ? units : lengthOf(text.slice(0, units));

/** Characters to units; within the text. */
export const toUnits = (text: string, points: number): number => {
  if (!hasSurrogates(text)) return points;
  let units = 0;
  let left = points;
  for (const character of text) {
    if (left-- <= 0) break;
    units += character.length;
  }
  return units;
};
