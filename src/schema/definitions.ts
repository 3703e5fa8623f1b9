import type { Json } from '../domain/json.js';
import { isPlainObject } from './reader.js';
import type { JsonSchema } from './shape.js';

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
