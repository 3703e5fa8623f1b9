import { describe, expect, test } from '@jest/globals';
import { makeHistory } from '../../../actors/generators/report.js';
import type { LifeStatus } from '../../../src/messages/generators.js';

const status = (
  phase: LifeStatus['phase'],
  { is_running = false, reason = null as string | null } = {},
): LifeStatus => ({
  phase,
  is_running,
  reason,
  error_code: reason === null ? null : 'output_failed',
  is_initializing: false,
  is_ended_up: false,
  is_ended_up_successfully: false,
  is_stopping: false,
  restarts: 0,
});

const SECOND = 1_000_000;
const UP = { is_running: true };
const AWAY = { reason: 'nothing listens there. Start it.' };

const noted = (...states: readonly LifeStatus[]) => {
  const history = makeHistory();
  for (const [n, each] of states.entries()) history.note(each, n * SECOND);
  return history.turns();
};

describe('the history of a generator', () => {
  test('has starts, ends and failures with time and reason, newest first', () => {
    const turns = noted(
      status('idle'),
      status('loading'),
      status('running'),
      status('running', UP),
      status('draining', UP),
      status('stopped'),
      status('loading'),
      status('failed', AWAY),
    );
    expect(turns).toEqual([
      {
        at: '1970-01-01T00:00:07Z',
        first_at: '1970-01-01T00:00:07Z',
        count: 1,
        phase: 'failed',
        reason: AWAY.reason,
        error_code: 'output_failed',
      },
      expect.objectContaining({ at: '1970-01-01T00:00:05Z', phase: 'stopped', reason: null }),
      expect.objectContaining({ at: '1970-01-01T00:00:03Z', phase: 'running', reason: null }),
    ]);
  });

  test('counts the same failure in a row, and begins again after a start', () => {
    const fails = [status('loading'), status('running'), status('backing_off', AWAY)];
    const turns = noted(...fails, ...fails, ...fails, status('running', UP), status('backing_off', AWAY));
    expect(turns.map(({ phase, count, first_at, at }) => [phase, count, first_at, at])).toEqual([
      ['backing_off', 1, '1970-01-01T00:00:10Z', '1970-01-01T00:00:10Z'],
      ['running', 1, '1970-01-01T00:00:09Z', '1970-01-01T00:00:09Z'],
      ['backing_off', 3, '1970-01-01T00:00:02Z', '1970-01-01T00:00:08Z'],
    ]);
  });

  test('holds the last fifty', () => {
    const states = Array.from({ length: 200 }, (_, n) => status(n % 2 === 0 ? 'finished' : 'stopped'));
    const turns = noted(...states);
    expect(turns).toHaveLength(50);
    expect(turns[0]).toMatchObject({ phase: 'stopped', at: '1970-01-01T00:03:19Z' });
  });
});
