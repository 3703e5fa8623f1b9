import { checkGrown, spend } from '../limits.js';
import { paced } from './pieces.js';

/** Character classes of Python's `str`. */

/** White space of `strip()` and `split()`. */
export const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const every = (pattern: string): ((text: string) => boolean) => {
  const all = new RegExp(`^[${pattern}]+$`, 'u');
  return (text) => all.test(text);
};

/** Digits that are not decimals: superscripts, circled digits ... */
const OTHER_DIGITS =
  '\\u00b2\\u00b3\\u00b9\\u1369-\\u1371\\u19da\\u2070\\u2074-\\u2079\\u2080-\\u2089\\u2460-\\u2468\\u2474-\\u247c\\u2488-\\u2490\\u24ea\\u24f5-\\u24fd\\u24ff\\u2776-\\u277e\\u2780-\\u2788\\u278a-\\u2792';

/** Numeric ideographs, which Unicode classes as letters. */
const NUMBER_LETTERS = '一二三四五六七八九十百千万亿〇零壱弐参';

export const isSpace = every(SPACE);
export const isAlpha = every('\\p{L}');
export const isDecimal = every('\\p{Nd}');
export const isDigit = every(`\\p{Nd}${OTHER_DIGITS}`);
export const isNumeric = every(`\\p{N}${NUMBER_LETTERS}`);
export const isAlnum = every('\\p{L}\\p{N}');

export const isIdentifier = (text: string): boolean => /^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(text);

const LOWER = /\p{Lowercase}/u;
const UPPER = /[\p{Uppercase}\p{Lt}]/u;

export const isLower = (text: string): boolean => LOWER.test(text) && !UPPER.test(text);
export const isUpper = (text: string): boolean =>
  /\p{Uppercase}/u.test(text) && !/[\p{Lowercase}\p{Lt}]/u.test(text);

export const isTitle = (text: string): boolean => {
  let isAfterCased = false;
  let isAnyCased = false;
  for (const character of paced(text)) {
    const isUp = UPPER.test(character);
    const isLow = !isUp && LOWER.test(character);
    if ((isUp && isAfterCased) || (isLow && !isAfterCased)) return false;
    isAfterCased = isUp || isLow;
    isAnyCased ||= isAfterCased;
  }
  return isAnyCased;
};

const DIGRAPHS: Readonly<Record<string, string>> = {
  Ǆ: 'ǅ',
  ǆ: 'ǅ',
  Ǉ: 'ǈ',
  ǉ: 'ǈ',
  Ǌ: 'ǋ',
  ǌ: 'ǋ',
  Ǳ: 'ǲ',
  ǳ: 'ǲ',
};

const titleOf = (character: string): string => {
  const digraph = DIGRAPHS[character];
  if (digraph !== undefined) return digraph;
  const upper = Array.from(character.toUpperCase());
  return (upper[0] ?? '') + upper.slice(1).join('').toLowerCase();
};

export const titled = (text: string): string => {
  let result = '';
  let isAfterCased = false;
  for (const character of paced(text)) {
    const isCased = LOWER.test(character) || UPPER.test(character);
    result += isAfterCased ? character.toLowerCase() : isCased ? titleOf(character) : character;
    isAfterCased = isCased;
  }
  return result;
};

export const capitalized = (text: string): string => {
  const [first] = text;
  return first === undefined ? '' : titleOf(first) + text.slice(first.length).toLowerCase();
};

export const swapped = (text: string): string => {
  let result = '';
  for (const character of paced(text)) {
    result += UPPER.test(character)
      ? character.toLowerCase()
      : LOWER.test(character)
        ? character.toUpperCase()
        : character;
  }
  return result;
};

export const foldedText = (text: string): string => {
  let result = '';
  for (const character of paced(text)) {
    result +=
      character === 'ı' || character === 'İ'
        ? character.toLowerCase()
        : character.toUpperCase().toLowerCase();
  }
  return result;
};

const STRIP_START = new RegExp(`^[${SPACE}]+`, 'u');
const IS_SPACE = new RegExp(`[${SPACE}]`, 'u');

const trimmedEnd = (text: string, isGone: (character: string) => boolean): number => {
  let end = text.length;
  while (end > 0) {
    const low = text.charCodeAt(end - 1);
    const size = low >= 0xdc00 && low <= 0xdfff && end > 1 ? 2 : 1;
    if (!isGone(text.slice(end - size, end))) break;
    end -= size;
  }
  return end;
};

/** Removes these characters from one end of a text, or from both. Null stands for white space. */
export const stripped = (
  text: string,
  characters: string | null,
  where: 'both' | 'left' | 'right',
): string => {
  const gone = characters === null ? null : new Set(characters);
  let result = text;
  if (where !== 'right') {
    if (gone === null) result = result.replace(STRIP_START, '');
    else {
      let start = 0;
      for (const character of result) {
        if (!gone.has(character)) break;
        start += character.length;
      }
      result = result.slice(start);
    }
  }
  if (where === 'left') return result;
  const isGone = gone === null ? (each: string) => IS_SPACE.test(each) : (each: string) => gone.has(each);
  return result.slice(0, trimmedEnd(result, isGone));
};

const LINE_ENDS = '\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029';
const LINE_END = new RegExp(`\\r\\n|[${LINE_ENDS}]`, 'g');

export const lines = (text: string, keepEnds: boolean): string[] => {
  const result: string[] = [];
  let start = 0;
  for (const match of text.matchAll(LINE_END)) {
    const end = match.index + match[0].length;
    result.push(text.slice(start, keepEnds ? end : match.index));
    if ((result.length & 0xff) === 0) {
      spend(16);
      checkGrown(result.length);
    }
    start = end;
  }
  if (start < text.length) result.push(text.slice(start));
  return result;
};
