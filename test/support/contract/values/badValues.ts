import { isJsonObject, type Json } from '../../../../src/domain/json.js';
import type { Schema } from '../document.js';
import { alternativesOf, neededKeys, objectsOf } from '../places.js';
import { jsonText, withKey, withoutKey } from './jsonText.js';
import { isOneKey, listAt, numberAt, propertiesOf, schemaAt, smallest } from './smallest.js';

/** A value that may break a schema; whether it does is for a validator to say. */
export interface BadValue {
  readonly label: string;
  readonly value: Json;
  /** Where the fault lies, counted from the place of the value. */
  readonly fault: readonly string[];
}

const here = (label: string, value: Json): BadValue => ({ label, value, fault: [] });

/** One value of every JSON type, and of what is taken for one by mistake. */
const OTHER_TYPES: readonly BadValue[] = [
  ...[null, true, false, 0, -1, 1.5, '', 'text', [], [[]], [null], {}, { a: 1 }].map((value) =>
    here(`type: ${jsonText(value)}`, value),
  ),
];

/** Numbers and texts that look like numbers. */
const NUMBER_LIKE: readonly BadValue[] = [
  ...['NaN', 'Infinity', '-Infinity', '0x10', '1e999', '1_000', '٣', ' ', '1,5', '1;2', '-0'],
  ...[Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 53, -(2 ** 53), 1e300, -1e300, 5e-324, -0],
].map((value) => here(`number-like: ${jsonText(value)}`, value));

/** Names that every JavaScript object has without being given them. */
export const INHERITED_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'] as const;

const EXTRA_KEYS = ['no_such_key', '', ...INHERITED_NAMES] as const;

const outside = (schema: Schema): readonly BadValue[] => {
  const [low, above, high, shortest, longest, fewest, most] = [
    ...['minimum', 'exclusiveMinimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ].map((key) => numberAt(schema[key]));
  return [
    ...(low == null ? [] : [here('below the least', low - 1)]),
    ...(above == null ? [] : [here('the bound itself', above), here('below the bound', above - 1)]),
    ...(high == null ? [] : [here('above the greatest', high + 1)]),
    ...(shortest == null || shortest < 1 ? [] : [here('too short', 'a'.repeat(shortest - 1))]),
    ...(longest == null ? [] : [here('too long', 'a'.repeat(longest + 1))]),
    ...(fewest == null || fewest < 1 ? [] : [here('too few', [])]),
    ...(most == null
      ? []
      : [
          here(
            'too many',
            Array.from({ length: most + 1 }, () => smallest(schemaAt(schema['items']))),
          ),
        ]),
  ];
};

/** Names that are nearly right. */
const nearNames = (schema: Schema): readonly BadValue[] =>
  [schema['const'], ...listAt(schema['enum'])]
    .filter((name): name is string => typeof name === 'string')
    .flatMap((name) => [here('another case', name.toUpperCase()), here('a blank more', `${name} `)]);

/** What is wrong with the keys of an object: one too many, one missing, none, two kinds. */
const wrongKeys = (schema: Schema): readonly BadValue[] => {
  const whole = smallest({ ...schema, examples: [] });
  if (!isJsonObject(whole)) return [];
  const base = whole as Readonly<Record<string, Json>>;
  const known = propertiesOf(schema);
  const extra = EXTRA_KEYS.flatMap((key) => [
    { label: `extra key ${key}`, value: withKey(base, key, { polluted: true }), fault: [key] },
    ...(isOneKey(schema) ? [{ label: `kind ${key}`, value: withKey({}, key, {}), fault: [key] }] : []),
  ]);
  const missing = neededKeys(schema).map((key) => ({
    label: `without ${key}`,
    value: withoutKey(base, key),
    fault: [key],
  }));
  const [first, second] = known;
  const two =
    isOneKey(schema) && first !== undefined && second !== undefined
      ? [here('two kinds', { [first[0]]: smallest(first[1]), [second[0]]: smallest(second[1]) })]
      : [];
  return [...extra, ...missing, ...two];
};

/** Values that are likely to break the schema of a place, with where each is wrong: the most exact places first. */
export const badValuesOf = (schema: Schema): readonly BadValue[] => [
  ...objectsOf(schema).flatMap(wrongKeys),
  ...OTHER_TYPES,
  ...NUMBER_LIKE,
  ...alternativesOf(schema).flatMap((each) => [...outside(each), ...nearNames(each)]),
];

/** The text of `levels` lists in each other. */
export const nestedLists = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** The text of `levels` objects in each other. */
export const nestedObjects = (levels: number): string => `${'{"a":'.repeat(levels)}null${'}'.repeat(levels)}`;
