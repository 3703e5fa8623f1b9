import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { utc } from '../../../../src/domain/time/zone.js';
import { parsedEvent, pointerReader } from '../../../../src/plugins/outputs/shared/eventValues/pointer.js';
import { textOf } from '../../../../src/plugins/outputs/shared/eventValues/source.js';
import { nanosOf } from '../../../../src/plugins/outputs/shared/eventValues/time.js';

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

describe('a pointer', () => {
  const document = { a: { '/': [{ 'b~': 1 }] }, n: null };
  test.each([
    ['/a/~1/0/b~0', 1],
    ['/n', null],
    ['/n/x', undefined],
    ['/a/~1/1', undefined],
    ['/a/~1/length', undefined],
    ['/toString', undefined],
  ])('%s', (pointer, value) => {
    expect(pointerReader(pointer)(document)).toEqual(value);
  });
  test('of a document that is no object finds nothing', () => {
    expect([undefined, null, 'text', 7].map(pointerReader('/length'))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
  test('its values become texts', () => {
    expect([undefined, null, 'a', 1, false, { b: [1] }].map(textOf)).toEqual([
      null,
      null,
      'a',
      '1',
      'false',
      '{"b":[1]}',
    ]);
  });
});

describe('an event as JSON', () => {
  const plain = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  };
  const spaces = fc.stringMatching(/^[ \t\r\n\f]{0,3}$/);
  const near = fc.stringMatching(/^[-{}[\]":,.eE+0-9a-z ]{0,12}$/);

  test('is what JSON.parse reads, or nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), near, fc.string()), spaces, spaces, (text, before, after) => {
        const event = before + text + after;
        expect(parsedEvent(event)).toEqual(plain(event));
      }),
      { numRuns: 2_000 },
    );
  });
});
