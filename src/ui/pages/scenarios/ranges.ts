/** What a slider covers. */
export interface Range {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

/** Names of values between 0 and 1. */
const FRACTION = /(^|_)(share|ratio|rate|fraction|probability|chance|factor)$/i;

const UNIT: Range = { min: 0, max: 1, step: 0.01 };
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
export const rangeOf = (name: string, value: number): Range => {
  const isWhole = Number.isInteger(value);
  if (value >= 0 && value <= 1 && (!isWhole || FRACTION.test(name))) return UNIT;
  const max = roundUp(Math.max(10, Math.abs(value) * 2));
  const min = value < 0 ? -max : 0;
  return { min, max, step: stepOf(max - min, isWhole) };
};

/** The range with space for `value`: one that reaches an end, or lies outside, grows it. */
export const grown = (range: Range, value: number): Range => {
  const { min, max } = range;
  if (value > min && value < max) return range;
  if (value === min && min === 0) return range;
  // A share stays one unless a larger value is typed.
  if (range === UNIT && value === max) return range;
  const top = value >= max ? roundUp(Math.max(Math.abs(value) * 2, max)) : max;
  const bottom = value <= min ? -roundUp(Math.max(Math.abs(value) * 2, -min)) : min;
  return { min: bottom, max: top, step: stepOf(top - bottom, Number.isInteger(value) && range.step >= 1) };
};
