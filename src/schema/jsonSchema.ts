import type { Json } from '../domain/json.js';
import { PLACEHOLDER_PATTERN } from '../domain/placeholder.js';
import { isPlainObject, placeholderLimit } from './reader.js';
import { BOOLEAN_WORDS, INTEGER_TEXT, NUMBER_TEXT } from './scalars.js';
import type { Field, FieldDoc, Fields, JsonSchema } from './shape.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

type Named = readonly (readonly [name: string, schema: JsonSchema])[];

export const recordSchema = (fields: Fields): JsonSchema => {
  const needed = Object.keys(fields).filter((name) => fields[name]?.presence === 'required');
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema])),
    ...(needed.length > 0 ? { required: needed } : {}),
    additionalProperties: false,
  };
};

/** An object with exactly one of the keys: editors complete this form best. */
export const oneKeySchema = (kinds: Named): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(kinds),
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
});

/** One branch per tag: its object schema with the tag added. */
export const taggedSchema = (tag: string, kinds: Named): JsonSchema => ({
  type: 'object',
  oneOf: kinds.map(([name, schema]) => ({
    ...schema,
    properties: { [tag]: { const: name }, ...asObject(schema['properties']) },
    required: [tag, ...(Array.isArray(schema['required']) ? (schema['required'] as readonly string[]) : [])],
  })),
});

const asObject = (value: Json | undefined): JsonSchema => (isPlainObject(value) ? value : {});

const NULL: JsonSchema = { type: 'null' };

const nullable = (schema: JsonSchema): JsonSchema => {
  const { type, enum: names } = schema;
  if (Object.keys(schema).length === 0) return schema;
  if (typeof type === 'string' && schema['oneOf'] === undefined) {
    return { ...schema, type: [type, 'null'], ...(Array.isArray(names) ? { enum: [...names, null] } : {}) };
  }
  return { anyOf: [schema, NULL] };
};

const describe = ({ help, unit, extension }: FieldDoc): string =>
  [
    help,
    ...(unit === undefined ? [] : [`Unit: ${unit}.`]),
    ...(extension === true ? ['Kept by a PUT without it; null removes it.'] : []),
  ].join(' ');

/** The schema of a field with help and default; fields that are not required accept `null`. */
export const fieldSchema = (
  schema: JsonSchema,
  doc: FieldDoc,
  presence: Field<unknown>['presence'],
  fallback: Json,
): JsonSchema => ({
  description: describe(doc),
  ...(presence === 'required' ? schema : nullable(schema)),
  ...(presence === 'required' ? {} : { default: fallback }),
  ...(doc.example === undefined ? {} : { examples: [doc.example] }),
  ...(doc.secret === true ? { writeOnly: true } : {}),
});

/** A complete schema document. Its id follows from the title and is no address. What it repeats stands under `$defs`. */
export const schemaDocument = (title: string, schema: JsonSchema): JsonSchema => ({
  $schema: DIALECT,
  $id: `urn:spate-events:schema:${title
    .toLowerCase()
    .replace(/^spate /, '')
    .replaceAll(' ', '-')}`,
  title,
  ...withDefinitions(schema),
});

// ---- files with placeholders ----------------------------------------------------------------------

const ANNOTATIONS: ReadonlySet<string> = new Set([
  'description',
  'title',
  'default',
  'examples',
  'writeOnly',
  '$schema',
]);

const eitherCase = (word: string): string =>
  [...word].map((letter) => (/[a-z]/.test(letter) ? `[${letter}${letter.toUpperCase()}]` : letter)).join('');

/** Texts that decode as a scalar of another type. */
const LENIENT: Readonly<Record<string, string>> = {
  integer: INTEGER_TEXT,
  number: NUMBER_TEXT,
  boolean: `^\\s*(${[...BOOLEAN_WORDS.true, ...BOOLEAN_WORDS.false].map(eitherCase).join('|')})\\s*$`,
};

const typesOf = (schema: JsonSchema): readonly string[] => {
  const { type } = schema;
  return typeof type === 'string' ? [type] : Array.isArray(type) ? (type as readonly string[]) : [];
};

/** The longest text that any branch accepts. */
const longestOf = ({ maxLength, anyOf }: JsonSchema): number =>
  Math.max(
    typeof maxLength === 'number' ? maxLength : 0,
    ...(Array.isArray(anyOf) ? (anyOf as readonly Json[]).map((branch) => longestOf(asObject(branch))) : []),
  );

/** Additions to a schema. */
interface Widening {
  /** Texts with a placeholder, beside other spellings of scalars. */
  readonly hasPlaceholders: boolean;
}

/** Alternatives beside the schema. */
const alternativesOf = (schema: JsonSchema, { hasPlaceholders }: Widening): readonly JsonSchema[] => {
  const types = typesOf(schema);
  const maxLength = placeholderLimit(longestOf(schema));
  const patterns = [
    ...(hasPlaceholders ? [PLACEHOLDER_PATTERN] : []),
    ...types.flatMap((type) => LENIENT[type] ?? []),
  ];
  return [
    ...(patterns.length === 0 ? [] : [{ type: 'string', maxLength, pattern: patterns.join('|') }]),
    ...(types.includes('boolean') ? [{ enum: [0, 1] }] : []),
  ];
};

const isUnconstrained = (rules: JsonSchema): boolean => {
  const names = Object.keys(rules);
  return (
    names.length === 0 ||
    (names.every((name) => name === 'type' || name === 'format') && typesOf(rules).includes('string'))
  );
};

const widen = (schema: JsonSchema, by: Widening): JsonSchema => {
  const inner = withWiderParts(schema, by);
  const notes = Object.fromEntries(Object.entries(inner).filter(([key]) => ANNOTATIONS.has(key)));
  const rules = Object.fromEntries(Object.entries(inner).filter(([key]) => !ANNOTATIONS.has(key)));
  // Tags stay exact: they select the branch of a union.
  if (isUnconstrained(rules) || 'const' in rules) return inner;
  const alternatives = alternativesOf(rules, by);
  if (alternatives.length === 0) return inner;
  const { anyOf } = rules;
  const branches =
    Array.isArray(anyOf) && Object.keys(rules).length === 1 ? (anyOf as readonly Json[]) : [rules];
  return { ...notes, anyOf: [...branches, ...alternatives] };
};

/** Widens nested schemas but not the root. */
const withWiderParts = (schema: JsonSchema, by: Widening): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).map(([key, value]): readonly [string, Json] => {
      if (key === 'properties' && isPlainObject(value)) {
        const properties = Object.entries(value);
        return [
          key,
          Object.fromEntries(properties.map(([name, inner]) => [name, widen(asObject(inner), by)])),
        ];
      }
      if ((key === 'items' || key === 'additionalProperties') && isPlainObject(value)) {
        return [key, widen(value, by)];
      }
      if ((key === 'anyOf' || key === 'oneOf') && Array.isArray(value)) {
        return [key, (value as readonly Json[]).map((branch) => withWiderParts(asObject(branch), by))];
      }
      return [key, value];
    }),
  );

/**
 * The schema of a file for editors: below the root, values may be texts with a placeholder, and scalars have
 * the other spellings that decode accepts (`"3"`, `yes`). The plain schema describes read-back.
 */
export const schemaWithPlaceholders = (schema: JsonSchema): JsonSchema =>
  withWiderParts(schema, { hasPlaceholders: true });

/** The schema of a body that is used at once: other spellings of scalars, no placeholders. */
export const schemaWithSpellings = (schema: JsonSchema): JsonSchema =>
  withWiderParts(schema, { hasPlaceholders: false });

/** Shorter schemas stay in place: a reference would hide more than it saves. */
const MIN_LENGTH = 300;

const MAPS = new Set(['properties', '$defs']);
const LISTS = new Set(['anyOf', 'oneOf', 'allOf']);
const SINGLE = new Set(['items', 'additionalProperties', 'not']);

type Mapped = (schema: JsonSchema, name: string) => Json;

/** The keyword's value with each schema in it replaced; `name`: of the property around it. */
const mapKeyword = (key: string, value: Json, name: string, map: Mapped): Json => {
  if (MAPS.has(key) && isPlainObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([property, inner]) => [
        property,
        isPlainObject(inner) ? map(inner, property) : inner,
      ]),
    );
  }
  if (LISTS.has(key) && Array.isArray(value)) {
    return (value as readonly Json[]).map((inner) => (isPlainObject(inner) ? map(inner, name) : inner));
  }
  return SINGLE.has(key) && isPlainObject(value) ? map(value, name) : value;
};

const mapParts = (schema: JsonSchema, name: string, map: Mapped): JsonSchema =>
  Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, mapKeyword(key, value, name, map)]));

/** How often each schema stands in the document, each text of a repeated one looked into once. */
const countsOf = (root: JsonSchema): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  const count: Mapped = (schema, name) => {
    const written = JSON.stringify(schema);
    const seen = counts.get(written) ?? 0;
    counts.set(written, seen + 1);
    if (seen === 0) mapParts(schema, name, count);
    return schema;
  };
  mapParts(root, '', count);
  return counts;
};

/**
 * The same schema with each longer part that it repeats written once, under `$defs` (JSON Schema 2020-12, section
 * 8.2.4), named after the property that it first describes. The schema of a generator is a fifth as long.
 */
export const withDefinitions = (root: JsonSchema): JsonSchema => {
  const counts = countsOf(root);
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const definitions: Record<string, Json> = {};
  const nameFor = (base: string): string => {
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
    taken.add(name);
    return name;
  };
  const replace: Mapped = (schema, property) => {
    const written = JSON.stringify(schema);
    if (written.length < MIN_LENGTH || (counts.get(written) ?? 0) < 2) {
      return mapParts(schema, property, replace);
    }
    const known = names.get(written);
    const name = known ?? nameFor(property);
    if (known === undefined) {
      names.set(written, name);
      definitions[name] = mapParts(schema, property, replace);
    }
    return { $ref: `#/$defs/${name}` };
  };
  const short = mapParts(root, 'part', replace);
  return Object.keys(definitions).length === 0 ? short : { ...short, $defs: definitions };
};
