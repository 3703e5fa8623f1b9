import { EXPECTED, failAt } from './syntaxError.js';

export const CODE = {
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  quote: 0x22,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  point: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  bracket: 0x5b,
  backslash: 0x5c,
  a: 0x61,
  e: 0x65,
  f: 0x66,
  n: 0x6e,
  t: 0x74,
  u: 0x75,
  brace: 0x7b,
} as const;

const END = -1;
/** Bit of small ASCII letters; digits have it too. */
const SMALL = 0x20;

/** Code at an index, -1 past the end: reading past the end of a string slows down all later calls. */
export const codeAt = (text: string, index: number): number =>
  index < text.length ? text.charCodeAt(index) : END;

const isSpace = (code: number): boolean =>
  code === CODE.space || code === CODE.lineFeed || code === CODE.carriageReturn || code === CODE.tab;

const skipSpaces = (text: string, index: number): number => {
  let at = index;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
};

/** First index from `index` on that is not JSON white space. Small enough to be inlined. */
export const skipSpace = (text: string, index: number): number =>
  index < text.length && text.charCodeAt(index) > CODE.space ? index : skipSpaces(text, index);

const isDigit = (code: number): boolean => code >= CODE.zero && code <= CODE.nine;

const skipDigits = (text: string, index: number): number => {
  let at = index;
  while (at < text.length && isDigit(text.charCodeAt(at))) at++;
  return at;
};

const digitsEnd = (text: string, index: number): number => {
  const end = skipDigits(text, index);
  return end === index ? failAt(EXPECTED.digit, index) : end;
};

const numberEnd = (text: string, index: number): number => {
  let at = codeAt(text, index) === CODE.minus ? index + 1 : index;
  at = codeAt(text, at) === CODE.zero ? at + 1 : digitsEnd(text, at);
  if (at > 0 && codeAt(text, at) === CODE.point) at = digitsEnd(text, at + 1);
  if (at > 0 && (codeAt(text, at) | SMALL) === CODE.e) {
    const sign = codeAt(text, at + 1);
    at = digitsEnd(text, sign === CODE.plus || sign === CODE.minus ? at + 2 : at + 1);
  }
  return at;
};

const isHexDigit = (code: number): boolean =>
  isDigit(code) || ((code | SMALL) >= CODE.a && (code | SMALL) <= CODE.f);

const IS_SHORT_ESCAPE = new Uint8Array(128);
for (const character of '"\\/bfnrt') IS_SHORT_ESCAPE[character.charCodeAt(0)] = 1;

/** Index after the escape with its backslash at `index`, or a failure. */
const escapeEnd = (text: string, index: number): number => {
  const kind = codeAt(text, index + 1);
  if (kind !== CODE.u) return IS_SHORT_ESCAPE[kind] === 1 ? index + 2 : failAt(EXPECTED.escape, index + 1);
  for (let at = index + 2; at < index + 6; at++) {
    if (!isHexDigit(codeAt(text, at))) return failAt(EXPECTED.hexDigit, at);
  }
  return index + 6;
};

/** Index after the string with its opening quote at `index`, or a failure. */
export const stringEnd = (text: string, index: number): number => {
  let at = index + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === CODE.quote) return at + 1;
    if (code < CODE.space) break;
    if (code === CODE.backslash) {
      at = escapeEnd(text, at);
      if (at < 0) return at;
    } else at++;
  }
  return failAt(EXPECTED.stringCharacter, at);
};

const wordEnd = (text: string, index: number, word: string): number =>
  text.startsWith(word, index) ? index + word.length : failAt(EXPECTED.value, index);

/** Index after the string, number or word at `index`, or a failure. */
export const scalarEnd = (text: string, index: number): number => {
  const code = codeAt(text, index);
  if (code === CODE.quote) return stringEnd(text, index);
  if (code === CODE.minus || isDigit(code)) return numberEnd(text, index);
  if (code === CODE.t) return wordEnd(text, index, 'true');
  if (code === CODE.f) return wordEnd(text, index, 'false');
  if (code === CODE.n) return wordEnd(text, index, 'null');
  return failAt(EXPECTED.value, index);
};
