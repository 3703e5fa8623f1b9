import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import {
  type AvroType,
  avroTypeName,
  type Logical,
  type NamedType,
  PRIMITIVES,
  type RecordField,
} from './schema.js';

/** Levels of a schema; deeper is an error rather than a full stack. */
const MAX_DEPTH = 100;
const MAX_FIXED_BYTES = 1024 * 1024;

const NAME = /^[A-Za-z_]\w*$/;
const isFullName = (name: string): boolean => name.split('.').every((part) => NAME.test(part));

/** Where and why a schema is not valid; caught in `readSchema`. */
class Refusal extends Error {}

interface Location {
  readonly path: string;
  readonly depth: number;
  /** Namespace of the enclosing named type. Empty when there is none. */
  readonly namespace: string;
}

const refuse = ({ path }: Location, what: string): never => {
  throw new Refusal(`${path === '' ? 'the schema' : path} ${what}`);
};

const below = (location: Location, key: string, namespace = location.namespace): Location => ({
  path: location.path === '' ? key : `${location.path}.${key}`,
  depth: location.depth + 1,
  namespace,
});

const textAt = (json: JsonObject, key: string, location: Location): string => {
  const value = json[key];
  return typeof value === 'string' ? value : refuse(below(location, key), 'must be a text');
};

const listAt = (json: JsonObject, key: string, location: Location): readonly Json[] => {
  const value = json[key];
  return Array.isArray(value) ? (value as readonly Json[]) : refuse(below(location, key), 'must be a list');
};

const isPrimitive = (name: string): name is (typeof PRIMITIVES)[number] =>
  (PRIMITIVES as readonly string[]).includes(name);

const firstRepeated = (names: readonly string[]): string | undefined =>
  names.find((name, index) => names.indexOf(name) !== index);

/** Reads one schema; `named` holds the types that it has declared so far. */
const reader = (named: Map<string, NamedType>) => {
  const declared = (
    json: JsonObject,
    location: Location,
  ): { readonly name: string; readonly namespace: string } => {
    const written = textAt(json, 'name', location);
    const given = json['namespace'];
    const namespace = written.includes('.')
      ? written.slice(0, written.lastIndexOf('.'))
      : typeof given === 'string'
        ? given
        : location.namespace;
    const name = written.includes('.') || namespace === '' ? written : `${namespace}.${written}`;
    if (!isFullName(name) || isPrimitive(name)) refuse(below(location, 'name'), `is not a name: "${name}"`);
    if (named.has(name)) refuse(below(location, 'name'), `is declared twice: "${name}"`);
    return { name, namespace };
  };

  const fieldOf = (json: Json, location: Location): RecordField => {
    if (!isJsonObject(json)) return refuse(location, 'must be an object');
    const field = json;
    const name = textAt(field, 'name', location);
    if (!NAME.test(name)) refuse(below(location, 'name'), `is not a name: "${name}"`);
    if (field['type'] === undefined) refuse(below(location, 'type'), 'is missing');
    return { name, type: read(field['type'] as Json, below(location, 'type')), fallback: field['default'] };
  };

  const readRecord = (json: JsonObject, location: Location): AvroType => {
    const { name, namespace } = declared(json, location);
    const fields: RecordField[] = [];
    const type = { kind: 'record' as const, name, fields };
    named.set(name, type);
    for (const [index, field] of listAt(json, 'fields', location).entries()) {
      fields.push(fieldOf(field, below(location, `fields[${index}]`, namespace)));
    }
    const twice = firstRepeated(fields.map((field) => field.name));
    return twice === undefined
      ? type
      : refuse(below(location, 'fields'), `have the same name twice: "${twice}"`);
  };

  const readEnum = (json: JsonObject, location: Location): AvroType => {
    const { name } = declared(json, location);
    const symbols = listAt(json, 'symbols', location).map((symbol) =>
      typeof symbol === 'string' && NAME.test(symbol)
        ? symbol
        : refuse(below(location, 'symbols'), `have one that is not a name: ${JSON.stringify(symbol)}`),
    );
    const twice = firstRepeated(symbols);
    if (twice !== undefined) refuse(below(location, 'symbols'), `have the same one twice: "${twice}"`);
    const type = { kind: 'enum' as const, name, symbols };
    named.set(name, type);
    return type;
  };

  const readFixed = (json: JsonObject, location: Location): AvroType => {
    const { name } = declared(json, location);
    const size = json['size'];
    if (typeof size !== 'number' || !Number.isInteger(size) || size < 0 || size > MAX_FIXED_BYTES) {
      return refuse(below(location, 'size'), `must be an integer from 0 to ${MAX_FIXED_BYTES}`);
    }
    const type = { kind: 'fixed' as const, name, size, logical: logicalOf(json, 'fixed', size) };
    named.set(name, type);
    return type;
  };

  const readUnion = (json: readonly Json[], location: Location): AvroType => {
    const branches = json.map((branch, index) => {
      const at = { ...location, path: `${location.path}[${index}]`, depth: location.depth + 1 };
      return Array.isArray(branch) ? refuse(at, 'must not be a union in a union') : read(branch, at);
    });
    if (branches.length === 0) refuse(location, 'must have at least one branch');
    const twice = firstRepeated(branches.map(avroTypeName));
    return twice === undefined
      ? { kind: 'union', branches }
      : refuse(location, `has the same branch twice: "${twice}"`);
  };

  const readObject = (json: JsonObject, location: Location): AvroType => {
    const { type } = json;
    // `{"type": {...}}` stands for the schema inside.
    if (type !== undefined && typeof type !== 'string') return read(type, below(location, 'type'));
    if (type === 'record' || type === 'error') return readRecord(json, location);
    if (type === 'enum') return readEnum(json, location);
    if (type === 'fixed') return readFixed(json, location);
    if (type === 'array') return { kind: 'array', items: member(json, 'items', location) };
    if (type === 'map') return { kind: 'map', values: member(json, 'values', location) };
    if (type === undefined) return refuse(below(location, 'type'), 'is missing');
    return isPrimitive(type) ? { kind: type, logical: logicalOf(json, type) } : readName(type, location);
  };

  const member = (json: JsonObject, key: string, location: Location): AvroType => {
    const value = json[key];
    return value === undefined
      ? refuse(below(location, key), 'is missing')
      : read(value, below(location, key));
  };

  const readName = (name: string, location: Location): AvroType => {
    if (isPrimitive(name)) return { kind: name, logical: null };
    const { namespace } = location;
    const local = name.includes('.') || namespace === '' ? undefined : named.get(`${namespace}.${name}`);
    return (
      local ?? named.get(name) ?? refuse(location, `names a type that is not declared before: "${name}"`)
    );
  };

  const read = (json: Json, location: Location): AvroType => {
    if (location.depth > MAX_DEPTH) refuse(location, `is nested deeper than ${MAX_DEPTH} levels`);
    if (typeof json === 'string') return readName(json, location);
    if (Array.isArray(json)) return readUnion(json as readonly Json[], location);
    return isJsonObject(json)
      ? readObject(json, location)
      : refuse(location, 'must be a name, an object or a list');
  };
  return read;
};

/** Reads an Avro schema. Returns an error that says where and why it is not valid. */
export const readSchema = (json: Json): E.Either<string, AvroType> => {
  try {
    return E.right(reader(new Map())(json, { path: '', depth: 0, namespace: '' }));
  } catch (thrown) {
    if (thrown instanceof Refusal) return E.left(thrown.message);
    throw thrown;
  }
};

const BASES: Readonly<Record<string, string>> = {
  date: 'int',
  'time-millis': 'int',
  'time-micros': 'long',
  'timestamp-millis': 'long',
  'timestamp-micros': 'long',
  'local-timestamp-millis': 'long',
  'local-timestamp-micros': 'long',
};

const UUID_BYTES = 16;

/** Digits that surely fit into `size` bytes, signed. */
const digitsOf = (size: number): number => Math.floor(Math.log10(2) * (8 * size - 1));

const decimalOf = (json: JsonObject, size: number | null): Logical | null => {
  const { precision, scale = 0 } = json;
  if (typeof precision !== 'number' || typeof scale !== 'number') return null;
  if (!Number.isInteger(precision) || !Number.isInteger(scale)) return null;
  const isValid = precision >= 1 && scale >= 0 && scale <= precision;
  return isValid && (size === null || precision <= digitsOf(size))
    ? { name: 'decimal', precision, scale }
    : null;
};

/**
 * Returns the logical type of a schema. Null when it has none, or one that readers ignore as the specification says.
 */
const logicalOf = (json: JsonObject, kind: string, size: number | null = null): Logical | null => {
  const name = json['logicalType'];
  if (typeof name !== 'string') return null;
  if (name === 'decimal') return kind === 'bytes' || kind === 'fixed' ? decimalOf(json, size) : null;
  if (name === 'uuid') return kind === 'string' || size === UUID_BYTES ? { name } : null;
  return Object.hasOwn(BASES, name) && BASES[name] === kind ? ({ name } as Logical) : null;
};
