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
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;

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
        end = matchEnd(character === '"' ? TEXT : SCALAR, text, at);
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
