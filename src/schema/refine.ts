import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Json } from '../domain/json.js';
import { hasPlaceholder } from '../domain/secrets/placeholder.js';
import { MAX_FREE_DEPTH } from './collections.js';
import { type Defect, defect } from './issues.js';
import { delegatedType, refuse, storedType } from './reader.js';
import type { JsonSchema, Shape } from './shape.js';

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
