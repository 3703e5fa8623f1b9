const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
/** The pattern that stands for a random UUID. */
export const FRESH_UUID = 'uuid';

/** Values of which this share is unique are made anew. */
const MIN_UNIQUE = 0.95;
const MIN_VALUES = 20;
const MAX_LENGTH = 128;
/** Different characters that make a location of an identifier random. */
const MIN_VARIETY = 6;

const CLASSES: readonly (readonly [code: string, look: RegExp])[] = [
  ['%d', /^\d$/],
  ['%h', /^[\da-f]$/],
  ['%H', /^[\dA-F]$/],
  ['%a', /^[a-z]$/],
  ['%A', /^[A-Z]$/],
  ['%l', /^[A-Za-z]$/],
  ['%w', /^[A-Za-z\d]$/],
];

/** The pattern of one location; null: it is neither fixed nor random. */
const placeOf = (characters: ReadonlySet<string>): string | null => {
  if (characters.size === 1) {
    const [only = ''] = characters;
    return only === '%' || only === '{' || only === '}' ? null : only;
  }
  if (characters.size < MIN_VARIETY) return null;
  return CLASSES.find(([, look]) => [...characters].every((character) => look.test(character)))?.[0] ?? null;
};

/** A pattern of `module.rand.string.pattern` that makes values like these, all of them unique; null: they are not. */
export const freshPattern = (values: readonly string[]): string | null => {
  const length = values[0]?.length ?? 0;
  if (values.length < MIN_VALUES || length < 6 || length > MAX_LENGTH) return null;
  if (new Set(values).size < values.length * MIN_UNIQUE) return null;
  if (values.every((value) => UUID.test(value))) return FRESH_UUID;
  if (values.some((value) => value.length !== length || !/^[\x21-\x7e]+$/.test(value))) return null;
  const codes: string[] = [];
  for (let at = 0; at < length; at++) {
    const code = placeOf(new Set(values.map((value) => value[at] ?? '')));
    if (code === null) return null;
    codes.push(code);
  }
  return codes.join('').replace(/(%[a-zA-Z])\1+/g, (run, code: string) => `${code}{${run.length / 2}}`);
};
