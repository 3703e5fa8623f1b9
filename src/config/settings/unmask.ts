import * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../../domain/errors.js';
import { isJsonObject, type Json } from '../../domain/json.js';
import { type AnyShape, SECRET_MASK } from '../../schema/index.js';

type Path = readonly (string | number)[];

const inside = (value: Json | undefined, key: string | number): Json | undefined => {
  if (Array.isArray(value)) return typeof key === 'number' ? (value as readonly Json[])[key] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
};

const walk = (shape: AnyShape, old: Json | undefined, value: Json, path: Path, issues: Issue[]): Json => {
  if ('secret' in shape && shape.secret === true) {
    if (value !== SECRET_MASK) return value;
    if (old !== undefined && old !== null) return old;
    issues.push({
      path,
      type: 'not_allowed',
      message: 'is a mask, but no secret is stored here',
      hint: 'Send the secret.',
    });
    return value;
  }
  const { child } = shape;
  if (child === undefined) return value;
  const inner = (one: Json, key: string | number): Json => {
    const known = child(value, key);
    return known === undefined ? one : walk(known, inside(old, key), one, [...path, key], issues);
  };
  if (Array.isArray(value)) return (value as readonly Json[]).map(inner);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one, key)]));
};

/** Replaces each mask of a secret field by the stored secret. Returns an issue for each mask without one. */
export const unmask = (shape: AnyShape, stored: Json | undefined, value: Json): E.Either<Issue[], Json> => {
  const issues: Issue[] = [];
  const unmasked = walk(shape, stored, value, [], issues);
  return issues.length > 0 ? E.left(issues) : E.right(unmasked);
};
