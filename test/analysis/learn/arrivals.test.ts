import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../../src/domain/random.js';
import { rateFrom } from './made.js';

const START = Date.UTC(2026, 0, 5, 0, 30);
const random = seededRandom('arrivals');
const exponential = (mean: number): number => -Math.log(1 - random.next()) * mean;

/** Seconds between the records of a log. */
const GAPS: Readonly<Record<string, { readonly gaps: () => readonly number[]; readonly arrivals: string }>> =
  {
    'at random': {
      gaps: () => Array.from({ length: 3_000 }, () => exponential(0.4)),
      arrivals: 'poisson',
    },
    'in five bursts, whose gaps are below a second but for the silences': {
      gaps: () => Array.from({ length: 2_000 }, (_, at) => (at % 400 === 399 ? 1_200 : exponential(0.2))),
      arrivals: 'bursty',
    },
    'close together with short silences': {
      gaps: () => Array.from({ length: 3_000 }, () => (random.next() < 0.17 ? 40 : exponential(1.6))),
      arrivals: 'bursty',
    },
    'in many bursts of different lengths': {
      gaps: () =>
        Array.from({ length: 4_000 }, () => (random.next() < 0.02 ? 20 + exponential(60) : exponential(0.1))),
      arrivals: 'bursty',
    },
    'without a pause, but for two of hours': {
      gaps: () =>
        Array.from({ length: 2_000 }, (_, at) => (at === 700 || at === 1_500 ? 20_000 : exponential(0.2))),
      arrivals: 'bursty',
    },
    'in eight bursts over sixty hours, whose hours say nothing': {
      gaps: () =>
        Array.from({ length: 2_000 }, (_, at) => (at % 250 === 249 ? exponential(27_000) : exponential(0.3))),
      arrivals: 'bursty',
    },
    'at once, each night at the same hour': {
      gaps: () => Array.from({ length: 2_000 }, (_, at) => (at % 100 === 99 ? 86_370 : 0.3)),
      arrivals: 'poisson',
    },
    'forty days apart': {
      gaps: () => Array.from({ length: 12 }, () => 40 * 86_400),
      arrivals: 'even',
    },
    'at random, but more by day': {
      gaps: () => {
        let hour = START / 3_600_000;
        return Array.from({ length: 6_000 }, () => {
          const gap = exponential(hour % 24 < 8 ? 600 : 30);
          hour += gap / 3_600;
          return gap;
        });
      },
      arrivals: 'poisson',
    },
  };

describe.each(Object.entries(GAPS))('a log whose records come %s', (_, { gaps, arrivals }) => {
  test('has such arrivals, and its rate within five percent', async () => {
    let at = START;
    const lines = gaps().map((gap, index) => {
      at += gap * 1_000;
      return `${new Date(at).toISOString()} job ${index % 40} done`;
    });
    const made = await rateFrom(lines.join('\n'), at * 1_000);
    expect(made.arrivals).toBe(arrivals);
    expect(Math.abs(made.ratio - 1)).toBeLessThan(0.05);
  });
});
