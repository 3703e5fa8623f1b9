import { describe, expect, test } from '@jest/globals';
import { HISTORY, noRates, noteProduced, noteQuiet, stepRates } from '../../../src/ui/api/rates.js';

const S = 1_000;

describe('the rate of a generator', () => {
  test('is what it produced between two looks, by the clock of its service', () => {
    const of = noRates();
    noteProduced(of, 100, 10 * S, 0);
    noteProduced(of, 150, 11 * S, 1_200);
    noteProduced(of, 250, 13 * S, 2_900);
    expect(of.rates).toEqual([50, 50]);
  });

  test('is that of the generator alone, whenever other nodes report', () => {
    const [a, b] = [noRates(), noRates()];
    for (let second = 0; second < 4; second++) {
      noteProduced(a, 10 * second, second * S, second * S);
      // The clock of the other node is an hour ahead.
      noteProduced(b, 5 * second, second * S + 3_600 * S, second * S + 400);
    }
    expect([a.rates, b.rates]).toEqual([
      [10, 10, 10],
      [5, 5, 5],
    ]);
  });

  test('is zero in seconds without news', () => {
    const of = noRates();
    noteProduced(of, 0, 0, 0);
    noteProduced(of, 7, S, S);
    expect(noteQuiet(of, 2_400)).toBe(false);
    expect(noteQuiet(of, 4_600)).toBe(true);
    noteProduced(of, 8, 5 * S, 5 * S);
    expect(of.rates).toEqual([7, 0, 0, 0, 1]);
  });

  test('is not below zero after a restart', () => {
    const of = noRates();
    noteProduced(of, 1, 0, 0);
    noteProduced(of, 9, S, S);
    noteProduced(of, 2, 2 * S, 2 * S);
    expect(of.rates).toEqual([8, 0]);
  });

  test('has no history while nothing is produced, and a short one then', () => {
    const of = noRates();
    noteProduced(of, 5, 0, 0);
    expect(noteQuiet(of, 60 * S)).toBe(false);
    expect(of.rates).toEqual([]);
    for (let second = 60; second < 500; second++) noteProduced(of, second, second * S, second * S);
    expect(of.rates).toHaveLength(HISTORY);
  });
});

describe('the rates of a series', () => {
  test('a rate is what was made in the known part of a step, and a gap where nothing is known', () => {
    expect(stepRates({ seconds: [0, 1, 10, 5], produced: [null, 3, 40, 20] })).toEqual([null, 3, 4, 4]);
  });

  test('a run of an instant is no flood: its events are those of a second', () => {
    expect(stepRates({ seconds: [0.02, 0, 1], produced: [50, null, 1] })).toEqual([50, null, 1]);
  });

  test('the second that is not over makes no dip: it counts by what is known of it, or not yet', () => {
    expect(stepRates({ seconds: [1, 0.4], produced: [10, 4] })).toEqual([10, 10]);
    expect(stepRates({ seconds: [1, 0.1], produced: [10, 0] })).toEqual([10]);
    expect(stepRates({ seconds: [], produced: [] })).toEqual([]);
  });
});
