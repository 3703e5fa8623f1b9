import type { Json } from '../../domain/json.js';
import type { Field } from '../../schema/index.js';

const NUMBER = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i;

/** A typed number; any other text as itself, so that it stays and the declaration judges it. */
export const numberOrText = (text: string): Json => {
  if (!NUMBER.test(text)) return text;
  const value = Number(text);
  const isExact = !/^\s*[+-]?\d+\s*$/.test(text) || Number.isSafeInteger(value);
  return Number.isFinite(value) && isExact ? value : text;
};

/** JSON, and any other text as itself. */
export const jsonOrText = (text: string): Json => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
};

/** A typed scalar of unknown type: numbers and booleans as such, everything else is text. */
export const looseOf = (text: string): Json => {
  const value = jsonOrText(text);
  if (typeof value === 'number') return String(value) === text ? value : text;
  return typeof value === 'boolean' || (typeof value === 'string' && text.startsWith('"')) ? value : text;
};

/** The text that `looseOf` reads as the value. */
export const looseText = (value: Json): string => {
  if (typeof value !== 'string') return JSON.stringify(value);
  return looseOf(value) === value ? value : JSON.stringify(value);
};

/** The text that `jsonOrText` reads as the value. */
export const shownJson = (value: Json | undefined): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' && jsonOrText(value) === value ? value : JSON.stringify(value, null, 2);
};

export const plainFieldText = (value: Json | undefined): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** A default or example in words. */
export const shownValue = (value: Json | undefined): string => {
  if (value === undefined || value === null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** What a field is for, with its unit and an example. */
export const helpOf = ({ help, unit, example }: Field<unknown>): string =>
  [
    help,
    ...(unit === undefined ? [] : [`Unit: ${unit}.`]),
    ...(example === undefined ? [] : [`Example: ${shownValue(example)}`]),
  ].join(' ');
