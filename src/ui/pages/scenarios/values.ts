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
export const valueSummaryOf = (value: Json): string => {
  if (Array.isArray(value)) return counted(value.length, 'item', 'items');
  return isJsonObject(value) ? counted(Object.keys(value).length, 'key', 'keys') : JSON.stringify(value);
};

export const isTree = (value: Json): value is readonly Json[] | JsonObject =>
  Array.isArray(value) || isJsonObject(value);

export const childValuesOf = (value: Json): readonly (readonly [string | number, Json])[] => {
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

/** What a slider covers. */
interface KnobRange {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

/** Names of values between 0 and 1. */
const FRACTION = /(^|_)(share|ratio|rate|fraction|probability|chance|factor)$/i;

const UNIT: KnobRange = { min: 0, max: 1, step: 0.01 };
/** Steps of a slider, so that the arrow keys cross it in reasonable time. */
const STEPS = 100;

/** The next of 1, 2, 5, 10, 20, 50 … that is at least `size`. */
const roundUp = (size: number): number => {
  const power = 10 ** Math.floor(Math.log10(size));
  const factor = [1, 2, 5, 10].find((one) => one * power >= size * (1 - 1e-9)) ?? 10;
  return Number((factor * power).toPrecision(1));
};

const stepOf = (span: number, isWhole: boolean): number => {
  const step = roundUp(span / STEPS);
  return isWhole ? Math.max(1, Math.round(step)) : step;
};

/** A range around a value with as much space again above it. */
export const knobRangeOf = (name: string, value: number): KnobRange => {
  const isWhole = Number.isInteger(value);
  if (value >= 0 && value <= 1 && (!isWhole || FRACTION.test(name))) return UNIT;
  const max = roundUp(Math.max(10, Math.abs(value) * 2));
  const min = value < 0 ? -max : 0;
  return { min, max, step: stepOf(max - min, isWhole) };
};

/** The range with space for `value`: one that reaches an end, or lies outside, grows it. */
export const grown = (range: KnobRange, value: number): KnobRange => {
  const { min, max } = range;
  if (value > min && value < max) return range;
  if (value === min && min === 0) return range;
  // A share stays one unless a larger value is typed.
  if (range === UNIT && value === max) return range;
  const top = value >= max ? roundUp(Math.max(Math.abs(value) * 2, max)) : max;
  const bottom = value <= min ? -roundUp(Math.max(Math.abs(value) * 2, -min)) : min;
  return { min: bottom, max: top, step: stepOf(top - bottom, Number.isInteger(value) && range.step >= 1) };
};
