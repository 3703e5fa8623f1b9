import { isJsonObject, type Json } from '../../../../src/domain/json.js';
import type { Schema } from '../document.js';
import { withKey } from './jsonText.js';

/** Schema keywords that the enumeration knows; one that it does not know would be passed over in silence. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf', 'oneOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'],
  ...[
    'minProperties',
    'maxProperties',
    'propertyNames',
    'format',
    'default',
    'examples',
    'description',
    'title',
    'writeOnly',
  ],
]);

/** Throws for a schema with a keyword that the enumeration does not know. */
export const assertKnown = (schema: Schema): void => {
  const unknown = Object.keys(schema).filter((keyword) => !KNOWN.has(keyword));
  if (unknown.length > 0) throw new Error(`unknown schema keywords ${unknown.join(', ')}`);
};

export const schemaAt = (value: Json | undefined): Schema => (isJsonObject(value) ? value : {});
export const listAt = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];
export const numberAt = (value: Json | undefined): number | null =>
  typeof value === 'number' ? value : null;

/** The alternatives of a schema; `null` when it has none. */
export const branchesOf = (schema: Schema): readonly Schema[] | null => {
  const branches = [...listAt(schema['anyOf']), ...listAt(schema['oneOf'])];
  return branches.length === 0 ? null : branches.map(schemaAt);
};

/** Types that a schema names; empty when it takes all. */
export const typesOf = ({ type }: Schema): readonly string[] =>
  typeof type === 'string' ? [type] : listAt(type).map(String);

const properties = new WeakMap<Schema, readonly (readonly [string, Schema])[]>();

/** Kept for each schema: one is asked tens of thousands of times. */
export const propertiesOf = (schema: Schema): readonly (readonly [string, Schema])[] => {
  const known = properties.get(schema);
  if (known !== undefined) return known;
  const made = Object.entries(schemaAt(schema['properties'])).map(
    ([name, inner]) => [name, schemaAt(inner)] as const,
  );
  properties.set(schema, made);
  return made;
};

export const requiredOf = (schema: Schema): readonly string[] => listAt(schema['required']).map(String);

/** True for an object with exactly one of its keys: the key selects the kind. */
export const isOneKey = (schema: Schema): boolean =>
  schema['minProperties'] === 1 && schema['maxProperties'] === 1;

/** Texts that satisfy the patterns of this API; the first that fits is taken. */
const PATTERN_TEXTS = [
  'a',
  '${params.x}',
  'shared.x',
  'a.csv',
  'a.json',
  '1',
  'true',
  '640',
  'web',
  'UTC',
  '2026-01-01T00:00:00Z',
  '+1h',
  '/a',
  '2xx',
  ';',
  '{/a}',
  `sha256$${'0'.repeat(64)}`,
];

/** Texts that a pattern takes; none for a schema without a pattern. */
export const patternTexts = ({ pattern, maxLength }: Schema): readonly string[] => {
  if (typeof pattern !== 'string') return [];
  const expression = new RegExp(pattern, 'u');
  const longest = typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY;
  const fitting = PATTERN_TEXTS.filter((text) => text.length <= longest && expression.test(text));
  if (fitting.length === 0) throw new Error(`no text is known that fits ${pattern}`);
  return fitting;
};

/** Texts of a format: nothing listens at these addresses. */
const FORMAT_TEXTS: Readonly<Record<string, string>> = {
  uri: 'http://127.0.0.1:9/',
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
};

/** A text of the format of a schema; `null` for a schema without one. */
export const formatText = ({ format }: Schema): string | null => {
  if (typeof format !== 'string') return null;
  const text = FORMAT_TEXTS[format];
  if (text === undefined) throw new Error(`no text is known of the format ${format}`);
  return text;
};

const smallestText = (schema: Schema): string => {
  const fitting = patternTexts(schema)[0] ?? formatText(schema);
  return fitting ?? 'a'.repeat(Math.max(1, numberAt(schema['minLength']) ?? 1));
};

const smallestNumber = (schema: Schema): number => {
  const least = numberAt(schema['minimum']);
  const above = numberAt(schema['exclusiveMinimum']);
  return least ?? (above === null ? 1 : above + 1);
};

/** A key of an object whose keys are free. */
export const freeKeyOf = (schema: Schema): string =>
  patternTexts(schemaAt(schema['propertyNames']))[0] ?? 'any-key';

/** True for an object with exactly one key, which is free. */
export const isOneFreeKey = (schema: Schema): boolean =>
  isOneKey(schema) &&
  propertiesOf(schema).length === 0 &&
  isJsonObject(schema['additionalProperties'] ?? null);

const smallestObject = (schema: Schema): Json => {
  if (isOneFreeKey(schema))
    return { [freeKeyOf(schema)]: smallest(schemaAt(schema['additionalProperties'])) };
  const known = propertiesOf(schema);
  const first = known[0];
  if (isOneKey(schema)) return first === undefined ? {} : { [first[0]]: smallest(first[1]) };
  const least = numberAt(schema['minProperties']) ?? 0;
  const needed =
    requiredOf(schema).length >= least ? requiredOf(schema) : known.map(([name]) => name).slice(0, least);
  return Object.fromEntries(
    known.filter(([name]) => needed.includes(name)).map(([name, inner]) => [name, smallest(inner)]),
  );
};

const smallestOfType = (schema: Schema): Json => {
  const types = typesOf(schema);
  switch (types.find((type) => type !== 'null') ?? types[0]) {
    case 'string':
      return smallestText(schema);
    case 'integer':
    case 'number':
      return smallestNumber(schema);
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: numberAt(schema['minItems']) ?? 0 }, () =>
        smallest(schemaAt(schema['items'])),
      );
    case 'object':
      return smallestObject(schema);
    case 'null':
      return null;
    default:
      return 'anything';
  }
};

/**
 * The smallest value of a schema: constants and examples as they are, required keys only, the first of every
 * alternative. A text that must mean something (a time zone, a schedule) needs an example in the document.
 */
export const smallest = (schema: Schema): Json => {
  const known = smallestValues.get(schema);
  if (known !== undefined) return known;
  const made = findSmallest(schema);
  smallestValues.set(schema, made);
  return made;
};

/** Kept for each schema: a document of thousands of places asks for those around each of them. */
const smallestValues = new WeakMap<Schema, Json>();

const findSmallest = (schema: Schema): Json => {
  assertKnown(schema);
  if (schema['const'] !== undefined) return schema['const'];
  const [example] = listAt(schema['examples']);
  if (example !== undefined) return example;
  const [name] = listAt(schema['enum']);
  if (name !== undefined) return name;
  const [branch] = branchesOf(schema) ?? [];
  return branch === undefined ? smallestOfType(schema) : smallest(branch);
};

/** A value of an object schema that has every key, each with its smallest value: the largest body. */
export const largest = (schema: Schema): Json => {
  assertKnown(schema);
  const [branch] = branchesOf(schema) ?? [];
  const [example] = listAt(schema['examples']);
  // What names no keys of its own can only be shown.
  if (example !== undefined && propertiesOf(branch ?? schema).length === 0) return example;
  if (branch !== undefined) return largest(branch);
  if (isOneFreeKey(schema)) return { [freeKeyOf(schema)]: largest(schemaAt(schema['additionalProperties'])) };
  if (!typesOf(schema).includes('object') || propertiesOf(schema).length === 0) return smallest(schema);
  const known = propertiesOf(schema);
  const chosen = isOneKey(schema) ? known.slice(0, 1) : known;
  return chosen.reduce<Readonly<Record<string, Json>>>(
    (all, [key, inner]) => withKey(all, key, largest(inner)),
    {},
  );
};
