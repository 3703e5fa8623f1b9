import { describe, expect, test } from '@jest/globals';
import type { IncidentMoment } from '../../../src/messages/incidents.js';
import {
  jumpTo,
  lanesOf,
  MAX_BARS,
  pointedAt,
  positionPercent,
  ticksOf,
} from '../../../src/ui/pages/incidents/lanes.js';
import { isOwnMember } from '../../../src/ui/pages/incidents/position.js';
import { left, right } from '../../support/either.js';

const moment = (phase: string, number: number, from: number): IncidentMoment => ({
  phase,
  number,
  of: 2,
  from,
  to: from + 1,
  effects: [],
  expected: null,
});

describe('the lanes', () => {
  test('are one per phase, in the order of their beginnings, and know the places of their bars', () => {
    const timeline = [moment('a', 1, 0), moment('b', 1, 1), moment('a', 2, 2)];
    expect(lanesOf(timeline).map(({ phase, bars }) => [phase, bars.map(({ index }) => index)])).toEqual([
      ['a', [0, 2]],
      ['b', [1]],
    ]);
  });

  test('draw a limited number of bars', () => {
    const many = Array.from({ length: 2 * MAX_BARS }, (_, n) => moment('a', n, n));
    expect(lanesOf(many).flatMap(({ bars }) => bars)).toHaveLength(MAX_BARS);
  });
});

describe('the axis', () => {
  test.each([
    [1_800, [0, 300, 600, 900, 1_200, 1_500]],
    [600, [0, 120, 240, 360, 480]],
    [10, [0, 2, 4, 6, 8]],
    [0.5, [0, 0.1, 0.2, 0.3, 0.4]],
    [10 * 86_400, [0, 172_800, 345_600, 518_400, 691_200]],
    [1_860, [0, 600, 1_200]],
  ])('of %d seconds has marks at %j', (duration, expected) => {
    expect(ticksOf(duration)).toEqual(expected);
  });

  test('gives places in percent, within the incident', () => {
    expect([positionPercent(450, 1_800), positionPercent(-1, 10), positionPercent(11, 10)]).toEqual([
      '25%',
      '0%',
      '100%',
    ]);
  });
});

describe('a jump', () => {
  test.each([
    ['8m', 480],
    ['1h30m', 5_400],
    [' 08:30 ', 510],
    ['1:00:05', 3_605],
    ['90:00', 5_400],
    ['0', 0],
    ['0s', 0],
    ['00:00', 0],
    ['1.5s', 1.5],
  ])('to %j leads to second %d', (written, seconds) => {
    expect(right(jumpTo(written, 7_200))).toBe(seconds);
  });

  test.each(['', 'soon', '8', '-1m', '8:'])('to %j leads nowhere', (written) => {
    expect(left(jumpTo(written, 7_200))).toBe('Enter a time like 8m or 08:00.');
  });

  test('leads no further than the end', () => {
    expect(left(jumpTo('2h', 7_200))).toBe('The incident ends at 2:00:00.');
  });

  test.each([
    [0, 1_800, 0],
    [0.5004, 1_800, 900],
    [1, 1_800, 1_799],
    [2, 1_800, 1_799],
    [0.517, 10, 5.1],
    [1, 10, 9.9],
    [1, 1_800.5, 1_800],
  ])('by the pointer at %d of %d seconds leads to %d', (place, duration, seconds) => {
    expect(pointedAt(place, duration)).toBe(seconds);
  });
});

test('a generator that an incident has made bears its name and that of the member', () => {
  expect(isOwnMember('theft', { name: 'the web', generator_id: 'theft.the-web' })).toBe(true);
  expect(isOwnMember('theft', { name: 'web', generator_id: 'web' })).toBe(false);
  expect(isOwnMember('theft', { name: 'web', generator_id: null })).toBe(false);
});
