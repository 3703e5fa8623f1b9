import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../src/domain/random.js';
import { learn } from '../../src/learn/learn.js';
import { recordsOf } from '../../src/learn/records.js';
import { generatorOf } from '../../src/worker/learned.js';
import { right } from '../support/either.js';

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
    const learned = right(
      learn(recordsOf(lines.join('\n')), { seed: 's', keep_values: false, now: at * 1_000 }),
    );
    expect(learned.model.rate?.arrivals).toBe(arrivals);
    const { comparison } = right(
      await generatorOf(learned, { name: 'x', seed: 's', config_file: 'generator.yml', timezone: 'UTC' }),
    );
    const { log, generated } = comparison.rate;
    expect(Math.abs(generated / (log ?? 0) - 1)).toBeLessThan(0.05);
  });
});
