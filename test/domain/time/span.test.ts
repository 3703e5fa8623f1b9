import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { automaticSpan, formatSpan, parseSpan } from '../../../src/domain/time/span.js';

const SECOND = 1_000_000;

describe('span expressions', () => {
  test.each([
    ['1ms', 1_000],
    ['30s', 30 * SECOND],
    ['1.5s', 1_500_000],
    ['5m', 300 * SECOND],
    ['1h30m', 5_400 * SECOND],
    ['7d', 7 * 86_400 * SECOND],
    ['1w', 7 * 86_400 * SECOND],
    ['1d12h', 129_600 * SECOND],
    ['1s500ms', 1_500_000],
    ['PT30S', 30 * SECOND],
    ['PT1H30M', 5_400 * SECOND],
    ['P1DT12H', 129_600 * SECOND],
    ['P1W', 7 * 86_400 * SECOND],
    ['PT0.001S', 1_000],
  ])('%s is read', (text, micros) => {
    expect(parseSpan(text)).toEqual(E.right(micros));
  });

  test.each([
    '',
    ' ',
    '30',
    's',
    '-30s',
    '+30s',
    '30 s',
    '30S',
    '1m1h',
    '1h1h',
    '1e3s',
    '.5s',
    'PT',
    'P',
    'P1Y',
    'P1M',
    'PT1H30',
    '1y',
    '1h30',
    '１s',
    'NaNs',
    `${'9'.repeat(200)}s`,
  ])('%j is no span', (text) => {
    expect(parseSpan(text)).toMatchObject({ _tag: 'Left', left: expect.stringContaining('is not a span') });
  });

  test('a span shorter than 1ms is refused with the shortest', () => {
    expect(parseSpan('0s')).toMatchObject({ left: expect.stringContaining('1ms') });
    expect(parseSpan('0.4ms')).toMatchObject({ left: expect.stringContaining('1ms') });
  });

  test('a span longer than the range of time stamps is refused', () => {
    expect(E.isLeft(parseSpan('99999999w'))).toBe(true);
    expect(E.isLeft(parseSpan(`${'9'.repeat(90)}w`))).toBe(true);
  });

  test('what formatSpan writes is read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), (ms) => {
        expect(parseSpan(formatSpan(ms * 1_000))).toEqual(E.right(ms * 1_000));
      }),
    );
  });
});

describe('automatic span', () => {
  test.each([
    ['one time stamp', 0, 1, 1],
    ['100 time stamps within an hour: 120 s each', 3_600, 100, 60],
    ['one day: 2880 s each', 86_400, 1_000, 1_800],
    ['fewer than 30 time stamps divide by their number', 100, 10, 10],
    ['ten years', 315_360_000, 1_000, 30 * 86_400],
    ['exactly a listed span', 30 * 300, 30, 300],
  ])('%s', (_name, seconds, count, expected) => {
    expect(automaticSpan(7 * SECOND, (7 + seconds) * SECOND, count)).toBe(expected * SECOND);
  });
});
