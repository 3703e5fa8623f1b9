import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { editDistance, nearest } from '../../../src/domain/text/shown.js';

describe('nearest', () => {
  test.each([
    ['cuont', 'count', 1],
    ['count', 'count', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['ca', 'abc', 3],
  ])('%p and %p are %p edits apart', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
  });

  test('the distance is symmetric, and at most the longer length', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });

  test.each([
    ['write-timeout', 'write_timeout'],
    ['Count', 'count'],
    ['wirte_timeout', 'write_timeout'],
    ['zzz', null],
    ['', null],
    ['x'.repeat(100), null],
  ])('%p means %p', (name, meant) => {
    expect(nearest(name, ['count', 'write_timeout', 'x'.repeat(100)])).toBe(meant);
  });
});
