import { describe, expect, test } from '@jest/globals';
import { quantile, recordDuration } from '../../../src/domain/stats/histogram.js';
import {
  addGenerated,
  addTo,
  addToOutput,
  addToTemplate,
  closedStats,
  GENERATOR_SLOTS,
  makeStats,
  moveStats,
  OUTPUT_SLOTS,
  readGenerated,
  readOutputStat,
  readStat,
  readTemplateStat,
  setTo,
  statsOver,
} from '../../../src/domain/stats/stats.js';

const names = <K extends string>(slots: Readonly<Record<K, number>>): readonly K[] =>
  Object.keys(slots) as K[];

describe('counters of a generator', () => {
  test('begin at 0', () => {
    const stats = makeStats(2, 2);
    expect(stats.slots.every((value) => value === 0)).toBe(true);
  });

  test('each has its own slot, histograms too', () => {
    const stats = makeStats(3, 2, 3);
    let n = 0;
    const read: (() => number)[] = [];
    for (const name of names(GENERATOR_SLOTS)) {
      addTo(stats, name, ++n);
      read.push(() => readStat(stats, name));
    }
    for (let input = 0; input < 3; input++) {
      addGenerated(stats, input, ++n);
      read.push(() => readGenerated(stats, input));
    }
    for (let output = 0; output < 2; output++) {
      for (const name of names(OUTPUT_SLOTS)) {
        addToOutput(stats, output, name, ++n);
        read.push(() => readOutputStat(stats, output, name));
      }
    }
    for (let template = 0; template < 3; template++) {
      addToTemplate(stats, template, ++n);
      read.push(() => readTemplateStat(stats, template));
    }
    for (const histogram of [stats.lateness, stats.deliveryLag]) {
      recordDuration(histogram, 0, 1_000);
      recordDuration(histogram, 2 ** 40, 1_000);
    }
    expect(read.map((value) => value())).toEqual(read.map((_, index) => index + 1));
    expect(stats.slots.filter((value) => value === 1_000)).toHaveLength(4);
  });

  test('another thread sees what is counted, by the same buffer', () => {
    const stats = makeStats(1, 1);
    const elsewhere = statsOver(stats.buffer, 1, 1);
    addGenerated(elsewhere, 0, 5);
    addToOutput(elsewhere, 0, 'bytes', 2 ** 40);
    setTo(elsewhere, 'low_water', 9);
    recordDuration(elsewhere.deliveryLag, 7, 1);
    expect([
      readGenerated(stats, 0),
      readOutputStat(stats, 0, 'bytes'),
      readStat(stats, 'low_water'),
    ]).toEqual([5, 2 ** 40, 9]);
    expect([quantile(stats.deliveryLag, 1), quantile(stats.lateness, 1)]).toEqual([7, 0]);
  });

  test('copies made on purpose are owed, and events dropped on purpose are not', () => {
    const stats = makeStats(1, 1);
    addTo(stats, 'produced', 100);
    addTo(stats, 'accepted', 100);
    addToOutput(stats, 0, 'imperfect_doubled', 20);
    addToOutput(stats, 0, 'imperfect_dropped', 10);
    addToOutput(stats, 0, 'written', 90);
    expect(readOutputStat(closedStats(stats), 0, 'abandoned')).toBe(20);
    // A patch removes the output: what is in flight goes on being counted.
    moveStats(stats, makeStats(1, 1), { inputs: [true], outputs: [false], templates: [] });
    expect(readStat(stats, 'owed_before')).toBe(20);
  });

  test('a template keeps its events in a patch that moves it, and a removed one loses them', () => {
    const stats = makeStats(1, 1, 3);
    for (const [template, produced] of [5, 7, 9].entries()) addToTemplate(stats, template, produced);
    moveStats(stats, makeStats(1, 1, 3), { inputs: [true], outputs: [true], templates: [2, -1, 0] });
    expect([0, 1, 2].map((template) => readTemplateStat(stats, template))).toEqual([9, 0, 5]);
  });

  test('events of templates that are not counted touch nothing', () => {
    const stats = makeStats(1, 1);
    addToTemplate(stats, 0, 5);
    expect(stats.slots.every((value) => value === 0)).toBe(true);
  });
});
