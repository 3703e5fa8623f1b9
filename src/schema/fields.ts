import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Json } from '../domain/json.js';
import { defect } from './issues.js';
import { fieldSchema } from './jsonSchema.js';
import { once } from './lazy.js';
import { delegatedType, type Read, refuse } from './reader.js';
import { NO_UNIT } from './scalars.js';
import type { Field, FieldDoc, Shape } from './shape.js';

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
