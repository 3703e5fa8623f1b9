import { expect, test } from '@jest/globals';
import { grown, knobRangeOf } from '../../../src/ui/pages/scenarios/values.js';

test.each([
  ['decline_share', 0, { min: 0, max: 1, step: 0.01 }],
  ['decline_share', 1, { min: 0, max: 1, step: 0.01 }],
  ['weight', 0.25, { min: 0, max: 1, step: 0.01 }],
  ['sale', 0, { min: 0, max: 10, step: 1 }],
  ['sale', 20, { min: 0, max: 50, step: 1 }],
  ['price', 12.5, { min: 0, max: 50, step: 0.5 }],
  ['revenue_cents', 646_160, { min: 0, max: 2_000_000, step: 20_000 }],
  ['temperature', -7, { min: -20, max: 20, step: 1 }],
])('%s at %d gets a range with space on both sides', (name, value, expected) => {
  expect(knobRangeOf(name, value)).toEqual(expected);
});

test('a range grows when its value reaches the end', () => {
  const range = knobRangeOf('sale', 20);
  expect(grown(range, 30)).toBe(range);
  expect(grown(range, 0)).toBe(range);
  expect(grown(range, 50)).toEqual({ min: 0, max: 100, step: 1 });
  expect(grown(range, 7_000)).toEqual({ min: 0, max: 20_000, step: 200 });
  expect(grown(range, -3)).toEqual({ min: -10, max: 50, step: 1 });
});

test('a share stays between 0 and 1 until a larger value is typed', () => {
  const share = knobRangeOf('decline_share', 0.5);
  expect(grown(share, 1)).toBe(share);
  expect(grown(share, 3).max).toBe(10);
});

test.each([0, 0.001, 1, 9.99, 10, 123, 1e9, 1e300, -1e-7, -42])('%d lies inside of its range', (value) => {
  const { min, max, step } = knobRangeOf('x', value);
  expect(value).toBeGreaterThanOrEqual(min);
  expect(value).toBeLessThanOrEqual(max);
  expect(step).toBeGreaterThan(0);
  expect(Number.isFinite(max)).toBe(true);
});
