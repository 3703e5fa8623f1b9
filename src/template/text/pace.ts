import { checkLonger, spend } from '../limits.js';

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
