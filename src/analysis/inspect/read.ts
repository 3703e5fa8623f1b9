import type { FieldType } from './report.js';
import type { FieldSink } from './tally/fieldTree.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** End of a number, `true`, `false` or `null`. */
const isEnd = (unit: number): boolean =>
  unit <= 0x20 || unit === 0x2c || unit === 0x5d || unit === 0x7d || Number.isNaN(unit);

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Index of the quote that ends the string, which starts before `from`. */
const endOfString = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from); ; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
};

const wordType = (word: string): FieldType => {
  if (word === 'true' || word === 'false') return 'boolean';
  if (word === 'null') return 'null';
  return /[.eE]/.test(word) ? 'number' : 'integer';
};

/** Walks JSON without recursion and keeps numbers as written; the text must be valid. */
const walk = (text: string, sink: FieldSink): void => {
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

/** Reads the fields of a JSON event; false: the text is no JSON. */
export const readJsonEvent = (text: string, sink: FieldSink): boolean => {
  if (!isJson(text)) return false;
  walk(text, sink);
  return true;
};

type AddPair = (name: string, type: FieldType, text: string) => void;

const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)\.\d+$/;

const typeOf = (text: string): FieldType => {
  if (text.length > 30) return 'string';
  if (INTEGER.test(text)) return 'integer';
  return NUMBER.test(text) ? 'number' : 'string';
};

/** A name, then a value in quotes or up to a blank or comma. */
const PAIR = /(?<![^\s,;|[(])([A-Za-z_][\w.@:-]{0,127})=(?:"((?:[^"\\]|\\.)*)"|([^\s,;|\])]*))/gsu;

/** Fewer pairs are chance, e.g. in a URL or a sentence. */
const MIN_PAIRS = 2;

/** Reads `name=value` and `name="value"`; false: the text has less than two. */
export const readPairs = (text: string, add: AddPair): boolean => {
  const found = [...text.matchAll(PAIR)];
  if (found.length < MIN_PAIRS) return false;
  for (const [, name = '', quoted, bare = ''] of found) {
    const value = quoted === undefined ? bare : quoted.replace(/\\(.)/gs, '$1');
    add(name, typeOf(value), value);
  }
  return true;
};

const CEF_HEADER = [
  'CEF.version',
  'CEF.deviceVendor',
  'CEF.deviceProduct',
  'CEF.deviceVersion',
  'CEF.signatureId',
  'CEF.name',
  'CEF.severity',
] as const;

const CEF_START = /(?:^|\s)CEF:(?=\d)/;
/** A header field: a backslash escapes a pipe. */
const CEF_FIELD = /((?:[^|\\]|\\.)*)\|/gsy;
const CEF_NAME = /(?:^|\s)([\w.[\]-]{1,128})=/g;

/** Values reach up to the name of the next pair. */
const addExtension = (text: string, add: AddPair): void => {
  const names = [...text.matchAll(CEF_NAME)];
  names.forEach((match, index) => {
    const from = match.index + match[0].length;
    const value = text
      .slice(from, names[index + 1]?.index ?? text.length)
      .trimEnd()
      .replace(/\\([\\=|])/g, '$1');
    add(match[1] as string, typeOf(value), value);
  });
};

/** Reads the header and the extension of a CEF event; false: it has no whole header. */
export const readCef = (text: string, add: AddPair): boolean => {
  const start = CEF_START.exec(text);
  if (start === null) return false;
  const header: string[] = [];
  CEF_FIELD.lastIndex = start.index + start[0].length;
  while (header.length < CEF_HEADER.length) {
    const { lastIndex } = CEF_FIELD;
    const match = CEF_FIELD.exec(text);
    if (match === null || lastIndex === CEF_FIELD.lastIndex) return false;
    header.push((match[1] as string).replace(/\\([\\|])/g, '$1'));
  }
  const { lastIndex } = CEF_FIELD;
  CEF_HEADER.forEach((name, index) => {
    const value = header[index] as string;
    add(name, typeOf(value), value);
  });
  addExtension(text.slice(lastIndex), add);
  return true;
};
