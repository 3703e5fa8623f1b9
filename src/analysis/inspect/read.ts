import { parsedJson } from '../../domain/json.js';
import { type JsonSink, walkJson } from '../../domain/jsonWalk.js';
import { matchesOf } from '../../domain/text/matches.js';
import type { FieldType } from './report.js';

/** Reads the fields of a JSON event; false: the text is no JSON. */
export const readJsonEvent = (text: string, sink: JsonSink): boolean => {
  if (parsedJson(text) === undefined) return false;
  walkJson(text, sink);
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
  const found = [...matchesOf(text, PAIR)];
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
  const names = [...matchesOf(text, CEF_NAME)];
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
