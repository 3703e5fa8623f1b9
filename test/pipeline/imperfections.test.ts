import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { lastValueFrom } from 'rxjs';
import { failure } from '../../src/domain/errors.js';
import { drawKey, seededRandom } from '../../src/domain/random.js';
import { readOutputStat, readStat, setTo } from '../../src/domain/stats/stats.js';
import type { Label } from '../../src/imperfections/label.js';
import { pipeline } from '../../src/pipeline/pipeline.js';
import type { Output } from '../../src/plugins/kit.js';
import { ALL, isConserved, NONE, run, times } from '../support/pipelines/imperfect.js';
import { listInput, memoryOutput, partsOf } from '../support/pipelines/pipelineParts.js';

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
    const whole = await run({ choices, count: 3_000, size: 3_000 });
    const { events, labels, stats } = await run({ choices, count: 3_000, size });
    expect(events).toEqual(whole.events);
    expect([...events].sort()).toEqual(times(3_000).map(String));
    // Four standard deviations.
    expect(Math.abs(labels.length - 300)).toBeLessThan(66);
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
    const whole = await run({ choices, count: 3_000, size: 3_000 });
    const { events, labels, stats } = await run({ choices, count: 3_000, size });
    expect(events).toEqual(whole.events);
    const seconds = new Map(
      labels.filter(({ what }) => what === 'late').map((label) => [label.event - 1, label.seconds as number]),
    );
    const dropped = labels.filter(({ what }) => what === 'dropped').length;
    expect(new Set(events).size).toBe(3_000 - dropped);
    expect(events).toHaveLength(3_000 - dropped);
    const mean = [...seconds.values()].reduce((sum, one) => sum + one, 0) / seconds.size;
    // Four standard deviations of the mean of about 540 draws.
    expect(Math.abs(mean - 200e-6)).toBeLessThan(34e-6);
    const numbers = events.map((text) => Number(text) - 100_000);
    for (const [ordinal, delay] of seconds) {
      const due = ordinal + delay * 1e6;
      const next = numbers.slice(numbers.indexOf(ordinal) + 1).find((other) => !seconds.has(other));
      expect(next ?? Number.POSITIVE_INFINITY).toBeGreaterThan(due);
    }
    isConserved(stats);
    expect(readStat(stats, 'low_water')).toBe(readStat(stats, 'sequence'));
  });

  test('delivers nothing that it cannot label', async () => {
    const truth: Output = { ...memoryOutput(), write: async () => E.left(failure('unwritable', 'full')) };
    const { events, stats } = await run({ choices: { ...NONE, doubled: 1 }, count: 20, truth });
    expect(events).toEqual([]);
    expect(readOutputStat(stats, 0, 'write_failed')).toBe(20);
    isConserved(stats);
  });
});
