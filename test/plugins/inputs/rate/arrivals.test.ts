import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../../../src/domain/json.js';
import { seededRandom } from '../../../../src/domain/random.js';
import { paretoLengths } from '../../../../src/plugins/inputs/rate/shape.js';
import { drain, NOW } from '../../../support/pipelines/inputs.js';
import { countsOf, meanOf, microsOf, problemOf, rate, varianceOf } from './support.js';

const SECOND = 1_000_000;

const gapsOf = (micros: readonly number[]): readonly number[] =>
  micros.slice(1).map((at, index) => at - (micros[index] as number));

describe('even arrivals', () => {
  test('begin at the start and have equal distances', async () => {
    const texts = drain(await rate({ events_per_second: 4, total: 5 }));
    expect(texts.map((text) => text.slice(17))).toEqual([
      '09Z',
      '09.250000Z',
      '09.500000Z',
      '09.750000Z',
      '10Z',
    ]);
  });

  test('never drift: 100 seconds later each is where it belongs', async () => {
    const micros = microsOf(await rate({ events_per_second: 3000.3, end: '+100s' }));
    expect(micros.length).toBe(300_030);
    const wrong = micros.findIndex((at, i) => at !== NOW + Math.round((i * SECOND) / 3000.3));
    expect(wrong).toBe(-1);
  });

  test('round down to a resolution, and keep their number', async () => {
    const exact = microsOf(await rate({ events_per_second: 7, end: '+20s' }));
    const rounded = microsOf(await rate({ events_per_second: 7, end: '+20s', resolution: 1 }));
    expect(rounded).toEqual(exact.map((at) => Math.floor(at / SECOND) * SECOND));
  });

  test('`end` is exclusive, `total` inclusive', async () => {
    expect(microsOf(await rate({ events_per_second: 10, end: '+1s' })).length).toBe(10);
    expect(microsOf(await rate({ events_per_second: 10, end: '+1s', total: 7 })).length).toBe(7);
    expect(microsOf(await rate({ events_per_second: 10, end: '+1s', total: 70 })).length).toBe(10);
  });

  test('a start in the past is skipped or made up for, as told', async () => {
    const params = { events_per_second: 1, start: '-10s', end: '+15s' };
    expect(microsOf(await rate(params)).length).toBe(15);
    const skipped = microsOf(await rate(params, { skipPast: true }));
    expect([skipped.length, skipped[0]]).toEqual([5, NOW]);
  });

  test('a range in the past gives nothing, and ends', async () => {
    const input = await rate({ events_per_second: 1, start: '-10s', end: '+5s' }, { skipPast: true });
    expect(input.fill(new Float64Array(4))).toBe(0);
  });
});

describe('Poisson arrivals', () => {
  const PER_SECOND = 500;
  const SECONDS = 1_000;
  const given = { events_per_second: PER_SECOND, arrivals: 'poisson', end: `+${SECONDS}s` };

  test('the counts per second have the mean and the variance of Poisson', async () => {
    const counts = countsOf(microsOf(await rate(given)), NOW, SECOND, SECONDS);
    // Five standard errors of each.
    expect(Math.abs(meanOf(counts) - PER_SECOND)).toBeLessThan(5 * Math.sqrt(PER_SECOND / SECONDS));
    expect(Math.abs(varianceOf(counts) / PER_SECOND - 1)).toBeLessThan(5 * Math.sqrt(2 / SECONDS));
  });

  test('the distances are exponential: chi-square over 50 equally likely classes', async () => {
    const gaps = gapsOf(microsOf(await rate(given)));
    const classes = 50;
    const seen = new Array<number>(classes).fill(0);
    for (const gap of gaps) {
      // Half a microsecond was rounded away at random.
      const share = 1 - Math.exp((-gap * PER_SECOND) / SECOND);
      const at = Math.min(classes - 1, Math.floor(share * classes));
      seen[at] = (seen[at] as number) + 1;
    }
    const expected = gaps.length / classes;
    const chi = seen.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 49 degrees of freedom: 99.9 % lie below 85.4. Even distances give millions.
    expect(chi).toBeLessThan(85.4);
    expect(chi).toBeGreaterThan(23);
  });

  test('distances do not depend on those before', async () => {
    const gaps = gapsOf(microsOf(await rate(given)));
    const mean = meanOf(gaps);
    const together = meanOf(gaps.slice(1).map((gap, i) => (gap - mean) * ((gaps[i] as number) - mean)));
    expect(Math.abs(together / varianceOf(gaps))).toBeLessThan(5 / Math.sqrt(gaps.length));
  });

  test('another seed gives other timestamps', async () => {
    const one = microsOf(await rate({ ...given, total: 10 }));
    const two = microsOf(await rate({ ...given, total: 10 }, { random: seededRandom('other') }));
    expect(one).not.toEqual(two);
  });
});

describe('bursty arrivals', () => {
  test('lengths have the wanted mean and the tail of Pareto', () => {
    const random = seededRandom('lengths');
    const lengthOf = paretoLengths(10, 1.5);
    const lengths = Array.from({ length: 400_000 }, () => lengthOf(random.next()));
    expect(Math.abs(meanOf(lengths) / 10 - 1)).toBeLessThan(0.02);
    const least = lengthOf(0);
    for (const times of [2, 5, 20]) {
      const share = lengths.filter((length) => length > least * times).length / lengths.length;
      const wanted = (times ** -1.5 - 100 ** -1.5) / (1 - 100 ** -1.5);
      expect(Math.abs(share / wanted - 1)).toBeLessThan(0.05);
    }
    expect(Math.max(...lengths.slice(0, 10_000))).toBeLessThanOrEqual(least * 100 * (1 + 1e-9));
  });

  test('the mean is the target, the variance far above that of Poisson, and silence is silent', async () => {
    const hours = 150;
    const given = { events_per_second: 2, arrivals: 'bursty', burst: { on: 5, off: 25 }, end: `+${hours}h` };
    const micros = microsOf(await rate(given));
    const counts = countsOf(micros, NOW, SECOND, hours * 3600);
    expect(Math.abs(meanOf(counts) / 2 - 1)).toBeLessThan(0.03);
    expect(varianceOf(counts) / meanOf(counts)).toBeGreaterThan(5);
    const silent = counts.filter((count) => count === 0).length / counts.length;
    expect(silent).toBeGreaterThan(0.75);
    expect(silent).toBeLessThan(0.87);
    expect(gapsOf(micros).reduce((most, gap) => Math.max(most, gap), 0)).toBeGreaterThan(100 * SECOND);
  });
});

describe('any rate', () => {
  const level = fc.record({
    factor: fc.constantFrom(0, 0.5, 1, 7),
    seconds: fc.double({ min: 0.01, max: 20, noNaN: true }),
  });
  const params = fc.record({
    events_per_second: fc.constantFrom(0.2, 3, 33.3, 5_000),
    arrivals: fc.constantFrom('even', 'poisson', 'bursty'),
    shape: fc.constant('steps'),
    steps: fc.record({ levels: fc.array(level, { minLength: 1, maxLength: 5 }), repeat: fc.boolean() }),
    end: fc.constant('+2h'),
    total: fc.constant(400),
  });

  test('ascends, in whole microseconds, in pieces of any size, from any state', async () => {
    await fc.assert(
      fc.asyncProperty(
        params,
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 0, max: 300 }),
        async (given, step, at) => {
          const all = microsOf(await rate(given));
          expect(all.every(Number.isSafeInteger)).toBe(true);
          expect(all).toEqual([...all].sort((a, b) => a - b));
          const input = await rate(given);
          const before = microsOf(input, at, step);
          const state = JSON.parse(JSON.stringify(input.snapshot())) as Json;
          const restored = await rate(given);
          restored.restore(state);
          expect([...before, ...microsOf(restored, 1_000, step)]).toEqual(all);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('parameters', () => {
  test.each([
    [{}, /target is required/],
    [{ events_per_second: 1, gb_per_day: 1 }, /gb_per_day must not be given beside/],
    [{ events_per_second: 0 }, /events_per_second must be greater than 0/],
    [{ events_per_second: 1, event_bytes: 5 }, /event_bytes belongs to a target in bytes/],
    [{ events_per_second: 1, burst: {} }, /burst needs arrivals: bursty/],
    [{ events_per_second: 1, daily: {} }, /daily needs shape: daily/],
    [{ events_per_second: 1, shape: 'steps' }, /steps is required/],
    [{ events_per_second: 1, shape: 'ramp' }, /ramp has no length/],
    [{ events_per_second: 1, shape: 'curve' }, /curve is required/],
    [{ events_per_second: 1, shape: 'daily', daily: { hours: [1] } }, /hours/],
    [{ events_per_second: 1, shape: 'daily', daily: { hours: new Array(24).fill(0) } }, /all weights are 0/],
    [{ events_per_second: 1, start: '2026-02-01', end: '2026-01-01' }, /end is before start/],
  ])('%j is refused', async (params, problem) => {
    expect(await problemOf(params)).toMatch(problem);
  });
});
