import { describe, expect, test } from '@jest/globals';
import { utc } from '../../../../src/domain/time/zone.js';
import { eventTime, nanosOf } from '../../../../src/plugins/shared/eventTime.js';

const NANOS = 1_767_323_045_678_000_000n;

describe('the time of an event', () => {
  test.each([
    ['2026-01-02T03:04:05.678Z', NANOS],
    ['2026-01-02T05:04:05.678+02:00', NANOS],
    ['2026-01-02 03:04:05.678', NANOS],
    [1_767_323_045, NANOS - 678_000_000n],
    [1_767_323_045.678, NANOS],
    ['1767323045.678', NANOS],
    [1_767_323_045_678, NANOS],
    [1_767_323_045_678_000, NANOS],
    ['1767323045678000001', NANOS + 1n],
    [0, 0n],
    ['20260102', 1_767_312_000_000_000_000n],
  ])('%j is read', (value, nanos) => {
    expect(nanosOf(value, utc)).toBe(nanos);
  });

  test.each([
    undefined,
    null,
    '',
    'yesterday',
    -1,
    '1969-12-31T23:59:59Z',
    Number.NaN,
    1e30,
    '99999999999999999999',
    {},
    true,
  ])('%j is no time', (value) => {
    expect(nanosOf(value, utc)).toBeNull();
  });
});

describe('the text of a time', () => {
  test('is a value of the event, or joins several', () => {
    const single = eventTime('{/at}', utc);
    expect(single.readsJson).toBe(true);
    expect(single.nanos({ at: 1_767_323_045.678 })).toBe(NANOS);
    const event = { day: '2026-01-02', time: '03:04:05.678' };
    expect(eventTime('{/day}T{/time}Z', utc).nanos(event)).toBe(NANOS);
  });

  test('without a value in the event, or without a text, is none', () => {
    expect(eventTime('{/at}', utc).nanos({})).toBeNull();
    expect(eventTime('{/day}T{/time}', utc).nanos({ day: '2026-01-02' })).toBeNull();
    const none = eventTime(null, utc);
    expect([none.readsJson, none.nanos({ at: 1 })]).toEqual([false, null]);
  });
});
