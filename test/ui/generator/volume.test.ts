import { expect, test } from '@jest/globals';
import { BAR_SECONDS, BARS, NO_VOLUME, volumeAt } from '../../../src/ui/pages/generator/events/volume.js';

const BAR_MS = BAR_SECONDS * 1_000;
const NOW = 1_000_000 * BAR_MS;

test('what is found at about the same time is one bar, and moves on as time passes', () => {
  const at_once = volumeAt(volumeAt(NO_VOLUME, NOW, 3), NOW + BAR_MS - 1, 4);
  expect(at_once.found).toHaveLength(BARS);
  expect(at_once.found.slice(-2)).toEqual([0, 7]);
  expect(volumeAt(at_once, NOW + 2 * BAR_MS, 1).found.slice(-4)).toEqual([0, 7, 0, 1]);
});

test('after a long pause nothing of the past is left', () => {
  const former = volumeAt(NO_VOLUME, NOW, 3);
  expect(volumeAt(former, NOW + BARS * BAR_MS, 0).found).toEqual(NO_VOLUME.found);
});

test('a clock that is set back loses nothing', () => {
  const former = volumeAt(NO_VOLUME, NOW, 3);
  expect(volumeAt(former, NOW - 100 * BAR_MS, 2).found.at(-1)).toBe(5);
});
