import type * as t from 'io-ts';
import type { Json, JsonObject } from '../domain/json.js';

/** JSON Schema, draft 2020-12, as a plain object. */
export type JsonSchema = JsonObject;

/**
 * How one value is read, shown and described. Everything derived from a declaration (codec, defaults
 * on read-back, JSON Schema, option table) comes from shapes; nothing is written twice.
 */
export interface Shape<A> {
  /** For people and the option table, e.g. `integer >= 1`, `list of strings`. */
  readonly label: string;
  /** Decodes a value whose placeholders are substituted; encodes back to JSON. */
  readonly codec: t.Type<A, Json, unknown>;
  /** Decodes a value as a file stores it: a string with a placeholder is accepted at any place, untouched. */
  readonly stored: t.Type<unknown, Json, unknown>;
  readonly schema: JsonSchema;
  /** Fields of an object, where the shape is one (for option tables and forms). */
  readonly fields?: Fields;
  /** Objects with free keys (params, headers): dotted keys in them are never expanded. */
  readonly free?: boolean;
  /**
   * Shape of what stands at `key` of `value`, where one is declared: the one way by which walks over a
   * document (dotted keys, masking) follow a declaration. Absent for scalars and free JSON.
   */
  readonly child?: (value: unknown, key: string | number) => AnyShape | undefined;
  /** Of a union: the parameters of the kind that a value is of, under whichever name; `undefined` for no known kind. */
  readonly kindOf?: (value: unknown) => AnyShape | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: shapes of any value side by side; each keeps its own type
export type AnyShape = Shape<any>;

/** The type that a shape decodes to. */
export type DecodedOf<S extends AnyShape> = S extends Shape<infer A> ? A : never;

export interface FieldDoc {
  /** One line: what the field is for. */
  readonly help: string;
  /** Unit of the value, e.g. `seconds`, `bytes`. */
  readonly unit?: string;
  /** True where the value must be masked in logs, errors and read-back. */
  readonly secret?: boolean;
  /** True for a key that the API document does not have: a PUT without it keeps what is stored. */
  readonly extension?: true;
  readonly example?: Json;
}

/** A shape in its place in an object: whether it must be there, and what stands in for it. */
export interface Field<A> extends Shape<A>, FieldDoc {
  /** `fallback` is meaningless for `required`; `optional` means absent and `null` are both `null`. */
  readonly presence: 'required' | 'optional' | 'default';
  /** Encoded default as read-back shows it. */
  readonly fallback: Json;
}

// biome-ignore lint/suspicious/noExplicitAny: a heterogeneous table of fields; each entry keeps its own type
export type Fields = Readonly<Record<string, Field<any>>>;

/** The decoded object that a table of fields describes. */
export type ValueOf<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer A> ? A : never };

/**
 * A rule over several fields of one object, checked only when none of `fields` holds a placeholder.
 * It is given only `fields`, and returns `null` when fine, else the problem and the field it is reported at.
 */
export interface Rule<F extends Fields> {
  /**
   * Method notation, and before `fields`, on purpose: so that a table of many declarations may hold each
   * one's own rules. (Looking at `fields` first, the compiler decides against it or not by the order of files.)
   */
  check(value: ValueOf<F>): RuleBreach | null;
  readonly fields: readonly (keyof F & string)[];
}

export interface RuleBreach {
  /** A field of the object; empty for the object itself. */
  readonly at: string;
  readonly type: string;
  readonly message: string;
  readonly hint?: string;
}
