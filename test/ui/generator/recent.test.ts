import { describe, expect, test } from '@jest/globals';
import { appended, type RecentHistory, rateOf } from '../../../src/ui/pages/generator/recent.js';
import { at, historyOf, output, stats } from './support.js';

const produced = (history: RecentHistory): number => rateOf(history, ({ event }) => event.produced);

describe('the history of a run', () => {
  test('grows by a look, and keeps the last minute', () => {
    let history: RecentHistory = [];
    for (let second = 0; second < 100; second++)
      history = appended(history, at(second, stats({ produced: second })));
    expect(history).toHaveLength(61);
    expect(history.at(-1)?.at_ms).toBe(99_000);
  });

  test('begins anew with a restart', () => {
    const former = historyOf(stats({ produced: 7 }), stats({ produced: 9 }));
    const next = at(2, stats({ produced: 9, start_time: '2026-01-01T00:01:00Z' }));
    expect(appended(former, next)).toEqual([next]);
  });

  test('begins anew when counters fall, or when the outputs change', () => {
    const former = historyOf(stats({ produced: 7 }));
    const fallen = at(1, stats({ produced: 3 }));
    const exchanged = at(1, stats({ produced: 8, output: [output(), output({ plugin_id: 2 })] }));
    expect(appended(former, fallen)).toEqual([fallen]);
    expect(appended(former, exchanged)).toEqual([exchanged]);
    const { input } = stats();
    const counted = (generated: number) => input.map((one) => ({ ...one, generated }));
    const patched = at(1, { ...stats({ produced: 8 }), input: counted(0) });
    expect(appended([at(0, { ...stats({ produced: 7 }), input: counted(7) })], patched)).toEqual([patched]);
  });
});

describe('a rate', () => {
  test('is 0 without two looks', () => {
    expect(produced([])).toBe(0);
    expect(produced(historyOf(stats({ produced: 500 })))).toBe(0);
  });

  test('is that of the last five seconds', () => {
    const counts = [0, 1_000, 1_000, 1_010, 1_020, 1_030, 1_040, 1_050];
    expect(produced(historyOf(...counts.map((count) => stats({ produced: count }))))).toBe(10);
  });

  test('counts what is missing as 0', () => {
    const history = historyOf(stats(), stats());
    expect(rateOf(history, ({ output: outputs }) => outputs[5]?.written)).toBe(0);
  });
});
