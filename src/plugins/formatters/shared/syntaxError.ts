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
const isSpace = (character: string | undefined): boolean =>
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
  while (isSpace(text[before])) before--;
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
