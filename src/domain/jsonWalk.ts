export type JsonType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** Takes what a JSON text has, in its order. */
export interface JsonSink {
  /** Names the next value of the open object. */
  readonly name: (name: string) => void;
  readonly open: (isArray: boolean) => void;
  readonly close: () => void;
  /** A string without its quotes and escapes; another value as written. */
  readonly scalar: (type: JsonType, text: string) => void;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** End of a number, `true`, `false` or `null`. */
const isEnd = (unit: number): boolean =>
  unit <= 0x20 || unit === 0x2c || unit === 0x5d || unit === 0x7d || Number.isNaN(unit);

/** Index of the quote that ends the string, which starts before `from`. */
const endOfString = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from); ; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
};

const wordType = (word: string): JsonType => {
  if (word === 'true' || word === 'false') return 'boolean';
  if (word === 'null') return 'null';
  return /[.eE]/.test(word) ? 'number' : 'integer';
};

/** Walks a text that is known to be JSON, without recursion: keeps numbers as written and names that come twice. */
export const walkJson = (text: string, sink: JsonSink): void => {
  /** One flag per open container: array. */
  const open: boolean[] = [];
  let isName = false;
  let nextSlash = text.indexOf('\\');

  const stringAt = (from: number, end: number): string => {
    if (nextSlash >= 0 && nextSlash < from) nextSlash = text.indexOf('\\', from);
    const hasEscapes = nextSlash >= 0 && nextSlash < end;
    return hasEscapes ? (JSON.parse(text.slice(from - 1, end + 1)) as string) : text.slice(from, end);
  };

  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      const end = endOfString(text, at + 1);
      const value = stringAt(at + 1, end);
      if (isName) sink.name(value);
      else sink.scalar('string', value);
      isName = false;
      at = end;
    } else if (unit === 0x7b || unit === 0x5b) {
      open.push(unit === 0x5b);
      isName = unit === 0x7b;
      sink.open(unit === 0x5b);
    } else if (unit === 0x7d || unit === 0x5d) {
      open.pop();
      isName = false;
      sink.close();
    } else if (unit === 0x2c) {
      isName = open.at(-1) === false;
    } else if (unit > 0x20 && unit !== 0x3a) {
      let end = at + 1;
      while (!isEnd(text.charCodeAt(end))) end++;
      const word = text.slice(at, end);
      sink.scalar(wordType(word), word);
      at = end - 1;
    }
  }
};
