import { describe, expect, test } from '@jest/globals';
import { freeName } from '../../../src/ui/pages/overview/examples.js';
import { watchEveryMs } from '../../../src/ui/parts/deadLetterList.js';
import {
  counted,
  restartsText,
  shortMicros,
  shownBytes,
  shownMicros,
  shownRate,
  shownSeconds,
} from '../../../src/ui/parts/numbers.js';
import { lookOfHealth, remedyOf } from '../../../src/ui/parts/phases.js';
import { inTurns, startedText } from '../../../src/ui/parts/severalGenerators.js';
import { sparklinePoints } from '../../../src/ui/parts/sparklinePoints.js';

describe('numbers', () => {
  test('have units that people read', () => {
    expect([900, 82_000, 200_000_000, 7_000_000_000, 200_000_000_000].map(shortMicros)).toEqual([
      '900 µs',
      '82 ms',
      '3.3 min',
      '1.9 h',
      '2.3 d',
    ]);
    expect([shownMicros(900), shownMicros(4_500), shownMicros(82_000)]).toEqual([
      '900 µs',
      '4.5 ms',
      '82 ms',
    ]);
    expect([59, 61, 3_661, 90_000].map(shownSeconds)).toEqual(['59 s', '1 min 1 s', '1 h 1 min', '1 d 1 h']);
    expect([0, 512, 1_536, 5 * 2 ** 30].map(shownBytes)).toEqual(['0 B', '512 B', '1.5 KiB', '5 GiB']);
    expect([0, 2.54, 1_234, 12_345].map(shownRate)).toEqual(['0', '2.5', '1,234', '12.3K']);
    expect([counted(1, 'row'), counted(1_000, 'row')]).toEqual(['1 row', '1,000 rows']);
  });
});

test('restarts say in which time they were: their number falls again', () => {
  expect([restartsText(1), restartsText(6)]).toEqual(['1 restart in 2 min', '6 restarts in 2 min']);
});

test('dead letters that wait are counted again without a click, many of them less often', () => {
  expect([watchEveryMs([]), watchEveryMs([{ bytes: 900_000 }, { bytes: 200_000 }])]).toEqual([5_000, 30_000]);
});

describe('a sparkline', () => {
  test('ends at the right, and its top is full height', () => {
    expect(sparklinePoints([1, 2], 3)).toBe('40.0,12.0 80.0,1.0');
  });

  test('of one value is a line', () => {
    expect(sparklinePoints([0], 3)).toBe('40.0,23.0 80.0,23.0');
  });

  test('of more values than it has room for is drawn closer', () => {
    expect(sparklinePoints([0, 0, 0, 0, 0], 2)).toMatch(/^0\.0,/);
  });
});

test('a generator that runs and is not well is not green; a failed one says so first', () => {
  expect(lookOfHealth('running', 'failing')).toEqual({ word: 'failing', color: 'red' });
  expect(lookOfHealth('loading', 'degraded').word).toBe('degraded');
  expect(lookOfHealth('backing_off', 'failing').word).toBe('restarting');
  expect(lookOfHealth('running', 'ok').color).toBe('teal');
});

describe('what to do about a failure', () => {
  test('depends on whether Spate retries', () => {
    expect(remedyOf('backing_off', 'output_failed')).toMatch(/retries/);
    expect(remedyOf('failed', 'output_failed')).toMatch(/no longer restarts it/);
    expect(remedyOf('failed', 'plugin_failed')).toBe('Fix the cause, then start the generator.');
    expect(remedyOf('failed', null)).toBe('Fix the cause, then start the generator.');
  });
});

describe('several starts', () => {
  test('are told with the reasons of those that failed', () => {
    const reasons = { b: 'no file' };
    expect(
      startedText('started', { running_generator_ids: ['a'], non_running_generator_ids: ['b'], reasons }),
    ).toBe('a started. 1 generator did not start.\nb: no file');
  });

  test('name three failures at most', () => {
    const down = ['a', 'b', 'c', 'd', 'e'];
    const text = startedText('restarted', {
      running_generator_ids: [],
      non_running_generator_ids: down,
      reasons: {},
    });
    expect(text.split('\n')).toHaveLength(5);
    expect(text).toMatch(/^5 generators did not start\.\n.*\n2 more$/s);
  });
});

test('work in turns keeps the order and is never more than six at once', async () => {
  let running = 0;
  let most = 0;
  const results = await inTurns([...Array(20).keys()], async (item) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    return item * 2;
  });
  expect(results).toEqual([...Array(20).keys()].map((item) => item * 2));
  expect(most).toBe(6);
});

test('a name that is taken gets a number', () => {
  expect(freeName('shop', new Set())).toBe('shop');
  expect(freeName('shop', new Set(['shop', 'shop-2']))).toBe('shop-3');
});
