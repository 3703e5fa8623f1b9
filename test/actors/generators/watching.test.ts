import { expect, test } from '@jest/globals';
import { makeBoard } from '../../../src/domain/stats/board.js';
import { NO_HEALTH } from '../../../src/domain/stats/health.js';
import { addTo } from '../../../src/domain/stats/stats.js';
import { settle } from '../../support/pipelines/scriptedHost.js';
import { BAD, CRASH } from './generatorParts.js';
import { makeSupervisor } from './supervisorParts.js';

const setUp = () => {
  const board = makeBoard();
  return {
    board,
    ...makeSupervisor({
      watch: (id, row) => board.noteGenerator(id, row === null ? null : { ...row, health: NO_HEALTH }),
    }),
  };
};

test('the board has every generator from its registration to its removal', async () => {
  const { board, add, send, host } = setUp();
  add('g');
  expect(board.rows().get('g')).toMatchObject({ phase: 'idle', isUp: false, stats: null, plugins: null });
  send('generators.start', { id: 'g' });
  await settle();
  expect(board.rows().get('g')).toMatchObject({ phase: 'running', isUp: false });
  host.last().tell({ type: 'running' });
  const row = board.rows().get('g');
  expect(row).toMatchObject({ phase: 'running', isUp: true, plugins: { event: 'replay' } });
  expect(row?.stats).toBe(host.last().order.stats);
  host.last().tell({ type: 'completed' });
  expect(board.rows().get('g')).toMatchObject({ phase: 'finished', isUp: true });
  send('generators.delete', { id: 'g' });
  await settle();
  expect(board.rows().size).toBe(0);
});

test('a failure is there with its reason, and the restart is counted', async () => {
  const { board, add, send, host } = setUp();
  add('g');
  send('generators.start', { id: 'g' });
  await settle();
  host.last().tell({ type: 'running' });
  host.last().tell({ type: 'failed', error: CRASH, isDisplaced: false });
  expect(board.rows().get('g')).toMatchObject({
    phase: 'backing_off',
    isUp: false,
    error_code: 'host_crashed',
  });
  send('generators.start', { id: 'g' });
  await settle();
  host.last().tell({ type: 'running' });
  expect([board.rows().get('g')?.phase, board.rows().get('g')?.reason]).toEqual(['running', null]);
  expect(board.restartsOf('g')).toBe(1);
  host.last().tell({ type: 'failed', error: BAD, isDisplaced: false });
  expect(board.rows().get('g')).toMatchObject({ phase: 'failed', reason: BAD.message });
});

test('each start has counters of its own', async () => {
  const { board, add, send, host } = setUp();
  add('g');
  for (let run = 0; run < 2; run++) {
    send('generators.start', { id: 'g' });
    await settle();
    host.last().tell({ type: 'running' });
    addTo(host.last().order.stats, 'produced', 1);
    expect(board.rows().get('g')?.stats?.slots).toBe(host.last().order.stats.slots);
    host.last().tell({ type: 'drained' });
  }
  expect(host.runs[0]?.order.stats).not.toBe(host.runs[1]?.order.stats);
});
