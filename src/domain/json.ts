export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;

const SCALAR = /^(?:-?[0-9][0-9.eE+-]*|true|false|null)$/;

/** Whether the ends of a text are those of JSON: an exception of the parser costs ten times as much as a line of text. */
const mayBeJson = (text: string): boolean => {
  let [from, to] = [0, text.length - 1];
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (from < to && isSpace(text.charCodeAt(to))) to--;
  const last = text[to];
  switch (text[from]) {
    case '{':
      return last === '}';
    case '[':
      return last === ']';
    case '"':
      return last === '"';
    default:
      return SCALAR.test(text.slice(from, to + 1));
  }
};

/** Returns the JSON value of a text, or undefined when it is not JSON. */
export const parsedJson = (text: string): unknown => {
  if (!mayBeJson(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** A JSON text on one line, otherwise as it is: line breaks are never inside its strings. Other text is unchanged. */
export const onOneLine = (text: string): string =>
  /[\r\n]/.test(text) && parsedJson(text) !== undefined ? text.trim().replaceAll(/\s*[\r\n]\s*/g, ' ') : text;

/** Whether a text is a JSON pointer (RFC 6901). */
export const isPointer = (text: string): boolean => text === '' || /^(?:\/(?:[^~/]|~[01])*)+$/u.test(text);

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns a reader of the value at a JSON pointer. It returns undefined when the document has none. */
export const pointerReader = (pointer: string): ((document: unknown) => unknown) => {
  const parts = pointer.split('/').slice(1).map(unescaped);
  return (document) => {
    let value = document;
    for (const part of parts) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
      if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(part)) return undefined;
      value = (value as Readonly<Record<string, unknown>>)[part];
    }
    return value;
  };
};

/** A value as text, to compare and to show: strings as they are, everything else as JSON. */
export const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** A value in a text: `valueText`, `null` for absent values and `null`. */
export const givenText = (value: unknown): string | null =>
  value === undefined || value === null ? null : valueText(value);

/** Where a text stops being JSON; line and column count from 1. */
interface JsonFlaw {
  readonly line: number;
  readonly column: number;
  /** What it has there, in words. */
  readonly what: string;
}

const BLANK = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in texts
const TEXT = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const SCALAR_AT = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;

/** What may come next; `first` may also be the end of an empty list or object. */
type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'next' | 'end';

const WORDS: Readonly<Record<Expected, string>> = {
  value: 'no value',
  'first value': 'no value or ]',
  key: 'no key in double quotes',
  'first key': 'no key in double quotes or }',
  colon: 'no colon',
  next: 'no comma or closing bracket',
  end: 'more behind its end',
};

/** The end of a match at an offset; -1 without one. */
const matchEnd = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
};

/** The first flaw of a text that is not JSON; null for JSON of any depth. */
export const jsonFlaw = (text: string): JsonFlaw | null => {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  const after = (): Expected => (open.length === 0 ? 'end' : 'next');
  for (let at = 0; ; ) {
    at = matchEnd(BLANK, text, at);
    const character = text[at];
    if (character === undefined && expected === 'end') return null;
    let end = -1;
    if (expected === 'value' || expected === 'first value') {
      if (character === '{' || character === '[') {
        open.push(character);
        [end, expected] = [at + 1, character === '{' ? 'first key' : 'first value'];
      } else if (character === ']' && expected === 'first value') {
        open.pop();
        [end, expected] = [at + 1, after()];
      } else {
        end = matchEnd(character === '"' ? TEXT : SCALAR_AT, text, at);
        if (end !== -1) expected = after();
      }
    } else if (expected === 'key' || expected === 'first key') {
      if (character === '}' && expected === 'first key') {
        open.pop();
        [end, expected] = [at + 1, after()];
      } else {
        end = matchEnd(TEXT, text, at);
        if (end !== -1) expected = 'colon';
      }
    } else if (expected === 'colon') {
      if (character === ':') [end, expected] = [at + 1, 'value'];
    } else if (expected === 'next') {
      const isObject = open.at(-1) === '{';
      if (character === ',') [end, expected] = [at + 1, isObject ? 'key' : 'value'];
      else if (character === (isObject ? '}' : ']')) {
        open.pop();
        [end, expected] = [at + 1, after()];
      }
    }
    if (end === -1) {
      const before = text.slice(0, at).split('\n');
      return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, what: WORDS[expected] };
    }
    at = end;
  }
};

/** What is wrong with a text that should be JSON, in words. */
export const notJson = (text: string): string => {
  const flaw = jsonFlaw(text);
  return flaw === null
    ? 'must be JSON'
    : `must be JSON: line ${flaw.line}, column ${flaw.column} has ${flaw.what}`;
};
