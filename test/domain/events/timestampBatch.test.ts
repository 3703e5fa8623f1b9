import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { firstAfter, makeTimestampBatch } from '../../../src/domain/events/timestampBatch.js';

describe('a timestamp batch', () => {
  test('is empty at first, with room for its capacity', () => {
    const batch = makeTimestampBatch(3);
    expect([batch.length, batch.micros.length, batch.inputs.length]).toEqual([0, 3, 3]);
  });

  test('holds microseconds of the year 2255 and input numbers up to 65,535 exactly', () => {
    const batch = makeTimestampBatch(1);
    batch.micros[0] = 9_007_199_254_740_991;
    batch.inputs[0] = 65_535;
    expect([batch.micros[0], batch.inputs[0]]).toEqual([9_007_199_254_740_991, 65_535]);
  });
});

describe('the first timestamp after a moment', () => {
  const micros = Float64Array.of(10, 20, 20, 30);

  test.each([
    [5, 0],
    [10, 1],
    [19, 1],
    [20, 3],
    [29, 3],
    [30, 4],
    [99, 4],
  ])('after %d is at %d', (at, index) => {
    expect(firstAfter(micros, 0, 4, at)).toBe(index);
  });

  test('is looked for in its range only', () => {
    expect(firstAfter(micros, 2, 3, 0)).toBe(2);
    expect(firstAfter(micros, 0, 2, 99)).toBe(2);
    expect(firstAfter(micros, 2, 2, 0)).toBe(2);
  });

  test('is where a search from the start finds it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 30 })),
        fc.nat({ max: 31 }),
        fc.nat({ max: 40 }),
        (values, at, start) => {
          const sorted = Float64Array.from(values).sort();
          const from = Math.min(start, sorted.length);
          const found = sorted.findIndex((value, index) => index >= from && value > at);
          expect(firstAfter(sorted, from, sorted.length, at)).toBe(found === -1 ? sorted.length : found);
        },
      ),
    );
  });
});
