import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { lastValueFrom } from 'rxjs';
import { failure } from '../../src/domain/errors.js';
import type { ImperfectionChoices } from '../../src/domain/imperfections/imperfections.js';
import type { Label } from '../../src/domain/imperfections/label.js';
import type { Skew } from '../../src/domain/imperfections/skew.js';
import { drawKey } from '../../src/domain/random/hashedDraw.js';
import { seededRandom } from '../../src/domain/random/seededRandom.js';
import {
  closedStats,
  FATES,
  readOutputStat,
  readStat,
  type Stats,
  setTo,
} from '../../src/domain/stats/stats.js';
import { parseIso } from '../../src/domain/time/parseIso.js';
import { utc } from '../../src/domain/time/zone.js';
import { type PipelineParts, pipeline } from '../../src/pipeline/pipeline.js';
import type { Output } from '../../src/plugins/kit.js';
import { listInput, memoryOutput, partsOf } from '../support/pipelines/pipelineParts.js';

const NONE: ImperfectionChoices = {
  dropped: 0,
  doubled: 0,
  truncated: 0,
  malformed: 0,
  kinds: ['control_bytes'],
  late: null,
  out_of_order: null,
  skewed: 0,
  silent: null,
};
/** Every kind, each for a share of the events. */
const ALL: ImperfectionChoices = { ...NONE, dropped: 0.1, doubled: 0.2, truncated: 0.05, malformed: 0.15 };

const times = (count: number): number[] => Array.from({ length: count }, (_, i) => 100_000 + i);

/** The events are times in microseconds: a clock that is ten of them behind. */
const inTens: Skew = (item) => ({ text: String(Number(item) - 10), seconds: -10e-6 });

const run = async (given: {
  readonly choices: ImperfectionChoices;
  readonly count?: number;
  readonly size?: number;
  /** Events of an earlier run. */
  readonly skip?: number;
  readonly seed?: string;
  readonly output?: Output;
  readonly truth?: Output;
  readonly skew?: Skew;
  readonly more?: Partial<PipelineParts>;
}) => {
  const output = memoryOutput();
  const truth = memoryOutput();
  const { parts, lines } = partsOf({
    inputs: [listInput(times(given.count ?? 10_000).slice(given.skip ?? 0))],
    outputs: [given.output ?? output],
    more: { batch: { size: given.size ?? 1_000, delay: null }, ...given.more },
  });
  const imperfections = {
    choices: given.choices,
    key: drawKey(seededRandom(given.seed ?? 'a seed')),
    skew: given.skew ?? null,
    output: '1-memory',
    truth: given.truth ?? truth,
  };
  setTo(parts.stats, 'produced_before', given.skip ?? 0);
  const destinations = parts.destinations.map((one) => ({ ...one, imperfections }));
  await lastValueFrom(pipeline({ ...parts, destinations }).flow, { defaultValue: 0 });
  const labels = truth.events.map((line) => JSON.parse(line) as Label);
  const logged = lines.map(({ message }) => message);
  return { events: output.events, labels, stats: parts.stats, logged };
};

const isConserved = (stats: Stats): void => {
  const closed = closedStats(stats);
  const ends = FATES.reduce((sum, fate) => sum + readOutputStat(closed, 0, fate), 0);
  expect(ends).toBe(readStat(closed, 'produced') + readOutputStat(closed, 0, 'imperfect_doubled'));
  expect(readOutputStat(closed, 0, 'abandoned')).toBe(0);
};

describe('an output with imperfections', () => {
  test('has them in their shares, and labels and counts every one', async () => {
    const { events, labels, stats } = await run({ choices: ALL });
    const labelled = (what: Label['what']): number => labels.filter((label) => label.what === what).length;
    // Four standard deviations of 10,000 draws are at most 160 events.
    for (const [what, share] of [
      ['dropped', 0.1],
      ['doubled', 0.2],
      ['truncated', 0.05],
      ['malformed', 0.15],
    ] as const) {
      expect(Math.abs(labelled(what) - share * 10_000)).toBeLessThan(160);
      expect(readOutputStat(stats, 0, `imperfect_${what}`)).toBe(labelled(what));
    }
    expect(events).toHaveLength(10_000 - labelled('dropped') + labelled('doubled'));
    expect(readOutputStat(stats, 0, 'written')).toBe(events.length);
    isConserved(stats);
  });

  test('has each event as its label says', async () => {
    const { events, labels } = await run({ choices: ALL, count: 500 });
    const expected = times(500).flatMap<unknown>((time, index) => {
      const label = labels.find(({ event }) => event === index + 1);
      const text = String(time);
      if (label === undefined) return [text];
      if (label.what === 'dropped') return [];
      if (label.what === 'doubled') return [text, text];
      if (label.what === 'truncated') return [text.slice(0, label.position)];
      return [expect.not.stringMatching(/^\d*$/)];
    });
    expect(events).toEqual(expected);
  });

  test.each([1, 7, 1_000])('has the same ones in batches of %i', async (size) => {
    const whole = await run({ choices: ALL, count: 2_000, size: 2_000 });
    const cut = await run({ choices: ALL, count: 2_000, size });
    expect(cut.events).toEqual(whole.events);
    expect(cut.labels.map(({ at: _at, ...label }) => label)).toEqual(
      whole.labels.map(({ at: _at, ...label }) => label),
    );
  });

  test('goes on with the numbers of an earlier run', async () => {
    const whole = await run({ choices: ALL, count: 300 });
    const output = memoryOutput();
    const rest = partsOf({ inputs: [listInput(times(300).slice(100))], outputs: [output] });
    setTo(rest.parts.stats, 'produced_before', 100);
    const imperfections = {
      choices: ALL,
      key: drawKey(seededRandom('a seed')),
      skew: null,
      output: '1-memory',
      truth: null,
    };
    const destinations = rest.parts.destinations.map((one) => ({ ...one, imperfections }));
    await lastValueFrom(pipeline({ ...rest.parts, destinations }).flow, { defaultValue: 0 });
    expect(whole.events.slice(-output.events.length)).toEqual(output.events);
    expect(output.events.length).toBeGreaterThan(150);
  });

  test('has others with another seed', async () => {
    const first = await run({ choices: ALL, count: 100 });
    const second = await run({ choices: ALL, count: 100, seed: 'another' });
    expect(second.events).not.toEqual(first.events);
  });

  test('keeps undelivered events whole in the dead letters, doubles twice', async () => {
    const letters: string[] = [];
    const { log } = partsOf({ inputs: [], outputs: [] }).parts;
    const failing: Output = {
      ...memoryOutput(),
      write: async () => E.left(failure('rejected', 'no')),
    };
    const output = memoryOutput();
    const { parts } = partsOf({ inputs: [listInput(times(200))], outputs: [failing] });
    const destinations = parts.destinations.map((one) => ({
      ...one,
      log,
      deadLetters: {
        put: async (events: readonly string[]) => {
          letters.push(...events);
          return E.right(undefined);
        },
      },
      imperfections: {
        choices: ALL,
        key: drawKey(seededRandom('a seed')),
        skew: null,
        output: '1',
        truth: output,
      },
    }));
    await lastValueFrom(pipeline({ ...parts, destinations }).flow, { defaultValue: 0 });
    const labels = output.events.map((line) => JSON.parse(line) as Label);
    const expected = times(200).flatMap((time, index) => {
      const what = labels.find(({ event }) => event === index + 1)?.what;
      if (what === 'dropped') return [];
      return what === 'doubled' ? [String(time), String(time)] : [String(time)];
    });
    expect(letters).toEqual(expected);
    isConserved(parts.stats);
  });

  test.each([1, 7, 1_000])('moves events out of order within the window, in batches of %i', async (size) => {
    const choices = { ...NONE, out_of_order: { share: 0.1, window: 5 } };
    const whole = await run({ choices, count: 5_000, size: 5_000 });
    const { events, labels, stats } = await run({ choices, count: 5_000, size });
    expect(events).toEqual(whole.events);
    expect([...events].sort()).toEqual(times(5_000).map(String));
    // Four standard deviations.
    expect(Math.abs(labels.length - 500)).toBeLessThan(85);
    expect(readOutputStat(stats, 0, 'imperfect_out_of_order')).toBe(labels.length);
    const places = new Map(labels.map(({ event, places }) => [event - 1, places as number]));
    expect(new Set(places.values())).toEqual(new Set([1, 2, 3, 4, 5]));
    for (const [ordinal, most] of places) {
      const at = events.indexOf(String(100_000 + ordinal));
      // Behind the events up to this number, and before the next one that keeps its place.
      const laterBefore = events.slice(0, at).filter((text) => Number(text) - 100_000 > ordinal);
      expect(Math.max(...laterBefore.map(Number), 0) - 100_000).toBeLessThanOrEqual(ordinal + most);
      expect(at).toBeLessThanOrEqual(ordinal + most);
    }
    const kept = events.map((text) => Number(text) - 100_000).filter((ordinal) => !places.has(ordinal));
    expect(kept).toEqual([...kept].sort((a, b) => a - b));
    isConserved(stats);
    expect(readStat(stats, 'low_water')).toBe(readStat(stats, 'sequence'));
  });

  test.each([1, 7, 1_000])('delivers events late by their times, in batches of %i', async (size) => {
    // An event each microsecond: a delay of 200 events in the mean.
    const late = { share: 0.2, distribution: 'exponential', mean: 200e-6, deviation: 1, max: 1 } as const;
    const choices = { ...NONE, late, dropped: 0.1 };
    const whole = await run({ choices, count: 5_000, size: 5_000 });
    const { events, labels, stats } = await run({ choices, count: 5_000, size });
    expect(events).toEqual(whole.events);
    const seconds = new Map(
      labels.filter(({ what }) => what === 'late').map((label) => [label.event - 1, label.seconds as number]),
    );
    const dropped = labels.filter(({ what }) => what === 'dropped').length;
    expect(new Set(events).size).toBe(5_000 - dropped);
    expect(events).toHaveLength(5_000 - dropped);
    const mean = [...seconds.values()].reduce((sum, one) => sum + one, 0) / seconds.size;
    // Four standard deviations of the mean of about 900 draws.
    expect(Math.abs(mean - 200e-6)).toBeLessThan(27e-6);
    const numbers = events.map((text) => Number(text) - 100_000);
    for (const [ordinal, delay] of seconds) {
      const due = ordinal + delay * 1e6;
      const next = numbers.slice(numbers.indexOf(ordinal) + 1).find((other) => !seconds.has(other));
      expect(next ?? Number.POSITIVE_INFINITY).toBeGreaterThan(due);
    }
    isConserved(stats);
    expect(readStat(stats, 'low_water')).toBe(readStat(stats, 'sequence'));
  });

  test.each([1, 7, 1_000])('loses the events of silences, in batches of %i', async (size) => {
    // An event each microsecond: silences of 100 events in 1,000.
    const choices: ImperfectionChoices = { ...ALL, silent: { every: 1e-3, for: 1e-4, events: 'lost' } };
    const whole = await run({ choices, count: 10_000, size: 10_000 });
    const { events, labels, stats } = await run({ choices, count: 10_000, size });
    expect(events).toEqual(whole.events);
    const silenced = labels.filter(({ what }) => what === 'silenced');
    expect(silenced).toHaveLength(1_000);
    expect(readOutputStat(stats, 0, 'imperfect_silenced')).toBe(1_000);
    const gone = new Set(silenced.map(({ event }) => String(100_000 + event - 1)));
    expect(events.filter((text) => gone.has(text))).toEqual([]);
    // Nothing else happens to them.
    const others = labels.filter(({ what }) => what !== 'silenced').map(({ event }) => event);
    expect(others.filter((event) => silenced.some((one) => one.event === event))).toEqual([]);
    expect(new Set(silenced.map(({ from }) => from)).size).toBe(10);
    isConserved(stats);
  });

  test.each([1, 7, 1_000])('delivers the events of silences after them, in batches of %i', async (size) => {
    const choices: ImperfectionChoices = {
      ...NONE,
      late: { share: 0.1, distribution: 'uniform', mean: 50e-6, deviation: 1, max: 1 },
      out_of_order: { share: 0.1, window: 20 },
      silent: { every: 1e-3, for: 1e-4, events: 'delivered' },
    };
    const whole = await run({ choices, count: 10_000, size: 10_000 });
    const { events, labels, stats } = await run({ choices, count: 10_000, size });
    expect(events).toEqual(whole.events);
    expect([...events].sort()).toEqual(times(10_000).map(String));
    const buffered = labels.filter(({ what }) => what === 'buffered');
    expect(buffered).toHaveLength(1_000);
    expect(readOutputStat(stats, 0, 'imperfect_buffered')).toBe(1_000);
    // Each silence is a gap: what comes next are its events, and what became due in it.
    const silent = new Set(buffered.map(({ event }) => String(100_000 + event - 1)));
    const spans = new Map(buffered.map(({ from, until }) => [from, until]));
    expect(spans.size).toBe(10);
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

  test.each([1, 7, 1_000])('skews the clock of a share of the events, in batches of %i', async (size) => {
    const choices: ImperfectionChoices = { ...ALL, skewed: 0.3 };
    const whole = await run({ choices, skew: inTens, size: 10_000 });
    const { events, labels, stats } = await run({ choices, skew: inTens, size });
    expect(events).toEqual(whole.events);
    const skewed = labels.filter(({ what }) => what === 'skewed');
    // Of the events that are not dropped; four standard deviations.
    expect(Math.abs(skewed.length - 0.3 * 9_000)).toBeLessThan(180);
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

  test('delivers nothing that it cannot label', async () => {
    const truth: Output = { ...memoryOutput(), write: async () => E.left(failure('unwritable', 'full')) };
    const { events, stats } = await run({ choices: { ...NONE, doubled: 1 }, count: 20, truth });
    expect(events).toEqual([]);
    expect(readOutputStat(stats, 0, 'write_failed')).toBe(20);
    isConserved(stats);
  });
});
