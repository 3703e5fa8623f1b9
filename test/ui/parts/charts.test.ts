import { describe, expect, test } from '@jest/globals';
import { fileMarks, patchMarks, phaseMarks } from '../../../src/ui/parts/charts/marks.js';
import { alignedRates, lastOf, placed, remainder, stackedSteps } from '../../../src/ui/parts/charts/steps.js';

const series = (from: string, produced: readonly (number | null)[]) => ({
  from,
  step: 2,
  seconds: produced.map((count) => (count === null ? 0 : 2)),
  produced,
});

describe('series on one time', () => {
  test('are aligned by their times, also those that begin later or are not there', () => {
    const { end_ms, step, lists } = alignedRates([
      series('2026-01-01T00:00:00Z', [2, 4, null]),
      null,
      series('2026-01-01T00:00:02Z', [10, null, 20]),
    ]);
    expect(lists).toEqual([
      [1, 2, null, null],
      [null, null, null, null],
      [null, 5, null, 10],
    ]);
    expect([end_ms, step]).toEqual([Date.parse('2026-01-01T00:00:08Z'), 2]);
    expect(alignedRates([null])).toEqual({ end_ms: 0, step: 1, lists: [[]] });
  });

  test('end where the service ended them, though the last moment says nothing yet', () => {
    const begun = { ...series('2026-01-01T00:00:00Z', [2, 4]), seconds: [2, 0.1] };
    const { end_ms, lists } = alignedRates([begun]);
    expect([end_ms, lists]).toEqual([Date.parse('2026-01-01T00:00:04Z'), [[1, null]]]);
    expect(lastOf(lists[0] ?? [])).toBe(1);
    expect(lastOf([])).toBe(null);
  });

  test('are put on top of each other; a step of which nothing is known is a gap', () => {
    expect(
      stackedSteps([
        [1, 2, null, null],
        [5, null, null, 3],
      ]),
    ).toEqual([
      [1, 2, null, 0],
      [6, 2, null, 3],
    ]);
    expect(stackedSteps([])).toEqual([]);
  });

  test('leave what is not theirs of the whole, and never less than nothing', () => {
    expect(
      remainder(
        [10, 4, null, 2],
        [
          [3, 5, 1, null],
          [2, null, 1, null],
        ],
      ),
    ).toEqual([5, 0, null, 2]);
  });
});

test('who stays keeps its place and color; those who come take what is free', () => {
  expect(placed([], ['a', 'b'])).toEqual(['a', 'b']);
  expect(placed(['a', 'b', 'c'], ['d', 'c', 'b'])).toEqual(['d', 'b', 'c']);
  expect(placed(['a', 'b', 'c'], ['c'])).toEqual([null, null, 'c']);
  expect(placed([null, null, 'c'], ['x', 'c', 'y', 'z'])).toEqual(['x', 'y', 'c', 'z']);
});

describe('marks of a chart', () => {
  test('name the globals that a change has set', () => {
    const patch = (at: string, ...keys: string[]) => ({
      number: 1,
      at,
      user: 'ana',
      kind: 'patch' as const,
      keys: keys.map((key) => ({ key, old: null, new: null })),
      more_keys: 2,
    });
    expect(
      patchMarks([patch('2026-01-01T00:00:01Z', 'a', 'b', 'c', 'd'), patch('no time', 'e')], 'red'),
    ).toEqual([
      { at_ms: Date.parse('2026-01-01T00:00:01Z'), color: 'red', text: 'a, b, c and 3 more changed' },
      { at_ms: Number.NaN, color: 'red', text: 'e and 2 more changed' },
    ]);
  });

  test('are at changes of files', () => {
    const version = { version: '1', path: 'a.jinja', at: '2026-01-01T00:00:01Z', size_bytes: 1, user: null };
    expect(
      fileMarks(
        [
          { ...version, what: 'replaced' },
          { ...version, what: 'deleted' },
        ],
        'blue',
      ).map(({ text }) => text),
    ).toEqual(['a.jinja changed', 'a.jinja deleted']);
  });

  test('are where the phases of an incident began, and none for those to come', () => {
    const moment = (phase: string, from: number, to: number) => ({
      ...{ phase, from, to, number: 1, of: 1, effects: [], expected: null },
    });
    const details = {
      ...{ name: 'theft', members: [], position: 70 },
      run: { seed: '7', started_at: '1970-01-01T00:00:30Z', round: 1, rounds: 1 },
      timeline: [moment('enter', 0, 60), moment('stay', 60, 90), moment('leave', 90, 100)],
    };
    expect(phaseMarks({ at_ms: 100_000, details }, 'pink')).toEqual([
      { at_ms: 30_000, color: 'pink', text: 'theft: enter begins' },
      { at_ms: 90_000, color: 'pink', text: 'theft: stay begins' },
    ]);
    // After a jump, what would have been before the start has not been.
    const jumped = { ...details, run: { ...details.run, started_at: '1970-01-01T00:01:20Z' } };
    expect(phaseMarks({ at_ms: 100_000, details: jumped }, 'pink').map(({ at_ms }) => at_ms)).toEqual([
      90_000,
    ]);
    expect(phaseMarks({ at_ms: 0, details: { ...details, position: null } }, 'pink')).toEqual([]);
  });
});
