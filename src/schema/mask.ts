import type { Json } from '../domain/json.js';
import { wholePlaceholder } from '../domain/placeholder.js';
import { isPlainObject } from './reader.js';
import type { AnyShape } from './shape.js';

/** Shown instead of a secret; written back, it keeps the stored value. */
export const SECRET_MASK = '********';

const isSecret = (shape: AnyShape): boolean => 'secret' in shape && shape.secret === true;

/** Empty, or only a reference to a secret. */
const isOpen = (value: Json): boolean =>
  value === null || value === '' || (typeof value === 'string' && wholePlaceholder(value)?.fallback === null);

/** Masks secret fields, except empty ones and placeholders without a fallback. Keeps invalid values. */
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
