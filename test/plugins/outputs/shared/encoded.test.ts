import { describe, expect, test } from '@jest/globals';
import { cutAt, endsOf } from '../../../../src/plugins/outputs/shared/encoder.js';

describe('where a write stopped', () => {
  test('a cut in an event counts the events before it and finds the end of the torn one', () => {
    expect(cutAt([3, 6, 10], 4)).toEqual({ whole: 1, end: 6 });
    expect(cutAt([3, 6, 10], 2)).toEqual({ whole: 0, end: 3 });
    expect(cutAt([3, 6, 10], 9)).toEqual({ whole: 2, end: 10 });
  });

  test('a cut between events tears none', () => {
    expect(cutAt([3, 6, 10], 0)).toEqual({ whole: 0, end: 0 });
    expect(cutAt([3, 6, 10], 6)).toEqual({ whole: 2, end: 6 });
    expect(cutAt([3, 6, 10], 10)).toEqual({ whole: 3, end: 10 });
  });

  test('each event ends behind its separator, in bytes and not in characters', () => {
    expect(endsOf(['a', 'é', ''], 1, (text) => Buffer.byteLength(text))).toEqual([2, 5, 6]);
    expect(endsOf([], 1, (text) => text.length)).toEqual([]);
  });
});
