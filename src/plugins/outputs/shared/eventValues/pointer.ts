import { text } from '../../../../schema/index.js';

/** A JSON pointer (RFC 6901) into an event, such as `/log/level`. */
export const pointerText = text({ label: 'JSON pointer', pattern: /^(?:\/(?:[^~/]|~[01])*)+$/u });

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns a reader of the value at a pointer; `undefined`: the document has none. */
export const pointerReader = (pointer: string): ((document: unknown) => unknown) => {
  const parts = pointer.split('/').slice(1).map(unescaped);
  return (document) => {
    let value = document;
    for (const part of parts) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
      if (Array.isArray(value) && part === 'length') return undefined;
      value = (value as Readonly<Record<string, unknown>>)[part];
    }
    return value;
  };
};

const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;

const SCALAR = /^(?:-?[0-9][0-9.eE+-]*|true|false|null)$/;

/** Whether the ends of a text are those of JSON: an exception of the parser costs ten times as much as a line of text. */
const mayBeJson = (event: string): boolean => {
  let [from, to] = [0, event.length - 1];
  while (from < to && isSpace(event.charCodeAt(from))) from++;
  while (from < to && isSpace(event.charCodeAt(to))) to--;
  const last = event[to];
  switch (event[from]) {
    case '{':
      return last === '}';
    case '[':
      return last === ']';
    case '"':
      return last === '"';
    default:
      return SCALAR.test(event.slice(from, to + 1));
  }
};

/** The JSON value of an event; `undefined`: it is not JSON. */
export const parsedEvent = (event: string): unknown => {
  if (!mayBeJson(event)) return undefined;
  try {
    return JSON.parse(event) as unknown;
  } catch {
    return undefined;
  }
};
