import { expect, test } from '@jest/globals';
import { type BoardRow, makeBoard } from '../../../src/domain/stats/board.js';
import { NO_HEALTH } from '../../../src/domain/stats/health.js';
import {
  addGenerated,
  addTo,
  addToOutput,
  addToTemplate,
  makeStats,
  readGenerated,
  readOutputStat,
  readStat,
  readTemplateStat,
  type Stats,
} from '../../../src/domain/stats/stats.js';

const row = (more: Partial<BoardRow>): BoardRow => ({
  phase: 'idle',
  isUp: false,
  reason: null,
  error_code: null,
  plugins: null,
  stats: null,
  startedAt: null,
  isLive: true,
  health: NO_HEALTH,
  ...more,
});

test('only visible state is a change; counters are those of the last row', () => {
  const board = makeBoard();
  let told = 0;
  const stop = board.watch(() => {
    told++;
  });
  const stats = makeStats(1, 1);
  board.noteGenerator('g', row({}));
  board.noteGenerator('g', row({}));
  board.noteGenerator('g', row({ stats }));
  expect([told, board.changes.last()]).toEqual([1, 1]);
  expect(board.rows().get('g')?.stats).toBe(stats);
  board.noteGenerator('g', row({ phase: 'failed', reason: 'no disk', error_code: 'unwritable' }));
  expect(board.changes.since(1, 10)).toEqual([
    {
      number: 2,
      key: 'generator g',
      value: {
        kind: 'generator',
        id: 'g',
        state: { phase: 'failed', is_up: false, reason: 'no disk', error_code: 'unwritable', ...NO_HEALTH },
      },
    },
  ]);
  stop();
  expect(board.isWatched()).toBe(false);
  board.noteGenerator('g', null);
  board.noteGenerator('g', null);
  expect([told, board.changes.last(), board.rows().size]).toEqual([2, 3, 0]);
});

test('starts after a failure are counted until the generator is removed', () => {
  const board = makeBoard();
  for (const phase of ['loading', 'backing_off', 'loading', 'running', 'backing_off', 'loading'] as const) {
    board.noteGenerator('g', row({ phase }));
  }
  expect(board.restartsOf('g')).toBe(2);
  board.noteGenerator('g', null);
  expect(board.restartsOf('g')).toBe(0);
});

test('a generator and a scenario of the same name are told apart', () => {
  const board = makeBoard();
  board.noteGenerator('shop', row({}));
  board.noteScenario('shop', '"v1"');
  board.noteScenario('shop', '"v2"');
  expect(board.changes.present(0, board.changes.last(), 10).map(({ value }) => value?.kind)).toEqual([
    'generator',
    'scenario',
  ]);
});

test('partitions are one row: the worst phase, summed counters, the restarts of all', () => {
  const board = makeBoard();
  const counted = (produced: number): Stats => {
    const stats = makeStats(1, 2, 2);
    addTo(stats, 'produced', produced);
    addTo(stats, 'max_lateness_micros', produced);
    addGenerated(stats, 0, produced);
    addToOutput(stats, 1, 'bytes', produced);
    addToTemplate(stats, 1, produced);
    stats.lateness[3] = produced;
    return stats;
  };
  expect(board.partsOf('g')).toEqual([]);
  board.noteGenerator('g~1', row({ phase: 'running', isUp: true, stats: counted(7), startedAt: 20 }));
  board.noteGenerator('g~0', row({ phase: 'running', isUp: true, stats: counted(5), startedAt: 10 }));
  expect(board.partsOf('g')).toEqual(['g~0', 'g~1']);
  expect([...board.rows().keys()]).toEqual(['g']);
  const merged = board.rows().get('g');
  expect(merged).toMatchObject({ phase: 'running', isUp: true, startedAt: 10 });
  const stats = merged?.stats as Stats;
  expect([
    readStat(stats, 'produced'),
    readStat(stats, 'max_lateness_micros'),
    readGenerated(stats, 0),
    readOutputStat(stats, 1, 'bytes'),
    readTemplateStat(stats, 1),
    stats.lateness[3],
  ]).toEqual([12, 7, 12, 12, 12, 12]);

  for (const index of [0, 1]) {
    board.noteGenerator(
      `g~${index}`,
      row({ phase: 'backing_off', reason: 'away', error_code: 'output_failed' }),
    );
    board.noteGenerator(`g~${index}`, row({ phase: 'loading' }));
  }
  expect(board.restartsOf('g')).toBe(2);
  board.noteGenerator('g~1', row({ phase: 'failed', reason: 'no disk', error_code: 'unwritable' }));
  expect(board.rows().get('g')).toMatchObject({
    phase: 'failed',
    isUp: false,
    reason: 'partition 1: no disk',
  });
  board.noteGenerator('g~1', null);
  expect(board.rows().get('g')?.phase).toBe('loading');
  board.noteGenerator('g~0', null);
  expect([board.rows().size, board.partsOf('g'), board.restartsOf('g')]).toEqual([0, [], 0]);
});
