import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Json, JsonObject } from '../domain/json.js';
import { delegatedType } from './reader.js';
import type { Shape } from './shape.js';

/**
 * A record whose optional field `key` is read by people only: the encoded form, which is what runs, leaves it out, and a
 * stored value has it only where it is written. A file of its own, because threads that run generators do not load it.
 */
export const unencoded = <A extends object>(shape: Shape<A>, key: string): Shape<A> => {
  const { codec, stored } = shape;
  const without = (value: Json): Json =>
    Object.fromEntries(Object.entries(value as JsonObject).filter(([name]) => name !== key));
  return {
    ...shape,
    codec: new t.Type<A, Json, unknown>(shape.label, codec.is, codec.validate, (value) =>
      without(codec.encode(value)),
    ),
    stored: delegatedType(shape.label, (value, context) =>
      E.map((json: unknown) => {
        const read = json as JsonObject;
        return read[key] === null ? without(read) : read;
      })(stored.validate(value, context)),
    ),
  };
};
