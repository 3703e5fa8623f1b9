import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Json } from '../domain/json.js';
import { hasPlaceholder } from '../domain/placeholder.js';
import { MAX_FREE_DEPTH } from './collections.js';
import { type Defect, defect } from './issues.js';
import { fieldSchema } from './jsonSchema.js';
import { delegatedType, type Read, refuse, storedType } from './reader.js';
import { NO_UNIT } from './scalars.js';
import { type Field, type FieldDoc, type JsonSchema, once, type Shape } from './shape.js';

/** Everything a declaration is written with. */
export { anyJson, freeObject, listOf, MAX_FREE_DEPTH, mapOf } from './collections.js';
export {
  isLongerText,
  MAX_FREE_VALUES,
  MAX_KEY_LENGTH,
  MAX_LIST_ITEMS,
  MAX_LONG_TEXT_LENGTH,
  MAX_TEXT_LENGTH,
} from './reader.js';
export { record } from './record.js';
export {
  boolean,
  integer,
  type NumberOptions,
  number,
  oneOf,
  path,
  type TextOptions,
  text,
  url,
} from './scalars.js';
export { type EntryOf, oneKeyOf, taggedBy, type Variant, type Variants } from './unions.js';

/** Adds a condition to a shape; stored values are checked if they contain no placeholder. */
export const refined = <A>(
  shape: Shape<A>,
  check: (value: A) => Defect | null,
  schema: JsonSchema = {},
): Shape<A> => {
  const { codec } = shape;
  const checked = <B>(result: t.Validation<B>, value: A, given: unknown, context: t.Context) => {
    const found = check(value);
    return found === null ? result : refuse(given, context, found);
  };
  return {
    ...shape,
    codec: new t.Type<A, Json, unknown>(
      codec.name,
      (value): value is A => codec.is(value) && check(value) === null,
      (given, context) => {
        const result = codec.validate(given, context);
        return E.isLeft(result) ? result : checked(result, result.right, given, context);
      },
      codec.encode,
    ),
    stored: delegatedType(codec.name, (given, context) => {
      const result = shape.stored.validate(given, context) as t.Validation<Json>;
      if (typeof given === 'string' && hasPlaceholder(given)) return result;
      const whole = codec.validate(given, context);
      return E.isLeft(result) || E.isLeft(whole) ? result : checked(result, whole.right, given, context);
    }),
    schema: { ...shape.schema, ...schema },
  };
};

/** A shape that contains itself: `make` is called on each read. Deeper than `MAX_FREE_DEPTH` is an error. */
export const recursive = <A>(label: string, schema: JsonSchema, make: () => Shape<A>): Shape<A> => {
  const guarded =
    <B>(pick: (shape: Shape<A>) => t.Type<B, Json, unknown>) =>
    (value: unknown, context: t.Context): t.Validation<B> =>
      context.length > MAX_FREE_DEPTH
        ? refuse(
            value,
            context,
            defect('too_deep', `must not be nested deeper than ${MAX_FREE_DEPTH} levels`),
          )
        : pick(make()).validate(value, context);
  return {
    label,
    codec: new t.Type<A, Json, unknown>(
      label,
      (value): value is A => make().codec.is(value),
      guarded((shape) => shape.codec),
      (value) => make().codec.encode(value),
    ),
    stored: storedType(label, (value, context) =>
      E.map((json: unknown) => json as Json)(guarded((shape) => shape.stored)(value, context)),
    ),
    schema,
    child: (value, key) => make().child?.(value, key),
  };
};

interface CustomOptions<B, A> {
  /** Reads the JSON value, with limits and errors of its own; a function picks the shape by the value. */
  readonly base: Shape<B> | ((value: unknown) => Shape<B>);
  readonly label: string;
  readonly schema: JsonSchema;
  readonly is: (value: unknown) => value is A;
  readonly decode: (value: B) => E.Either<Defect, A>;
  readonly encode: (value: A) => B;
}

/** A shape for a type of its own, on top of the shapes that read its JSON form. */
export const custom = <B, A>({ base, label, schema, is, decode, encode }: CustomOptions<B, A>): Shape<A> => {
  const pick = (value: unknown): Shape<B> => (typeof base === 'function' ? base(value) : base);
  const read = (value: unknown, context: t.Context): t.Validation<A> => {
    const result = pick(value).codec.validate(value, context);
    if (E.isLeft(result)) return result;
    const decoded = decode(result.right);
    return E.isLeft(decoded) ? refuse(value, context, decoded.left) : decoded;
  };
  const write = (value: A): Json => {
    const encoded = encode(value);
    return pick(encoded).codec.encode(encoded);
  };
  return {
    label,
    schema,
    codec: new t.Type<A, Json, unknown>(label, is, read, write),
    stored: delegatedType(label, (value, context) => {
      const { codec, stored } = pick(value);
      const result = stored.validate(value, context) as t.Validation<Json>;
      const isPlaceholder = typeof value === 'string' && hasPlaceholder(value);
      // A value with placeholders inside is decoded once they are replaced.
      const isWhole = !isPlaceholder && E.isRight(codec.validate(value, context));
      return E.isRight(result) && isWhole ? E.map(write)(read(value, context)) : result;
    }),
  };
};

/** A shape that accepts one more spelling: `respell` returns the value in the spelling of the shape. */
export const respelled = <A>(
  shape: Shape<A>,
  respell: (value: unknown) => unknown,
  docs: Partial<Pick<Shape<A>, 'label' | 'schema'>> = {},
): Shape<A> => {
  const { codec, stored } = shape;
  const label = docs.label ?? shape.label;
  return {
    ...shape,
    ...docs,
    codec: new t.Type<A, Json, unknown>(
      label,
      codec.is,
      (value, context) => codec.validate(respell(value), context),
      codec.encode,
    ),
    stored: new t.Type<unknown, Json, unknown>(
      label,
      stored.is,
      (value, context) => stored.validate(respell(value), context),
      stored.encode,
    ),
  };
};

/** Issue types that reveal nothing about a value, safe for secret fields. */
const TELLS_NO_VALUE: ReadonlySet<string> = new Set(['missing', 'unknown_key']);

/** Adds the unit of a field to the hint of a number that was written with one. */
const withUnit = (errors: t.Errors, unit: string): t.Errors =>
  errors.map((error) =>
    'hint' in error && error.hint === NO_UNIT ? { ...error, hint: `${NO_UNIT}: it is in ${unit}` } : error,
  );

/** Reports of a secret field say only what it should be. */
const reported =
  <A>(read: Read<A>, label: string, { secret = false, unit }: FieldDoc): Read<A> =>
  (value, context) => {
    const result = read(value, context);
    if (E.isRight(result)) return result;
    if (!secret) return unit === undefined ? result : E.left(withUnit(result.left, unit));
    return E.left(
      result.left.map((error) => {
        const type = 'type' in error && typeof error.type === 'string' ? error.type : 'bad_format';
        return TELLS_NO_VALUE.has(type)
          ? error
          : { value: undefined, context: error.context, type, message: `must be ${label}` };
      }),
    );
  };

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** A shape without its schema, which is made when somebody reads it. */
const unschemed = ({ label, fields, free, child, kindOf }: Shape<unknown>) => ({
  label,
  ...(fields === undefined ? {} : { fields }),
  ...(free === undefined ? {} : { free }),
  ...(child === undefined ? {} : { child }),
  ...(kindOf === undefined ? {} : { kindOf }),
});

const field = <A>(
  shape: Shape<unknown>,
  doc: FieldDoc,
  presence: Field<A>['presence'],
  fallback: Json,
  forms: { readonly codec: t.Type<A, Json, unknown>; readonly stored: Read<Json> },
): Field<A> => {
  const { codec } = forms;
  const schema = once(() => fieldSchema(shape.schema, doc, presence, fallback));
  return {
    ...unschemed(shape),
    ...doc,
    presence,
    fallback,
    codec: new t.Type(codec.name, codec.is, reported(codec.validate, shape.label, doc), codec.encode),
    stored: delegatedType(codec.name, reported(forms.stored, shape.label, doc)),
    get schema() {
      return schema();
    },
  };
};

const needed =
  <A>(type: t.Type<A, Json, unknown>, hint?: string): Read<A> =>
  (value, context) => {
    if (!isAbsent(value)) return type.validate(value, context);
    // A shape of any JSON accepts null as a value.
    if (value === null) {
      const result = type.validate(value, context);
      if (E.isRight(result)) return result;
    }
    return refuse(value, context, defect('missing', 'is required', hint));
  };

/** A required field; `null` counts as absent unless the shape accepts it. */
export const required = <A>(shape: Shape<A>, doc: FieldDoc): Field<A> =>
  field<A>(shape as Shape<unknown>, doc, 'required', null, {
    codec: new t.Type(
      shape.codec.name,
      shape.codec.is,
      needed(shape.codec, doc.whenMissing),
      shape.codec.encode,
    ),
    stored: needed(shape.stored, doc.whenMissing) as Read<Json>,
  });

/** An optional field: absent and `null` decode to `null`. */
export const optional = <A>(shape: Shape<A>, doc: FieldDoc): Field<A | null> =>
  field<A | null>(shape as Shape<unknown>, doc, 'optional', null, {
    codec: new t.Type<A | null, Json, unknown>(
      shape.codec.name,
      (value): value is A | null => value === null || shape.codec.is(value),
      (value, context) => (isAbsent(value) ? E.right(null) : shape.codec.validate(value, context)),
      (value) => (value === null ? null : shape.codec.encode(value)),
    ),
    stored: (value, context) =>
      isAbsent(value) ? E.right(null) : (shape.stored.validate(value, context) as t.Validation<Json>),
  });

/** A field with a default, in decoded form: absent and `null` decode to it. */
export const defaulted = <A>(shape: Shape<A>, value: NoInfer<A>, doc: FieldDoc): Field<A> => {
  const fallback = shape.codec.encode(value);
  return field<A>(shape as Shape<unknown>, doc, 'default', fallback, {
    codec: new t.Type<A, Json, unknown>(
      shape.codec.name,
      shape.codec.is,
      (given, context) => (isAbsent(given) ? E.right(value) : shape.codec.validate(given, context)),
      shape.codec.encode,
    ),
    stored: (given, context) =>
      isAbsent(given) ? E.right(fallback) : (shape.stored.validate(given, context) as t.Validation<Json>),
  });
};

/** A default that read-back shows but the plugin applies, so that it can tell a written value apart. */
export const assumed = <A>(shape: Shape<A>, value: NoInfer<A>, doc: FieldDoc): Field<A | null> => {
  const { codec } = optional(shape, doc);
  const shown = defaulted(shape, value, doc);
  return { ...shown, codec };
};
