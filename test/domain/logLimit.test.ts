import { expect, test } from '@jest/globals';
import { logLimit } from '../../src/domain/logLimit.js';

test('the first few are logged, then one per interval, with the number left out', () => {
  let now = 0;
  const limit = logLimit({ first: 2, interval_ms: 1000, monotonicMs: () => now });
  const admitted = (count: number): number =>
    Array.from({ length: count }, () => limit.admit()).filter((isAdmitted) => isAdmitted).length;
  expect(admitted(1_000)).toBe(2);
  expect(limit.takeSuppressed()).toBe(998);
  expect(limit.takeSuppressed()).toBe(0);
  now = 999;
  expect(admitted(3)).toBe(0);
  now = 1000;
  expect(admitted(3)).toBe(1);
  expect(limit.takeSuppressed()).toBe(5);
  now = 5000;
  expect(admitted(1)).toBe(1);
});
