import { describe, expect, test } from '@jest/globals';
import type { IncidentEnd, IncidentMoment } from '../../../src/messages/incidents.js';
import {
  currentPhases,
  effectTexts,
  endText,
  type IncidentLook,
  incidentTitleOf,
  momentText,
  positionNow,
  positionOfDuration,
  positionText,
  spanText,
} from '../../../src/ui/pages/incidents/position.js';

const moment = (
  phase: string,
  from: number,
  to: number,
  more: Partial<IncidentMoment> = {},
): IncidentMoment => ({
  phase,
  number: 1,
  of: 1,
  from,
  to,
  effects: [],
  expected: null,
  ...more,
});

describe('a time of an incident', () => {
  test.each([
    [0, '00:00'],
    [-0.4, '00:00'],
    [372.9, '06:12'],
    [3_599, '59:59'],
    [3_972, '1:06:12'],
    [90_000, '25:00:00'],
  ])('%d is %s on the clock', (seconds, text) => {
    expect(positionText(seconds)).toBe(text);
  });

  test.each([
    [90, '01:30'],
    [1.5, '00:01.5'],
    [0.025, '00:00.025'],
  ])('%d is written with parts of a second: %s', (seconds, text) => {
    expect(momentText(seconds)).toBe(text);
  });

  test('is beside the duration', () => {
    expect(positionOfDuration(372.2, 1_800)).toBe('06:12 of 30:00');
    expect(spanText({ from: 720, to: 810.5 })).toBe('12:00 to 13:30.5');
  });
});

describe('the position between two looks', () => {
  const look: IncidentLook = { state: 'running', position: 10, duration: 60, at_ms: 1_000 };

  test('moves with the clock while the incident runs', () => {
    expect(positionNow(look, 1_000)).toBe(10);
    expect(positionNow(look, 1_750)).toBe(10.75);
  });

  test('does not go back to a tick from before the look', () => {
    expect(positionNow(look, 900)).toBe(10);
  });

  test('ends with the incident', () => {
    expect(positionNow({ ...look, position: 59.5 }, 3_000)).toBe(60);
  });

  test('waits for a service that does not answer', () => {
    expect(positionNow(look, 100_000)).toBe(15);
  });

  test('does not move while the incident is paused, and is none while it is idle', () => {
    expect(positionNow({ ...look, state: 'paused' }, 3_000)).toBe(10);
    expect(positionNow({ ...look, state: 'idle', position: null }, 3_000)).toBeNull();
  });
});

describe('the current phases', () => {
  const timeline = [moment('guess', 5, 8), moment('login', 6, 9), moment('theft', 9, 12)];

  test.each([
    [null, []],
    [-1, []],
    [5, [0]],
    [7, [0, 1]],
    [8, [1]],
    [9, [2]],
    [12, []],
  ])('at %p are %j', (position, expected) => {
    expect(currentPhases(timeline, position)).toEqual(expected);
  });
});

test('the last run says how it ended, also that the service ended before it', () => {
  const at = '2026-11-26T09:03:00Z';
  const textOf = (outcome: IncidentEnd['outcome']) => endText({ at, outcome, reason: null }, 'Europe/Berlin');
  expect(textOf('finished')).toBe('The last run finished at 2026-11-26 10:03:00.');
  expect(textOf('stopped')).toBe('The last run was stopped at 2026-11-26 10:03:00.');
  expect(textOf('cut_off')).toBe(
    'The run that began at 2026-11-26 10:03:00 was cut off: the service ended before it did.',
  );
});

test('an occurrence is named with its number, if there are several, and its effects', () => {
  const theft = moment('theft', 0, 1, { effects: [{ member: 'web', effect: 'is silent' }] });
  expect(incidentTitleOf(theft)).toBe('theft');
  expect(incidentTitleOf({ ...theft, number: 2, of: 3 })).toBe('theft (2 of 3)');
  expect(effectTexts(theft)).toEqual(['web is silent']);
});
