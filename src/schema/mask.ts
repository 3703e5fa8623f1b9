import type { Json } from '../domain/json.js';
import { wholePlaceholder } from '../domain/secrets/placeholder.js';
import { isPlainObject } from './reader.js';
import type { AnyShape } from './shape.js';

/** What stands for a secret in what is shown; written back it means: unchanged. */
export const SECRET_MASK = '********';

const isSecret = (shape: AnyShape): boolean => 'secret' in shape && shape.secret === true;

/** Nothing to hide: no value, or only the name of where it comes from. */
const isOpen = (value: Json): boolean =>
  value === null || value === '' || (typeof value === 'string' && wholePlaceholder(value)?.fallback === null);

/**
 * The value with that of every secret field replaced by the mask. Empty ones and placeholders without a
 * fallback stay. Works on values that do not decode too: what has no declaration stays as it is.
 */
export const maskSecrets = (shape: AnyShape, value: Json): Json => {
  if (isSecret(shape)) return isOpen(value) ? value : SECRET_MASK;
  const { child } = shape;
  if (child === undefined) return value;
  const inner = (one: Json, key: string | number): Json => {
    const known = child(value, key);
    return known === undefined ? one : maskSecrets(known, one);
  };
  if (Array.isArray(value)) return (value as readonly Json[]).map(inner);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one, key)]));
};
