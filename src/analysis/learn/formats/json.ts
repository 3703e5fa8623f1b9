import { parsedJson } from '../../../domain/json.js';
import { type Cut, type Cutter, cutter } from '../cut.js';

/** Deeper values and further ones stay part of the literal text of their record. */
const MAX_DEPTH = 32;
const MAX_VALUES = 400;

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;

interface Reader {
  readonly text: string;
  at: number;
  left: number;
  readonly out: Cutter;
}

const take = (reader: Reader, pattern: RegExp): string => {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0] ?? '';
  reader.at += found.length;
  return found;
};

const copyMark = (reader: Reader): string => {
  const mark = reader.text[reader.at] ?? '';
  reader.at += 1;
  reader.out.literal(mark);
  return mark;
};

const readScalar = (reader: Reader, path: string): void => {
  const text = take(reader, SCALAR);
  reader.left -= 1;
  if (reader.left < 0) reader.out.literal(text);
  else if (text.startsWith('"')) {
    reader.out.literal('"');
    reader.out.value(path, text.slice(1, -1));
    reader.out.literal('"');
  } else reader.out.value(path, text);
};

/** The end of a value, which is known to be JSON. */
const skipValue = (text: string, from: number): number => {
  const pattern = /"(?:[^"\\]|\\.)*"|[[{]|[\]}]|[^"[\]{},\s]+/g;
  pattern.lastIndex = from;
  let depth = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] === '{' || match[0] === '[') depth += 1;
    else if (match[0] === '}' || match[0] === ']') depth -= 1;
    if (depth === 0) return pattern.lastIndex;
  }
  return text.length;
};

/** A JSON object with the members of its top level sorted by name; the values keep their text. */
export const sortedJson = (record: string): string => {
  const text = record.trim();
  const members: string[] = [];
  const name = /[\s,{]*("(?:[^"\\]|\\.)*")\s*:\s*/y;
  for (let at = 0; ; ) {
    name.lastIndex = at;
    const found = name.exec(text);
    if (found === null) break;
    at = skipValue(text, name.lastIndex);
    members.push(`${found[1] ?? ''}:${text.slice(name.lastIndex, at)}`);
  }
  return `{${members.toSorted().join(',')}}`;
};

/** The text is known to be JSON: no error can occur. */
const readValue = (reader: Reader, path: string, depth: number): void => {
  reader.out.literal(take(reader, SPACE));
  const open = reader.text[reader.at];
  if ((open === '{' || open === '[') && depth < MAX_DEPTH) {
    copyMark(reader);
    for (let index = 0; ; index++) {
      reader.out.literal(take(reader, SPACE));
      const next = reader.text[reader.at];
      if (next === '}' || next === ']' || next === undefined) break;
      if (next === ',') copyMark(reader);
      reader.out.literal(take(reader, SPACE));
      let name = String(index);
      if (open === '{') {
        const key = take(reader, SCALAR);
        name = key.slice(1, -1);
        reader.out.literal(key + take(reader, SPACE));
        copyMark(reader);
      }
      readValue(reader, `${path}/${name}`, depth + 1);
    }
    copyMark(reader);
  } else readScalar(reader, path);
  reader.out.literal(take(reader, SPACE));
};

/** Depth of brackets outside of strings. */
const isShallow = (text: string): boolean => {
  let depth = 0;
  for (const mark of text.replace(/"(?:[^"\\]|\\.)*"/g, '').matchAll(/[[\]{}]/g)) {
    depth += mark[0] === '{' || mark[0] === '[' ? 1 : -1;
    if (depth > MAX_DEPTH) return false;
  }
  return true;
};

/** A JSON object (RFC 8259). Values are JSON pointers without `~` escapes; strings stay escaped. */
export const cutJson = (record: string): Cut | null => {
  const text = record.trim();
  if (!text.startsWith('{') || !text.endsWith('}') || parsedJson(text) === undefined || !isShallow(text))
    return null;
  const out = cutter();
  readValue({ text: record, at: 0, left: MAX_VALUES, out }, '', 0);
  return out.done('');
};
