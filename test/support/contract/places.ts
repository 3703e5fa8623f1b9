import { isJsonObject, type Json } from '../../../src/domain/json.js';
import type { Schema } from './document.js';
import { withKey } from './values/jsonText.js';
import {
  assertKnown,
  branchesOf,
  freeKeyOf,
  isOneKey,
  listAt,
  numberAt,
  propertiesOf,
  requiredOf,
  schemaAt,
  smallest,
  typesOf,
} from './values/smallest.js';

/** One place of a document: where it is, what it takes, and how a value gets there. */
export interface SchemaPlace {
  /** Keys and list positions from the root, as `loc` of a 422 has them behind `body`. */
  readonly path: readonly string[];
  readonly schema: Schema;
  /** The smallest whole document that has this value at the place. */
  readonly put: (value: Json) => Json;
}

/** Deeper schemas are a mistake of the document: it would describe itself. */
const MAX_DEPTH = 24;

/** Object schemas without their examples, each one made once, so that `smallest` knows it. */
const withoutExamples = new WeakMap<Schema, Schema>();

const bare = (schema: Schema): Schema => {
  const made = withoutExamples.get(schema) ?? { ...schema, examples: [] };
  withoutExamples.set(schema, made);
  return made;
};

/** An object of which `key` has the value and everything else that is needed its smallest one. */
const around = (schema: Schema, key: string, value: Json): Json => {
  if (isOneKey(schema)) return withKey({}, key, value);
  const rest = smallest(bare(schema));
  return withKey(isJsonObject(rest) ? (rest as Readonly<Record<string, Json>>) : {}, key, value);
};

const membersOf = ({ path, schema, put }: SchemaPlace): readonly SchemaPlace[] =>
  propertiesOf(schema).map(([key, inner]) => ({
    path: [...path, key],
    schema: inner,
    put: (value) => put(around(schema, key, value)),
  }));

const freeMembersOf = ({ path, schema, put }: SchemaPlace): readonly SchemaPlace[] => {
  const inner = schema['additionalProperties'];
  if (!isJsonObject(inner)) return [];
  const key = freeKeyOf(schema);
  return [{ path: [...path, key], schema: schemaAt(inner), put: (v) => put(around(schema, key, v)) }];
};

const itemsOf = ({ path, schema, put }: SchemaPlace): readonly SchemaPlace[] => {
  if (schema['items'] === undefined) return [];
  const item = schemaAt(schema['items']);
  const others = Math.max(0, (numberAt(schema['minItems']) ?? 0) - 1);
  const rest = (): readonly Json[] => Array.from({ length: others }, () => smallest(item));
  return [{ path: [...path, '0'], schema: item, put: (value) => put([value, ...rest()]) }];
};

/** What a place is, without what is only said about it. */
const kindOf = ({ path, schema }: SchemaPlace): string => {
  const { description: _help, default: _default, examples: _examples, ...rules } = schema;
  return `${path.at(-1) ?? ''} ${JSON.stringify(rules)}`;
};

/**
 * This place and all below it, through every alternative: each kind of a plugin, each formatter. Alternatives at
 * the same path are places of their own only for what lies below them. Options that many plugins share, such as the
 * formatter of an output, are entered at the first of them: all have the same declaration.
 */
export const placesOf = (root: SchemaPlace): readonly SchemaPlace[] => enter(root, 0, new Set());

const enter = (place: SchemaPlace, depth: number, known: Set<string>): readonly SchemaPlace[] => {
  if (depth > MAX_DEPTH) throw new Error(`a schema deeper than ${MAX_DEPTH} at ${place.path.join('.')}`);
  assertKnown(place.schema);
  const kind = kindOf(place);
  if (known.has(kind)) return [];
  known.add(kind);
  return [place, ...belowOf(place, depth, known)];
};

const belowOf = (place: SchemaPlace, depth: number, known: Set<string>): readonly SchemaPlace[] => {
  assertKnown(place.schema);
  const branches = branchesOf(place.schema);
  const inBranches = (branches ?? []).flatMap((schema) => belowOf({ ...place, schema }, depth, known));
  const own = [...membersOf(place), ...freeMembersOf(place), ...itemsOf(place)];
  return [...inBranches, ...own.flatMap((inner) => enter(inner, depth + 1, known))];
};

/** The place that is the whole document. */
export const rootPlace = (schema: Schema): SchemaPlace => ({ path: [], schema, put: (value) => value });

/** The schema and its alternatives, alternatives of those included. */
export const alternativesOf = (schema: Schema): readonly Schema[] => {
  const branches = branchesOf(schema);
  if (branches === null) return [schema];
  const own = typesOf(schema).length > 0 && propertiesOf(schema).length > 0 ? [schema] : [];
  return [...own, ...branches.flatMap(alternativesOf)];
};

/** Object schemas among the alternatives of a place. */
export const objectsOf = (schema: Schema): readonly Schema[] =>
  alternativesOf(schema).filter((each) => typesOf(each).includes('object'));

/** Keys that an object must have. */
export const neededKeys = (schema: Schema): readonly string[] =>
  requiredOf(schema).filter((key) => propertiesOf(schema).some(([name]) => name === key));

/** Constants, names and examples that the document spells out for a place, those of alternatives included. */
export const spelledOut = (schema: Schema): readonly (readonly [label: string, value: Json])[] => [
  ...(schema['const'] === undefined ? [] : [['constant', schema['const']] as const]),
  ...listAt(schema['enum']).map((value) => ['name', value] as const),
  ...listAt(schema['examples']).map((value) => ['example', value] as const),
  ...(schema['default'] === undefined ? [] : [['default', schema['default']] as const]),
  ...(branchesOf(schema) ?? []).flatMap(spelledOut),
];
