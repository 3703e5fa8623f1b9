import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';

/** Characters of JSON that a model gets from one call; about 10,000 tokens. */
export const MAX_RESULT_CHARS = 40_000;

/** Items of a list or keys of an object, and characters of a text, that stay. */
interface Limits {
  readonly items: number;
  readonly chars: number;
}

/** From generous to strict: the first under which a result fits counts. */
const STEPS: readonly Limits[] = [
  { items: 1_000, chars: 30_000 },
  { items: 200, chars: 8_000 },
  { items: 50, chars: 2_000 },
  { items: 20, chars: 500 },
  { items: 5, chars: 100 },
];

/** Notes about cuts; further ones are not listed. */
const MAX_NOTES = 10;

const cutWith = (value: Json, limits: Limits, at: string, notes: string[]): Json => {
  const note = (kept: number, all: number, what: string): void => {
    notes.push(`${at === '' ? 'result' : at}: the first ${kept} of ${all} ${what}`);
  };
  if (typeof value === 'string') {
    if (value.length <= limits.chars) return value;
    note(limits.chars, value.length, 'characters');
    return value.slice(0, limits.chars);
  }
  const below = (key: string): string => (at === '' ? key : `${at}.${key}`);
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    if (list.length > limits.items) note(limits.items, list.length, 'items');
    return list.slice(0, limits.items).map((item, i) => cutWith(item, limits, below(String(i)), notes));
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  if (entries.length > limits.items) note(limits.items, entries.length, 'keys');
  return Object.fromEntries(
    entries.slice(0, limits.items).map(([key, item]) => [key, cutWith(item, limits, below(key), notes)]),
  );
};

const listed = (notes: readonly string[]): readonly string[] =>
  notes.length <= MAX_NOTES
    ? notes
    : [...notes.slice(0, MAX_NOTES), `and ${notes.length - MAX_NOTES} further cuts`];

/** A result of at most `max_chars` characters of JSON; its key `cut` says what is missing. */
export const fitted = (value: JsonObject, max_chars = MAX_RESULT_CHARS): JsonObject => {
  for (const limits of STEPS) {
    const notes: string[] = [];
    const cut = cutWith(value, limits, '', notes) as JsonObject;
    const shown = notes.length === 0 ? cut : { cut: listed(notes), ...cut };
    if (JSON.stringify(shown).length <= max_chars) return shown;
  }
  return { cut: [`everything: the result exceeds ${max_chars} characters; ask for less`] };
};
