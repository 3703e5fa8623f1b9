import type * as t from 'io-ts';
import type { Json, JsonObject } from '../domain/json.js';

/** JSON Schema, draft 2020-12. */
export type JsonSchema = JsonObject;

/** How a value is decoded, encoded and documented: the source of codecs, defaults, schemas and tables. */
export interface Shape<A> {
  /** For people, e.g. `integer >= 1`, `list of strings`. */
  readonly label: string;
  /** Decodes values without placeholders; encodes to JSON. */
  readonly codec: t.Type<A, Json, unknown>;
  /** Decodes values of files: texts with a placeholder are valid everywhere and stay. */
  readonly stored: t.Type<unknown, Json, unknown>;
  readonly schema: JsonSchema;
  /** Fields of an object, for option tables and forms. */
  readonly fields?: Fields;
  /** Objects with free keys (params, headers): their dotted keys are never expanded. */
  readonly free?: boolean;
  /** The shape at `key` of `value`, to walk a document. Absent for scalars and free JSON. */
  readonly child?: (value: unknown, key: string | number) => AnyShape | undefined;
  /** In a union, returns the parameters of a value's kind under any of its names. Undefined for an unknown kind. */
  readonly kindOf?: (value: unknown) => AnyShape | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: shapes of any value side by side; each keeps its own type
export type AnyShape = Shape<any>;

export type DecodedOf<S extends AnyShape> = S extends Shape<infer A> ? A : never;

export interface FieldDoc {
  /** One line: what the field is for. */
  readonly help: string;
  /** E.g. `seconds`, `bytes`. */
  readonly unit?: string;
  /** The value is masked in logs, errors and read-back. */
  readonly secret?: boolean;
  /** The API document lacks this key: a PUT without it keeps the stored value. */
  readonly extension?: true;
  readonly example?: Json;
  /**
   * `file`: a path, `files`: a list of them, of files that must be there when the generator starts; relative to its folder. In
   * paths, `*` and `?` stand for several.
   */
  readonly reads?: 'file' | 'files';
  /** What to do about a missing value, where that is not plain. */
  readonly whenMissing?: string;
}

/** A shape as a field of an object. */
export interface Field<A> extends Shape<A>, FieldDoc {
  /** `optional`: absent and `null` are both `null`. `fallback` has no meaning for `required`. */
  readonly presence: 'required' | 'optional' | 'default';
  /** The encoded default, as read-back shows it. */
  readonly fallback: Json;
}

// biome-ignore lint/suspicious/noExplicitAny: a heterogeneous table of fields; each entry keeps its own type
export type Fields = Readonly<Record<string, Field<any>>>;

export type ValueOf<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer A> ? A : never };

/** A rule over fields of an object. It sees only `fields`, and only if none of them holds a placeholder. */
export interface Rule<F extends Fields> {
  /** A method before `fields`: otherwise inference in a table of declarations depends on the order of files. */
  check(value: ValueOf<F>): RuleBreach | null;
  readonly fields: readonly (keyof F & string)[];
}

export interface RuleBreach {
  /** A field of the object; empty for the object itself. A list leads to a location within a field. */
  readonly at: string | readonly string[];
  readonly type: string;
  readonly message: string;
  readonly hint?: string;
}

/** Makes a value at its first use. */
export const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/**
 * An object that is made at the first look into it. Declarations are: a thread of a hundred plugins uses five, and a
 * declaration that nothing reads costs its text only.
 */
export const lazily = <A extends object>(make: () => A): A => {
  const made = once(make);
  return new Proxy({} as A, {
    get: (_, key) => Reflect.get(made(), key) as unknown,
    has: (_, key) => Reflect.has(made(), key),
    ownKeys: () => Reflect.ownKeys(made()),
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(made(), key);
      // The empty target has no such property, so a fixed one would break a rule of proxies.
      return found === undefined ? undefined : { ...found, configurable: true };
    },
  });
};
