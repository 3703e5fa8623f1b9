import { expect, test } from '@jest/globals';
import {
  formerEvents,
  originsOf,
  possibleOrigins,
} from '../../../src/ui/pages/workbench/preview/formerEvents.js';
import { steadyTimestamps } from '../../../src/ui/pages/workbench/preview/timeline.js';

const stamps = steadyTimestamps(0, 4);

test('events are compared by timestamp, also after some have failed', () => {
  const before = { events: ['a', 'b', 'c', 'd'], origins: originsOf(stamps, [], 4) };
  const possible = possibleOrigins(stamps, 4);
  const first = formerEvents(new Map(), before, possible);
  // The first three fail: the fourth is what it was.
  const failing = { events: ['d'], origins: originsOf(stamps, [0, 1, 2], 1) };
  expect(failing.origins.map((key) => first.get(key))).toEqual(['d']);
  // Mended, each is compared with its last good event.
  const second = formerEvents(first, failing, possible);
  expect(originsOf(stamps, [], 4).map((key) => second.get(key))).toEqual(['a', 'b', 'c', 'd']);
  // Other timestamps have no former events.
  const later = possibleOrigins(steadyTimestamps(60_000, 4), 0);
  expect(formerEvents(second, failing, later).size).toBe(0);
});

test('equal timestamps are told apart, and events without one of their own by position', () => {
  const twice = [...steadyTimestamps(0, 1), ...steadyTimestamps(0, 1)];
  expect(new Set(originsOf(twice, [], 2)).size).toBe(2);
  expect(originsOf(twice, [], 3)).toEqual(['position 0', 'position 1', 'position 2']);
});
