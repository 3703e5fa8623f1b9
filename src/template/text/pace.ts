import { checkLonger, spend } from '../limits.js';

/** Characters between two looks at the budget. */
const CHUNK = 16_384;
const CHARACTERS_PER_STEP = 64;

/** The characters of a text one by one: a long one pays while it is gone through. */
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

/** Where a part of a text may end that begins at a position: never inside a character. */
const endFrom = (text: string, from: number): number => {
  const end = Math.min(text.length, from + CHUNK);
  const unit = text.charCodeAt(end - 1);
  return end < text.length && unit >= 0xd800 && unit < 0xdc00 ? end + 1 : end;
};

/**
 * What a function makes of a text, character by character (it must not look beside them): a long text is handed to
 * it in parts, so that the result can be too long, or the time be over, before all of it is done.
 */
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
