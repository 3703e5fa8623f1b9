import { describe, expect, test } from '@jest/globals';
import type { ImperfectionChoices, SilentChoices } from '../../src/domain/imperfections.js';
import { drawKey, seededRandom } from '../../src/domain/random.js';
import { displacementOf, silenceAt } from '../../src/imperfections/times.js';

const KEY = drawKey(seededRandom('a seed'));
const SECOND = 1_000_000;
const T0 = 1_767_225_600 * SECOND;
const SILENT: SilentChoices = { every: 100, for: 15, events: 'delivered' };

const silences = (from: number, seconds: number) =>
  Array.from({ length: seconds }, (_, second) => silenceAt(SILENT, KEY, from + second * SECOND));

describe('silences', () => {
  test('come once in each period, at a random place in it, and last as long as they must', () => {
    const found = silences(T0, 100_000);
    const silent = found.filter((silence) => silence !== null);
    // A second less or more for each silence: they begin between two seconds.
    expect(Math.abs(silent.length - 15_000)).toBeLessThanOrEqual(1_000);
    const starts = new Set(silent.map(({ from }) => from));
    expect(new Set([...starts].map((from) => Math.floor(from / (100 * SECOND)))).size).toBe(1_000);
    expect(starts.size).toBe(1_000);
    for (const { from, until } of silent) expect(until - from).toBe(15 * SECOND);
    const places = [...starts].map((from) => (from % (100 * SECOND)) / (85 * SECOND));
    // Four standard deviations of the mean of 1,000 uniform draws.
    expect(Math.abs(places.reduce((a, b) => a + b, 0) / 1_000 - 0.5)).toBeLessThan(0.037);
    expect(Math.max(...places)).toBeLessThan(1);
  });

  test('begin with their first microsecond and end before their last', () => {
    const [silence] = silences(T0, 100).filter((one) => one !== null);
    const { from, until } = silence ?? { from: 0, until: 0 };
    const found = [from - 1, from, until - 1, until].map((micros) => silenceAt(SILENT, KEY, micros) !== null);
    expect(found).toEqual([false, true, true, false]);
  });

  test('depend on the seed, come before 1970 too, and need a time', () => {
    const other = drawKey(seededRandom('another'));
    expect(silenceAt(SILENT, other, T0)).not.toEqual(silences(T0, 100).find((one) => one !== null));
    expect(silenceAt(SILENT, KEY, null)).toBeNull();
    expect(silences(-1_000 * SECOND, 1_000).filter((one) => one !== null).length).toBeGreaterThan(130);
  });

  test('delay their events, which are then neither late nor out of order', () => {
    const late = { share: 1, distribution: 'uniform', mean: 1, deviation: 1, max: 2 } as const;
    const choices: ImperfectionChoices = {
      dropped: 0,
      doubled: 0,
      truncated: 0,
      malformed: 0,
      kinds: ['control_bytes'],
      late,
      out_of_order: null,
      skewed: 0,
      silent: SILENT,
    };
    const [silence] = silences(T0, 100).filter((one) => one !== null);
    const at = silence?.from ?? 0;
    expect(displacementOf(choices, KEY, 1, at)).toEqual({ what: 'buffered', silence });
    expect(displacementOf(choices, KEY, 1, at - 1)).toMatchObject({ what: 'late' });
    expect(displacementOf({ ...choices, dropped: 1 }, KEY, 1, at)).toBeNull();
    expect(displacementOf({ ...choices, silent: { ...SILENT, events: 'lost' } }, KEY, 1, at)).toBeNull();
  });
});
