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

/** Reasons why a text is not JSON. The scanner returns one as a negative number, which allocates nothing. */
export const EXPECTED = {
  value: 0,
  name: 1,
  colon: 2,
  commaOrBracket: 3,
  commaOrBrace: 4,
  end: 5,
  stringCharacter: 6,
  escape: 7,
  hexDigit: 8,
  digit: 9,
  lessDepth: 10,
} as const;

type Expected = (typeof EXPECTED)[keyof typeof EXPECTED];

export const MAX_DEPTH = 10_000;

const KINDS = 16;

/** A failure at an index, as a negative number. */
export const failAt = (expected: Expected, index: number): number => -1 - index * KINDS - expected;

const BYTE_ORDER_MARK = 0xfeff;
const SPACE = 0x20;
const DELETE = 0x7f;
const isBlank = (character: string | undefined): boolean =>
  character !== undefined && ' \n\r\t'.includes(character);

const MAX_WORD = 20;

const foundAt = (text: string, index: number): string => {
  const code = text.codePointAt(index);
  if (code === undefined) return 'the end of the event';
  if (code === BYTE_ORDER_MARK) return 'a byte order mark (U+FEFF)';
  const word = /^[A-Za-z_$][\w$]*/.exec(text.slice(index, index + MAX_WORD))?.[0];
  if (word !== undefined) return `'${word}'`;
  if (code > SPACE && code < DELETE) return `'${String.fromCodePoint(code)}'`;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
};

const followsComma = (text: string, index: number): boolean => {
  let before = index - 1;
  while (isBlank(text[before])) before--;
  return text[before] === ',';
};

const unexpected =
  (expected: string) =>
  (text: string, index: number): string =>
    `expected ${expected}, found ${foundAt(text, index)}`;

/** A value or name is missing after a comma. */
const missing =
  (expected: string, closing: string) =>
  (text: string, index: number): string =>
    text[index] === closing && followsComma(text, index)
      ? `there must be no comma before '${closing}'`
      : unexpected(expected)(text, index);

const REASONS: Readonly<Record<Expected, (text: string, index: number) => string>> = {
  [EXPECTED.value]: missing('a JSON value', ']'),
  [EXPECTED.name]: missing('a name in double quotes', '}'),
  [EXPECTED.colon]: unexpected("':' after the name"),
  [EXPECTED.commaOrBracket]: unexpected("',' or ']'"),
  [EXPECTED.commaOrBrace]: unexpected("',' or '}'"),
  [EXPECTED.end]: unexpected('nothing after the JSON value'),
  [EXPECTED.stringCharacter]: (text, index) =>
    index < text.length
      ? `the control character ${foundAt(text, index)} must be escaped in a string`
      : 'the last string is not closed',
  [EXPECTED.escape]: unexpected('one of "\\/bfnrtu after \\ in a string'),
  [EXPECTED.hexDigit]: unexpected('four hexadecimal digits after \\u'),
  [EXPECTED.digit]: unexpected('a digit'),
  [EXPECTED.lessDepth]: () => `more than ${MAX_DEPTH} levels of arrays and objects`,
};

/** Line and column of an index, from 1; columns count characters. */
const positionOf = (text: string, index: number): string => {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < index; end = text.indexOf('\n', lineStart)) {
    line++;
    lineStart = end + 1;
  }
  let column = 1;
  for (const _ of text.slice(lineStart, index)) column++;
  return `line ${line}, column ${column}`;
};

/** Position and reason of a failure of `failAt`. */
export const reasonOfFailure = (text: string, failure: number): string => {
  const told = -1 - failure;
  const index = Math.floor(told / KINDS);
  const reason = REASONS[(told % KINDS) as Expected];
  return `not valid JSON at ${positionOf(text, index)}: ${reason(text, index)}`;
};
