import { expect, test } from '@jest/globals';
import { type BoardRow, makeBoard } from '../../../src/domain/stats/board.js';
import { makeStats } from '../../../src/domain/stats/stats.js';

const row = (more: Partial<BoardRow>): BoardRow => ({
  phase: 'idle',
  isUp: false,
  reason: null,
  error_code: null,
  plugins: null,
  stats: null,
  startedAt: null,
  isLive: true,
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
        state: { phase: 'failed', is_up: false, reason: 'no disk', error_code: 'unwritable' },
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
