import { isJsonObject, parsedJson } from '../json.js';
import { matchesOf } from '../text/matches.js';

/** Whether an event is one of those that a search looks for. Total. */
export type Matcher = (event: string) => boolean;

export const MAX_SEARCH_LENGTH = 1_000;

/** An event during one search: what several terms need of it is made once. */
interface Looked {
  readonly text: string;
  /** The event as a JSON object or list; `null` if it is none. */
  readonly document: () => object | null;
}

type Term = (event: Looked) => boolean;

/** A term: `-` before it, a field (in quotes if it has other characters) and a colon, then text in quotes or up to the next space. */
const TERM = /(-?)(?:([\p{L}_@][\p{L}\p{N}_@.-]*|"(?:[^"\\]|\\.)+"):(?!\/\/))?("(?:[^"\\]|\\.)*"?|\S+)/gu;

const PLAIN_FIELD = /^[\p{L}_@][\p{L}\p{N}_@.-]*$/u;
/** A value that is no quoted text, comparison or wildcard. */
const PLAIN_VALUE = /^[^\s"<>*/-][^\s"*]*$/;

/** The term that finds events with this value in a field. */
export const termFor = (field: string, value: string): string =>
  `${PLAIN_FIELD.test(field) ? field : quoted(field)}:${PLAIN_VALUE.test(value) ? value : quoted(value)}`;

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/**
 * Compiles a search; `null` if it is empty. All terms must match, case does not count:
 *
 * - `denied`, `"access denied"`: the event contains the text
 * - `user.name:ann`, `name:ann`: a field with these last keys has this value (`*` stands for any text). Fields of JSON events
 *   may be nested or have dots in their names, and one of a list is enough; in other text it is `name=ann` or `name="ann"`
 * - `status:>=500` (also `>`, `<`, `<=`): the field is such a number
 * - `-` before a term: it must not match
 */
export const matcherOf = (search: string): Matcher | null => {
  const terms = [...matchesOf(search, TERM)].map(([, minus = '', field, value = '']) => {
    const term = field === undefined ? textTerm(unquoted(value)) : fieldTerm(unquoted(field), value);
    return minus === '' ? term : (event: Looked) => !term(event);
  });
  if (terms.length === 0) return null;
  return (text) => {
    const event = lookedAt(text);
    return terms.every((term) => term(event));
  };
};

const unquoted = (value: string): string =>
  value.startsWith('"') ? value.slice(1).replace(/"$/, '').replaceAll(/\\(.)/g, '$1') : value;

const lookedAt = (text: string): Looked => {
  let document: object | null | undefined;
  return {
    text,
    document: () => {
      if (document === undefined) document = documentOf(text);
      return document;
    },
  };
};

const documentOf = (text: string): object | null => {
  const value = parsedJson(text);
  return typeof value === 'object' ? value : null;
};

/** A pattern that ignores case is faster than a search in a copy in lower case. */
const contains = (wanted: string): ((text: string) => boolean) => {
  const pattern = new RegExp(escaped(wanted), 'i');
  return (text) => pattern.test(text);
};

const textTerm = (wanted: string): Term => {
  const isIn = contains(wanted);
  return ({ text }) => isIn(text);
};

const fieldTerm = (field: string, written: string): Term => {
  const { isWanted, mayBeIn } = wantedValue(field, written);
  const segments = field.split('.');
  const pairs = new RegExp(`(?<![\\w@-])${escaped(field)}=(?:"([^"]*)"|([^\\s,;|)\\]}]*))`, 'gi');
  return (event) => {
    const { text } = event;
    // Parsing takes longest. A JSON text may have any character as an escape.
    const isPossible = mayBeIn(text);
    if (!isPossible && !text.includes('\\u')) return false;
    const document = event.document();
    if (document !== null) return hasField(document, segments, isWanted);
    return isPossible && [...matchesOf(text, pairs)].some(([, quoted, plain]) => isWanted(quoted ?? plain));
  };
};

interface WantedValue {
  /** Tests a value in an event. */
  readonly isWanted: (value: unknown) => boolean;
  /** A quick look: false only if no field of the text has such a value, escapes aside. */
  readonly mayBeIn: (text: string) => boolean;
}

const wantedValue = (field: string, written: string): WantedValue => {
  const key = field.slice(field.lastIndexOf('.') + 1);
  const [, operator = '', number = ''] = COMPARISON.exec(written) ?? [];
  const compare = COMPARE[operator];
  if (compare !== undefined) return wantedNumber(key, (value) => compare(value, Number(number)));
  // The value first: it is rarer.
  const words = [longestWord(written), longestWord(key)].map(contains);
  const mayBeIn = (text: string): boolean => words.every((isIn) => isIn(text));
  if (written === '*') return { isWanted: () => true, mayBeIn };
  const wanted = unquoted(written).toLowerCase();
  if (written.startsWith('"') || !wanted.includes('*'))
    return { isWanted: (value) => isScalar(value) && String(value).toLowerCase() === wanted, mayBeIn };
  const fits = wildcard(wanted);
  return { isWanted: (value) => isScalar(value) && fits(String(value).toLowerCase()), mayBeIn };
};

/** Tests a whole text; `*` stands for any. No pattern: many `*` would take it minutes for a long text. */
const wildcard = (wanted: string): ((text: string) => boolean) => {
  const parts = wanted.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  const between = parts.slice(1, -1);
  return (text) => {
    const end = text.length - last.length;
    let from = first.length;
    if (end < from || !text.startsWith(first) || !text.endsWith(last)) return false;
    for (const part of between) {
      const found = text.indexOf(part, from);
      if (found === -1) return false;
      from = found + part.length;
    }
    return from <= end;
  };
};

const COMPARISON = /^([<>]=?)(-?\d+(?:\.\d+)?)$/;

const COMPARE: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

const wantedNumber = (key: string, isWanted: (value: number) => boolean): WantedValue => {
  // Behind the key there is a number, or a list that may have one.
  const values = new RegExp(`${escaped(key)}"?\\s*[:=]\\s*(?:\\[|"?\\s*(-?\\d[\\d.e+-]*))`, 'gi');
  return {
    isWanted: (value) => isNumber(value) && isWanted(Number(value)),
    mayBeIn: (text) =>
      [...matchesOf(text, values)].some(([, digits]) => digits === undefined || isWanted(Number(digits))),
  };
};

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

const NUMBER = /^\s*-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\s*$/i;

const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value));

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The longest run of letters, digits and `_`. */
const longestWord = (written: string): string =>
  [...matchesOf(written, /[a-z0-9_]+/gi)]
    .map(([word]) => word)
    .reduce((longest, word) => (word.length > longest.length ? word : longest), '');

/** Whether a field with these last keys, at any depth, has a wanted value. */
const hasField = (
  value: unknown,
  segments: readonly string[],
  isWanted: (value: unknown) => boolean,
): boolean => {
  if (Array.isArray(value)) return value.some((one) => hasField(one, segments, isWanted));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, one]) => {
    const isAt = (_: string, index: number): boolean => {
      const last = segments.slice(0, index + 1).join('.');
      const isKey = key === last || key.endsWith(`.${last}`);
      return isKey && hasValue(one, segments, index + 1, isWanted);
    };
    return segments.some(isAt) || hasField(one, segments, isWanted);
  });
};

/** Whether the value, or one in a list, has a wanted value at the keys from here; several may be one key with dots. */
export const hasValue = (
  value: unknown,
  segments: readonly string[],
  from: number,
  isWanted: (value: unknown) => boolean,
): boolean => {
  if (Array.isArray(value)) return value.some((one) => hasValue(one, segments, from, isWanted));
  if (from === segments.length) return isWanted(value);
  if (!isJsonObject(value)) return false;
  for (let to = from + 1; to <= segments.length; to++) {
    const key = segments.slice(from, to).join('.');
    if (Object.hasOwn(value, key) && hasValue(value[key], segments, to, isWanted)) return true;
  }
  return false;
};
