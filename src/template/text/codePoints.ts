/** Texts as Python counts them: by code points. All of it is cheap for texts without surrogates. */
const SURROGATE = /[\uD800-\uDFFF]/;

export const hasSurrogates = (text: string): boolean => SURROGATE.test(text);

export const lengthOf = (text: string): number => {
  if (!hasSurrogates(text)) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/** The characters: the text itself where a unit is a character. */
export const charactersOf = (text: string): string | readonly string[] =>
  hasSurrogates(text) ? Array.from(text) : text;

/** Position counted in characters of a position counted in units. */
export const toPoints = (text: string, units: number): number =>
  units <= 0 || !hasSurrogates(text) ? units : lengthOf(text.slice(0, units));

/** Position counted in units of a position counted in characters, which is within the text. */
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
