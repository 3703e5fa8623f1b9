import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Json, JsonObject } from '../domain/json.js';
import { hasPlaceholder } from '../domain/placeholder.js';
import { anyJson } from './collections.js';
import { defect, kindOf } from './issues.js';
import { oneKeySchema, taggedSchema } from './jsonSchema.js';
import { isPlainObject, own, type Read, refuse, storedType } from './reader.js';
import { unknownName } from './record.js';
import { type AnyShape, once, type Shape } from './shape.js';

/** A kind of a union: its shape and its other names. */
export interface Variant<S extends AnyShape = AnyShape> {
  readonly shape: S;
  readonly aliases?: readonly string[];
}

/** Kinds by name; a bare shape has no aliases. */
export type Variants = Readonly<Record<string, AnyShape | Variant>>;

type ParamsOf<V> = V extends Variant<Shape<infer A>> ? A : V extends Shape<infer A> ? A : never;

/** A decoded entry: kind, written name and parameters. */
export type EntryOf<V extends Variants> = {
  readonly [K in keyof V & string]: {
    readonly kind: K;
    /** The kind or one of its aliases. */
    readonly alias: string;
    readonly params: ParamsOf<V[K]>;
  };
}[keyof V & string];

interface DecodedEntry {
  readonly kind: string;
  readonly alias: string;
  readonly params: unknown;
}

interface NamedKind {
  readonly kind: string;
  /** Made when an entry of this kind is read. */
  readonly shape: AnyShape;
}

const kindsByName = (variants: Variants): ReadonlyMap<string, NamedKind> => {
  const rows = new Map<string, NamedKind>();
  for (const [kind, given] of Object.entries(variants)) {
    const variant: Variant = 'shape' in given ? given : { shape: given };
    const row = {
      kind,
      get shape() {
        return variant.shape;
      },
    };
    for (const name of [kind, ...(variant.aliases ?? [])]) rows.set(name, row);
  }
  return rows;
};

type PickType = (shape: AnyShape) => t.Type<unknown, Json, unknown>;
const codecOf: PickType = (shape) => shape.codec;
const storedOf: PickType = (shape) => shape.stored;

const isEntryOf =
  (rows: ReadonlyMap<string, NamedKind>) =>
  (value: unknown): value is DecodedEntry => {
    if (!isPlainObject(value) || typeof value['alias'] !== 'string') return false;
    const row = rows.get(value['alias']);
    return row !== undefined && row.kind === value['kind'] && row.shape.codec.is(value['params']);
  };

const entryType = <V extends Variants>(
  label: string,
  rows: ReadonlyMap<string, NamedKind>,
  read: Read<DecodedEntry>,
  encode: (entry: DecodedEntry) => Json,
): t.Type<EntryOf<V>, Json, unknown> => {
  const isEntry = isEntryOf(rows);
  return new t.Type<EntryOf<V>, Json, unknown>(
    label,
    (value): value is EntryOf<V> => isEntry(value),
    (value, context) => read(value, context) as t.Validation<EntryOf<V>>,
    encode,
  );
};

const encodeParams = (rows: ReadonlyMap<string, NamedKind>, entry: DecodedEntry): Json =>
  rows.get(entry.alias)?.shape.codec.encode(entry.params) ?? null;

const lastKey = (context: t.Context): string => context.at(-1)?.key ?? '';

/** Whether a value is an item of a list. */
const isInList = (context: t.Context): boolean => Array.isArray(context.at(-2)?.actual);

const asJsonObject = (value: unknown): JsonObject => (isPlainObject(value) ? (value as JsonObject) : {});

const readOneKey =
  (rows: ReadonlyMap<string, NamedKind>, pick: PickType): Read<DecodedEntry> =>
  (value, context) => {
    if (!isPlainObject(value)) {
      const known =
        typeof value === 'string' && rows.has(value) ? value : (rows.keys().next().value ?? 'name');
      const written = isInList(context) ? `- ${known}: {}` : `${lastKey(context)}: {${known}: {}}`;
      return refuse(
        value,
        context,
        defect('wrong_type', `must be an object with one key, not ${kindOf(value)}`, `Write \`${written}\`.`),
      );
    }
    const names = [...rows.keys()];
    const keys = Object.keys(value);
    const [alias] = keys;
    if (alias === undefined)
      return refuse(value, context, defect('missing', 'must have one key', `Known: ${names.join(', ')}.`));
    if (keys.length > 1) {
      const hint = isInList(context)
        ? 'Start a list item for each kind, and indent its parameters below it.'
        : 'Keep one kind, and indent its parameters below it.';
      return refuse(
        value,
        context,
        defect('not_one_key', `must have exactly one key, not ${keys.length}`, hint),
      );
    }
    const params = own(value, alias);
    const row = rows.get(alias);
    const at = t.appendContext(context, alias, row === undefined ? t.unknown : pick(row.shape), params);
    if (row === undefined) return refuse(params, at, unknownName('unknown_kind', 'kind', alias, names));
    const decoded = pick(row.shape).validate(params, at);
    return E.map((known: unknown): DecodedEntry => ({ kind: row.kind, alias, params: known }))(decoded);
  };

/** A plugin entry: an object with one key, the kind, and its parameters: `{}`, never `null`. */
export const oneKeyOf = <const V extends Variants>(variants: V): Shape<EntryOf<V>> => {
  const rows = kindsByName(variants);
  const label = `one of ${Object.keys(variants).join(', ')}`;
  const readStored = readOneKey(rows, storedOf);
  const schema = once(() => oneKeySchema([...rows].map(([name, row]) => [name, row.shape.schema])));
  return {
    label,
    codec: entryType<V>(label, rows, readOneKey(rows, codecOf), (entry) => ({
      [entry.alias]: encodeParams(rows, entry),
    })),
    stored: storedType(label, (value, context) =>
      E.map((entry: DecodedEntry): Json => Object.fromEntries([[entry.alias, entry.params as Json]]))(
        readStored(value, context),
      ),
    ),
    get schema() {
      return schema();
    },
    child: (_, key) => (typeof key === 'string' ? rows.get(key)?.shape : undefined),
    kindOf: (value) => rows.get(isPlainObject(value) ? (Object.keys(value)[0] ?? '') : '')?.shape,
  };
};

const readTagged =
  (tag: string, rows: ReadonlyMap<string, NamedKind>, pick: PickType): Read<DecodedEntry> =>
  (value, context) => {
    if (!isPlainObject(value)) {
      const known =
        typeof value === 'string' && rows.has(value) ? value : (rows.keys().next().value ?? 'name');
      const written = isInList(context) ? `- ${tag}: ${known}` : `${lastKey(context)}: {${tag}: ${known}}`;
      const message = `must be an object, not ${kindOf(value)}`;
      return refuse(value, context, defect('wrong_type', message, `Write \`${written}\`.`));
    }
    const alias = own(value, tag);
    const names = [...rows.keys()];
    const at = t.appendContext(context, tag, t.unknown, alias);
    if (alias === undefined || alias === null) {
      return refuse(alias, at, defect('missing', 'is required', `Known: ${names.join(', ')}.`));
    }
    if (typeof alias !== 'string')
      return refuse(alias, at, defect('wrong_type', `must be text, not ${kindOf(alias)}`));
    const row = rows.get(alias);
    if (row === undefined) return refuse(alias, at, unknownName('unknown_kind', tag, alias, names));
    const rest = Object.fromEntries(Object.entries(value).filter(([key]) => key !== tag));
    return E.map((params: unknown): DecodedEntry => ({ kind: row.kind, alias, params }))(
      pick(row.shape).validate(rest, context),
    );
  };

const readAnyJson = anyJson().stored;

/**
 * An object whose `tag` selects its other keys. The shapes of kinds are records without the tag. A stored
 * object whose tag is a placeholder is accepted unchecked.
 */
export const taggedBy = <const V extends Variants>(tag: string, variants: V): Shape<EntryOf<V>> => {
  const rows = kindsByName(variants);
  const label = `object with ${tag} ${Object.keys(variants).join(', ')}`;
  const readStored = readTagged(tag, rows, storedOf);
  const schema = once(() =>
    taggedSchema(
      tag,
      [...rows].map(([name, row]) => [name, row.shape.schema]),
    ),
  );
  const encode = (entry: DecodedEntry): Json => ({
    [tag]: entry.alias,
    ...asJsonObject(encodeParams(rows, entry)),
  });
  const kindOfTagged = (value: unknown): AnyShape | undefined => {
    const alias = isPlainObject(value) ? own(value, tag) : undefined;
    return typeof alias === 'string' ? rows.get(alias)?.shape : undefined;
  };
  const childOf = (value: unknown, key: string | number): AnyShape | undefined => {
    const kind = kindOfTagged(value);
    const known = kind === undefined ? [...rows.values()].map(({ shape }) => shape) : [kind];
    return known.map((shape) => shape.child?.(value, key)).find((found) => found !== undefined);
  };
  return {
    label,
    codec: entryType<V>(label, rows, readTagged(tag, rows, codecOf), encode),
    stored: storedType(label, (value, context) => {
      const alias = isPlainObject(value) ? own(value, tag) : undefined;
      if (typeof alias === 'string' && hasPlaceholder(alias)) {
        return readAnyJson.validate(value, context) as t.Validation<Json>;
      }
      return E.map((entry: DecodedEntry): Json => ({ [tag]: entry.alias, ...asJsonObject(entry.params) }))(
        readStored(value, context),
      );
    }),
    get schema() {
      return schema();
    },
    child: childOf,
    kindOf: kindOfTagged,
  };
};
