import { checkLength, checkLonger, spend } from '../limits.js';
import type { Value } from '../values/value.js';

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

export const cat = (a: string, b: string): string => {
  const length = a.length + b.length;
  if (length > SHORT) checkLength(length);
  return a + b;
};

/** Shorter texts are not charged. */
const SHORT = 4_096;

/** Throws before the result is too long. */
export const joined = (
  items: Iterable<Value>,
  separator: string,
  textOf: (item: Value, index: number) => string,
): string => {
  const parts: string[] = [];
  let length = 0;
  for (const item of items) {
    const part = textOf(item, parts.length);
    length += part.length + separator.length;
    checkLonger(length);
    parts.push(part);
  }
  checkLength(length);
  return parts.join(separator);
};

/** Characters between budget checks. */
const CHUNK = 16_384;
const CHARACTERS_PER_STEP = 64;

export function* paced(text: string): Generator<string> {
  let left = CHUNK;
  for (const character of text) {
    if (--left < 0) {
      spend(CHUNK / CHARACTERS_PER_STEP);
      left = CHUNK;
    }
    yield character;
  }
}

/** End of a chunk, never inside a character. */
const endFrom = (text: string, from: number): number => {
  const end = Math.min(text.length, from + CHUNK);
  const unit = text.charCodeAt(end - 1);
  return end < text.length && unit >= 0xd800 && unit < 0xdc00 ? end + 1 : end;
};

/** Maps a long text in chunks, so limits hold midway. `make` must map characters independently. */
export const inParts = (text: string, make: (part: string) => string): string => {
  if (text.length <= CHUNK) return make(text);
  let result = '';
  for (let at = 0; at < text.length; ) {
    const end = endFrom(text, at);
    spend((end - at) / CHARACTERS_PER_STEP);
    result += make(text.slice(at, end));
    checkLonger(result.length);
    at = end;
  }
  return result;
};
