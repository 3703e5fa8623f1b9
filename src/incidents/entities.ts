import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import type { Random } from '../domain/random.js';

/** Ways to draw a value: objects with one of these keys. */
const DRAWS = ['pick', 'number', 'address'] as const;

const CIDR = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/;

/** Returns the first address and the number of addresses of an IPv4 network, or null when the text is none. */
const networkOf = (text: string): { readonly first: number; readonly size: number } | null => {
  const [, a, b, c, d, prefix] = CIDR.exec(text)?.map(Number) ?? [];
  const bits = prefix ?? 33;
  const parts = [a, b, c, d].map((part) => part ?? 256);
  if (bits > 32 || parts.some((part) => part > 255)) return null;
  const size = 2 ** (32 - bits);
  const address = parts.reduce((sum, part) => sum * 256 + part, 0);
  return { first: Math.floor(address / size) * size, size };
};

const addressText = (value: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');

/** Returns the way of an object with one key of `DRAWS`, or null for a plain value. */
const wayOf = (value: Json): { readonly way: (typeof DRAWS)[number]; readonly given: Json } | null => {
  if (!isJsonObject(value)) return null;
  const [key, ...others] = Object.keys(value);
  const way = DRAWS.find((one) => one === key);
  return way === undefined || others.length > 0 ? null : { way, given: value[way] as Json };
};

const isRange = (value: Json): value is readonly [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger) && value[0] <= value[1];

/** Returns what is wrong with the values of an entity, or null when nothing is. */
export const entityProblem = (value: Json): string | null => {
  const drawn = wayOf(value);
  if (drawn === null)
    return isJsonObject(value)
      ? Object.values(value).reduce<string | null>((found, one) => found ?? entityProblem(one), null)
      : null;
  const { way, given } = drawn;
  if (way === 'pick')
    return (Array.isArray(given) || typeof given === 'string') && given.length > 0
      ? null
      : 'pick needs a list of values, or the path of a CSV or JSON file';
  if (way === 'number')
    return isRange(given) ? null : 'number needs a list of two integers, the smaller one first';
  return typeof given === 'string' && networkOf(given) !== null
    ? null
    : 'address needs an IPv4 network such as 198.51.100.0/24';
};

/** Paths of files to pick from, as written. */
export const entityFilesIn = (value: Json): readonly string[] => {
  const drawn = wayOf(value);
  if (drawn !== null) return drawn.way === 'pick' && typeof drawn.given === 'string' ? [drawn.given] : [];
  return isJsonObject(value) ? Object.values(value).flatMap(entityFilesIn) : [];
};

/** With the rows of files in place of their paths. */
export const withRows = (value: Json, rows: ReadonlyMap<string, readonly Json[]>): Json => {
  const drawn = wayOf(value);
  if (drawn !== null)
    return drawn.way === 'pick' && typeof drawn.given === 'string'
      ? { pick: rows.get(drawn.given) ?? [] }
      : value;
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withRows(one, rows)]));
};

const draw = (value: Json, random: Random): Json => {
  const drawn = wayOf(value);
  if (drawn === null) {
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, draw(one, random.fork(key))]));
  }
  const { way, given } = drawn;
  if (way === 'pick') {
    const list = given as readonly Json[];
    return list[random.integer(0, list.length - 1)] as Json;
  }
  if (way === 'number') {
    const [min, max] = given as readonly [number, number];
    return random.integer(min, max);
  }
  const { first, size } = networkOf(given as string) as { first: number; size: number };
  // Neither the network nor its broadcast address, where there are others.
  return addressText(size < 4 ? first + random.integer(0, size - 1) : first + random.integer(1, size - 2));
};

/** Draws each entity once, each from a stream of its own: a new one changes no other. Paths of files are `withRows` before. */
export const drawEntities = (entities: JsonObject, random: Random): JsonObject =>
  Object.fromEntries(Object.entries(entities).map(([name, value]) => [name, draw(value, random.fork(name))]));

/** `${entity}`, `${entity.property}`, and so on. */
const PLACEHOLDER = /\$\{([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)\}/g;

/** Returns undefined when there is no such entity or property. */
const drawnAt = (drawn: JsonObject, path: string): Json | undefined =>
  path
    .split('.')
    .reduce<Json | undefined>(
      (value, key) =>
        value !== undefined && isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined,
      drawn,
    );

/** Placeholders in texts that name nothing that was drawn. */
export const unknownEntities = (value: Json, drawn: JsonObject): readonly string[] => {
  if (typeof value === 'string')
    return [...value.matchAll(PLACEHOLDER)].flatMap(([whole, path = '']) =>
      drawnAt(drawn, path) === undefined ? [whole] : [],
    );
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => unknownEntities(one, drawn));
};

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** With what was drawn in place of placeholders; a text that is nothing else keeps the type. */
export const withEntities = (value: Json, drawn: JsonObject): Json => {
  if (typeof value === 'string') {
    const [first] = value.matchAll(PLACEHOLDER);
    if (first !== undefined && first[0] === value) return drawnAt(drawn, first[1] as string) ?? value;
    return value.replaceAll(PLACEHOLDER, (_, path: string) => textOf(drawnAt(drawn, path)));
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: Json) => withEntities(one, drawn));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withEntities(one, drawn)]));
};

/** The entities that values name, each with what was drawn. */
export const entitiesIn = (value: Json, drawn: JsonObject): JsonObject => {
  const names = new Set<string>();
  const visit = (one: Json): void => {
    if (typeof one === 'string')
      for (const [, path = ''] of one.matchAll(PLACEHOLDER)) names.add(path.split('.')[0] as string);
    else if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) visit(inner);
  };
  visit(value);
  return Object.fromEntries(Object.entries(drawn).filter(([name]) => names.has(name)));
};
