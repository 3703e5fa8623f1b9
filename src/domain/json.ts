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
