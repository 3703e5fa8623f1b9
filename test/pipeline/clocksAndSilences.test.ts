import { describe, expect, test } from '@jest/globals';
import type { ImperfectionChoices } from '../../src/domain/imperfections.js';
import { readOutputStat, readStat } from '../../src/domain/stats/stats.js';
import { parseIso } from '../../src/domain/time/iso.js';
import { utc } from '../../src/domain/time/zone.js';
import type { Label } from '../../src/imperfections/label.js';
import type { Skew } from '../../src/imperfections/skew.js';
import { ALL, isConserved, NONE, run, times } from '../support/pipelines/imperfect.js';

/** The events are times in microseconds: a clock that is ten of them behind. */
const inTens: Skew = (item) => ({ text: String(Number(item) - 10), seconds: -10e-6 });

/** Sizes of batches, and how many events: small batches cost most and show the same with fewer. */
const RUNS = [
  [1, 2_000],
  [7, 4_000],
  [1_000, 10_000],
] as const;

describe('an output with a wrong clock or silences', () => {
  test.each(RUNS)('loses the events of silences, in batches of %i', async (size, count) => {
    // An event each microsecond: silences of 100 events in 1,000.
    const choices: ImperfectionChoices = { ...ALL, silent: { every: 1e-3, for: 1e-4, events: 'lost' } };
    const whole = await run({ choices, count, size: 10_000 });
    const { events, labels, stats } = await run({ choices, count, size });
    expect(events).toEqual(whole.events);
    const silenced = labels.filter(({ what }) => what === 'silenced');
    expect(silenced).toHaveLength(count / 10);
    expect(readOutputStat(stats, 0, 'imperfect_silenced')).toBe(count / 10);
    const gone = new Set(silenced.map(({ event }) => String(100_000 + event - 1)));
    expect(events.filter((text) => gone.has(text))).toEqual([]);
    // Nothing else happens to them.
    const others = labels.filter(({ what }) => what !== 'silenced').map(({ event }) => event);
    expect(others.filter((event) => silenced.some((one) => one.event === event))).toEqual([]);
    expect(new Set(silenced.map(({ from }) => from)).size).toBe(count / 1_000);
    isConserved(stats);
  });

  test.each(RUNS)('delivers the events of silences after them, in batches of %i', async (size, count) => {
    const choices: ImperfectionChoices = {
      ...NONE,
      late: { share: 0.1, distribution: 'uniform', mean: 50e-6, deviation: 1, max: 1 },
      out_of_order: { share: 0.1, window: 20 },
      silent: { every: 1e-3, for: 1e-4, events: 'delivered' },
    };
    const whole = await run({ choices, count, size: 10_000 });
    const { events, labels, stats } = await run({ choices, count, size });
    expect(events).toEqual(whole.events);
    expect([...events].sort()).toEqual(times(count).map(String));
    const buffered = labels.filter(({ what }) => what === 'buffered');
    expect(buffered).toHaveLength(count / 10);
    expect(readOutputStat(stats, 0, 'imperfect_buffered')).toBe(count / 10);
    // Each silence is a gap: what comes next are its events, and what became due in it.
    const silent = new Set(buffered.map(({ event }) => String(100_000 + event - 1)));
    const spans = new Map(buffered.map(({ from, until }) => [from, until]));
    expect(spans.size).toBe(count / 1_000);
    const numbers = events.map(Number);
    const moved = new Set(labels.map(({ event }) => 100_000 + event - 1));
    for (const [from = '', until = ''] of spans) {
      const [start, end] = [from, until].map((text) => parseIso(text, utc) ?? 0) as [number, number];
      const positions = numbers.flatMap((number, at) => (number >= start && number < end ? [at] : []));
      const before = numbers.findLastIndex((number) => number < start && !moved.has(number));
      const after = numbers.findIndex((number) => number >= end && !moved.has(number));
      for (const at of positions) {
        expect(silent.has(events[at] as string)).toBe(true);
        expect(at > before && (after < 0 || at < after)).toBe(true);
      }
    }
    isConserved(stats);
    expect(readStat(stats, 'low_water')).toBe(readStat(stats, 'sequence'));
  });

  test.each(RUNS)('skews the clock of a share of the events, in batches of %i', async (size, count) => {
    const choices: ImperfectionChoices = { ...ALL, skewed: 0.3 };
    const whole = await run({ choices, skew: inTens, count, size: 10_000 });
    const { events, labels, stats } = await run({ choices, skew: inTens, count, size });
    expect(events).toEqual(whole.events);
    const skewed = labels.filter(({ what }) => what === 'skewed');
    // Of the events that are not dropped; four standard deviations.
    expect(Math.abs(skewed.length - 0.3 * 0.9 * count)).toBeLessThan(4 * Math.sqrt(0.27 * 0.73 * count));
    expect(new Set(skewed.map(({ seconds }) => seconds))).toEqual(new Set([-10e-6]));
    expect(readOutputStat(stats, 0, 'imperfect_skewed')).toBe(skewed.length);
    const wrong = new Set(skewed.map(({ event }) => event));
    const others = labels.filter(({ what }) => what !== 'skewed');
    const flaws = new Map(others.map((label) => [label.event, label]));
    const texts = new Set(events);
    for (const event of wrong) {
      const text = String(100_000 + event - 1 - 10);
      const { what, position } = flaws.get(event) ?? {};
      // A damaged event has the wrong time too.
      if (what === 'truncated') expect(texts).toContain(text.slice(0, position));
      else if (what !== 'malformed') expect(texts).toContain(text);
    }
    isConserved(stats);
  });

  test('counts events without a timestamp that its clock could skew, and warns of the first', async () => {
    const choices: ImperfectionChoices = { ...NONE, skewed: 1 };
    const { events, labels, stats, logged } = await run({ choices, skew: () => null, count: 50 });
    expect(events).toEqual(times(50).map(String));
    expect(labels).toEqual([]);
    expect(readOutputStat(stats, 0, 'imperfect_not_skewed')).toBe(50);
    expect(readOutputStat(stats, 0, 'imperfect_skewed')).toBe(0);
    expect(logged.filter((message) => message.includes('no timestamp was found'))).toHaveLength(1);
    isConserved(stats);
  });

  test('has the same silences and the same clock in the rest of an interrupted run', async () => {
    const choices: ImperfectionChoices = {
      ...ALL,
      skewed: 0.3,
      silent: { every: 1e-4, for: 3e-5, events: 'lost' },
    };
    const whole = await run({ choices, skew: inTens, count: 300 });
    const rest = await run({ choices, skew: inTens, count: 300, skip: 100 });
    expect(whole.events.slice(-rest.events.length)).toEqual(rest.events);
    const fromThere = whole.labels.filter(({ event }) => event > 100);
    const textsOf = (labels: readonly Label[]) =>
      labels.map(({ at: _at, ...label }) => JSON.stringify(label)).sort();
    expect(textsOf(rest.labels)).toEqual(textsOf(fromThere));
  });
});
