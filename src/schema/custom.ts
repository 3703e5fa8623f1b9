import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Json } from '../domain/json.js';
import { hasPlaceholder } from '../domain/secrets/placeholder.js';
import type { Defect } from './issues.js';
import { delegatedType, refuse } from './reader.js';
import type { JsonSchema, Shape } from './shape.js';

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
