import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import { shownCount } from '../../parts/numbers.js';

/** What a typed text means; JSON, and any other text as itself. */
export const valueOfText = (text: string): Json => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
};

const NUMBER = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i;

/** A typed number; `null` if it is none, or has more digits than a number holds. */
export const numberOfText = (text: string): number | null => {
  if (!NUMBER.test(text)) return null;
  const value = Number(text);
  const isExact = !/^\s*[+-]?\d+\s*$/.test(text) || Number.isSafeInteger(value);
  return Number.isFinite(value) && isExact ? value : null;
};

const counted = (count: number, one: string, many: string): string =>
  `${shownCount(count)} ${count === 1 ? one : many}`;

/** A list or object in few words. */
export const summaryOf = (value: Json): string => {
  if (Array.isArray(value)) return counted(value.length, 'item', 'items');
  return isJsonObject(value) ? counted(Object.keys(value).length, 'key', 'keys') : JSON.stringify(value);
};

export const isTree = (value: Json): value is readonly Json[] | JsonObject =>
  Array.isArray(value) || isJsonObject(value);

export const childrenOf = (value: Json): readonly (readonly [string | number, Json])[] => {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one, index) => [index, one] as const);
  return isJsonObject(value) ? Object.entries(value) : [];
};

/** Top-level values that a control can turn: the numbers and booleans among the chosen keys. */
export const knobsOf = (
  globals: JsonObject,
  isKnob: (key: string) => boolean,
): readonly (readonly [string, number | boolean])[] =>
  Object.entries(globals)
    .filter(
      (entry): entry is [string, number | boolean] =>
        (typeof entry[1] === 'number' || typeof entry[1] === 'boolean') && isKnob(entry[0]),
    )
    .sort(([a], [b]) => a.localeCompare(b));
