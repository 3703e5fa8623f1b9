import { expect, test } from '@jest/globals';
import { shownDuration, shownTime } from '../../../src/ui/parts/times.js';

test('a time is shown in a zone; a text that is no time stays', () => {
  expect(shownTime('2026-11-20T23:30:01.25+00:00', 'Europe/Berlin')).toBe('2026-11-21 00:30:01');
  expect(shownTime('2026-11-20T23:30:01Z', 'UTC')).toBe('2026-11-20 23:30:01');
  expect(shownTime('soon', 'UTC')).toBe('soon');
});

test.each([
  [0.2, '0 s'],
  [59.6, '1 min'],
  [61, '1 min 1 s'],
  [3_600, '1 h'],
  [7_505, '2 h 5 min'],
  [90_000, '1 d 1 h'],
  [86_460, '1 d'],
  [-5, '0 s'],
])('%d seconds are %s', (seconds, text) => {
  expect(shownDuration(seconds)).toBe(text);
});
