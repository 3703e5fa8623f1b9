import type { JsonObject } from '../../../domain/json.js';
import type { Logical } from './schema.js';

const BASES: Readonly<Record<string, string>> = {
  date: 'int',
  'time-millis': 'int',
  'time-micros': 'long',
  'timestamp-millis': 'long',
  'timestamp-micros': 'long',
  'local-timestamp-millis': 'long',
  'local-timestamp-micros': 'long',
};

const UUID_BYTES = 16;

/** Digits that surely fit into `size` bytes, signed. */
const digitsOf = (size: number): number => Math.floor(Math.log10(2) * (8 * size - 1));

const decimalOf = (json: JsonObject, size: number | null): Logical | null => {
  const { precision, scale = 0 } = json;
  if (typeof precision !== 'number' || typeof scale !== 'number') return null;
  if (!Number.isInteger(precision) || !Number.isInteger(scale)) return null;
  const isValid = precision >= 1 && scale >= 0 && scale <= precision;
  return isValid && (size === null || precision <= digitsOf(size))
    ? { name: 'decimal', precision, scale }
    : null;
};

/**
 * Returns the logical type of a schema. Null when it has none, or one that readers ignore as the specification says.
 */
export const logicalOf = (json: JsonObject, kind: string, size: number | null = null): Logical | null => {
  const name = json['logicalType'];
  if (typeof name !== 'string') return null;
  if (name === 'decimal') return kind === 'bytes' || kind === 'fixed' ? decimalOf(json, size) : null;
  if (name === 'uuid') return kind === 'string' || size === UUID_BYTES ? { name } : null;
  return Object.hasOwn(BASES, name) && BASES[name] === kind ? ({ name } as Logical) : null;
};
