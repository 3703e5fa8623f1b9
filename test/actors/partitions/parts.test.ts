import { describe, expect, test } from '@jest/globals';
import {
  mergeDeadLetters,
  mergeItems,
  mergePurged,
  mergeResent,
  mergeRunning,
  mergeStats,
  mergeStatus,
  mergeTurns,
  startable,
} from '../../../actors/partitions/parts.js';
import type { GeneratorPhase } from '../../../src/domain/generator.js';
import { NO_HEALTH } from '../../../src/domain/stats/health.js';
import type { GeneratorListItem, GeneratorStats, GeneratorStatus } from '../../../src/messages/generators.js';

const ENDED: readonly GeneratorPhase[] = ['finished', 'stopped', 'failed'];

const status = (phase: GeneratorPhase, reason: string | null = null): GeneratorStatus => ({
  is_initializing: phase === 'loading' || phase === 'backing_off',
  is_running: phase === 'running' || phase === 'draining',
  is_ended_up: ENDED.includes(phase),
  is_ended_up_successfully: phase === 'finished' || phase === 'stopped',
  is_stopping: phase === 'draining',
  phase,
  reason,
  error_code: reason === null ? null : 'output_failed',
  restarts: 1,
  ...NO_HEALTH,
});

const parts = (...phases: readonly GeneratorPhase[]) =>
  phases.map((phase, index) => ({ index, value: status(phase) }));

describe('the status of partitions', () => {
  test.each<[readonly GeneratorPhase[], GeneratorPhase]>([
    [['running', 'running'], 'running'],
    [['running', 'failed'], 'failed'],
    [['backing_off', 'running'], 'backing_off'],
    [['running', 'draining'], 'draining'],
    [['loading', 'running'], 'loading'],
    [['finished', 'running'], 'running'],
    [['finished', 'stopped'], 'stopped'],
    [['finished', 'idle'], 'idle'],
    [['finished', 'finished'], 'finished'],
  ])('%j is %s', (phases, phase) => {
    expect(mergeStatus(parts(...phases)).phase).toBe(phase);
  });

  test('names the partition of the reason, unless all have the same', () => {
    const down = { index: 1, value: status('failed', 'no space left') };
    expect(mergeStatus([...parts('running'), down])).toEqual({
      is_initializing: false,
      is_running: true,
      is_ended_up: false,
      is_ended_up_successfully: false,
      is_stopping: false,
      phase: 'failed',
      reason: 'partition 1: no space left',
      error_code: 'output_failed',
      restarts: 2,
      ...NO_HEALTH,
    });
    expect(mergeStatus([{ ...down, index: 0 }, down])).toMatchObject({
      is_running: false,
      is_ended_up: true,
      reason: 'no space left',
    });
  });
});

const stats = (
  id: string,
  produced: number,
  buckets: readonly (readonly [number, number])[],
): GeneratorStats => {
  const durations = { p50: 0, p99: 0, buckets: buckets.map(([le_ms, count]) => ({ le_ms, count })) };
  return {
    id,
    start_time: `2026-01-01T00:00:0${id.at(-1)}Z`,
    input: [{ plugin_name: 'cron', plugin_id: 1, generated: produced }],
    event: {
      plugin_name: 'template',
      plugin_id: 1,
      produced,
      produced_before: 1,
      produce_failed: 2,
      dropped: 3,
    },
    output: [1, 2].map((plugin_id) => ({
      plugin_name: 'file',
      plugin_id,
      written: produced,
      write_failed: 0,
      format_failed: 0,
      dead_lettered: 0,
      abandoned: 0,
      filtered: 0,
      retries: plugin_id,
      bytes: 10 * produced,
    })),
    total_generated: produced,
    total_written: 2 * produced,
    total_abandoned: 0,
    uptime: produced,
    input_eps: 1.5,
    output_eps: 2.5,
    low_water_mark: 4,
    lateness_ms: { ...durations, max: produced },
    delivery_lag_ms: durations,
  };
};

describe('the statistics of partitions', () => {
  const merged = mergeStats('g', [
    stats('g~0', 10, [
      [1, 98],
      [4, 1],
    ]),
    stats('g~1', 30, [
      [1, 98],
      [8, 3],
    ]),
  ]);

  test('add up counters and rates by plugin', () => {
    expect(merged).toMatchObject({
      id: 'g',
      start_time: '2026-01-01T00:00:00Z',
      input: [{ plugin_name: 'cron', plugin_id: 1, generated: 40 }],
      event: { plugin_id: 1, produced: 40, produced_before: 2, produce_failed: 4, dropped: 6 },
      output: [
        { plugin_name: 'file', plugin_id: 1, written: 40, retries: 2, bytes: 400 },
        { plugin_name: 'file', plugin_id: 2, written: 40, retries: 4, bytes: 400 },
      ],
      total_generated: 40,
      total_written: 80,
      uptime: 30,
      input_eps: 3,
      output_eps: 5,
    });
  });

  test('add up templates by name, and none without templates', () => {
    const counted = (id: string, ...templates: readonly (readonly [string, number])[]) => {
      const one = stats(id, 10, []);
      const all = templates.map(([name, produced]) => ({ name, produced }));
      return { ...one, event: { ...one.event, templates: all } };
    };
    const both = mergeStats('g', [
      counted('g~0', ['ok', 8], ['failed', 2]),
      counted('g~1', ['ok', 9], ['failed', 1]),
    ]);
    expect(both.event).toMatchObject({
      produced: 20,
      templates: [
        { name: 'ok', produced: 17 },
        { name: 'failed', produced: 3 },
      ],
    });
    expect(merged.event).not.toHaveProperty('templates');
  });

  test('merge histograms: quantiles are those of all events', () => {
    const buckets = [
      { le_ms: 1, count: 196 },
      { le_ms: 4, count: 1 },
      { le_ms: 8, count: 3 },
    ];
    expect(merged.lateness_ms).toEqual({ p50: 1, p99: 8, max: 30, buckets });
    expect(merged.delivery_lag_ms).toEqual({ p50: 1, p99: 8, buckets });
    expect(mergeStats('g', [stats('g~0', 1, [])]).delivery_lag_ms).toEqual({ p50: 0, p99: 0, buckets: [] });
  });
});

describe('lists', () => {
  const item = (id: string, phase: GeneratorPhase, start_time: string | null): GeneratorListItem => ({
    id,
    path: 'g/generator.yml',
    status: status(phase),
    start_time,
    scenarios: [],
  });

  test('have each generator once, at the place of its first partition, with its partitions in order', () => {
    const plain = item('plain', 'running', null);
    expect(
      mergeItems([
        { ...item('g~1', 'running', '2026-01-02'), node: 'node-b' },
        plain,
        item('g~0', 'failed', '2026-01-01'),
      ]),
    ).toEqual([
      {
        ...item('g', 'failed', '2026-01-01'),
        status: mergeStatus(parts('failed', 'running')),
        partitions: [
          { index: 0, phase: 'failed', node: null },
          { index: 1, phase: 'running', node: 'node-b' },
        ],
      },
      plain,
    ]);
    const own = stats('h', 1, []);
    expect(mergeRunning([stats('g~0', 1, []), own, stats('g~1', 2, [])]).map(({ id }) => id)).toEqual([
      'g',
      'h',
    ]);
  });

  test('of turns are in the order of time, newest first', () => {
    const turn = (at: string, reason: string | null) =>
      ({ at, first_at: at, count: 1, phase: 'running', reason, error_code: null }) as const;
    const turns = mergeTurns([
      { index: 0, value: [turn('3', null), turn('1', 'a')] },
      { index: 1, value: [turn('2', 'b')] },
    ]);
    expect(turns.map(({ at, reason }) => [at, reason])).toEqual([
      ['3', null],
      ['2', 'partition 1: b'],
      ['1', 'partition 0: a'],
    ]);
  });
});

describe('a start', () => {
  test.each<[readonly GeneratorPhase[], boolean, readonly number[]]>([
    [['idle', 'idle'], true, [0, 1]],
    [['finished', 'finished'], true, [0, 1]],
    // Their stream goes on without the finished one.
    [['finished', 'stopped'], true, [1]],
    [['finished', 'running'], false, [1]],
    // Without a checkpoint all begin a new stream.
    [['finished', 'stopped'], false, [0, 1]],
  ])('of %j with checkpoint %j is for %j', (phases, hasCheckpoint, indexes) => {
    expect(startable(parts(...phases), hasCheckpoint)).toEqual(indexes);
  });
});

describe('dead letters of partitions', () => {
  test('add up by output', () => {
    const summary = (output: string, letters: number, oldest: string | null, reason: string) => ({
      output,
      letters,
      bytes: letters,
      torn: 1,
      oldest,
      newest: oldest,
      reasons: [{ code: 'rejected', reason, letters }],
    });
    expect(
      mergeDeadLetters([
        [summary('1-file', 2, '2026-02', 'a')],
        [summary('1-file', 3, '2026-01', 'b'), summary('2-http', 1, null, 'c')],
      ]),
    ).toEqual([
      {
        output: '1-file',
        letters: 5,
        bytes: 5,
        torn: 2,
        oldest: '2026-01',
        newest: '2026-02',
        reasons: [
          { code: 'rejected', reason: 'b', letters: 3 },
          { code: 'rejected', reason: 'a', letters: 2 },
        ],
      },
      summary('2-http', 1, null, 'c'),
    ]);
    expect(
      mergePurged([[{ output: '1-file', removed: 1, left: 2 }], [{ output: '1-file', removed: 3, left: 0 }]]),
    ).toEqual([{ output: '1-file', removed: 4, left: 2 }]);
    const sent = {
      output: '1-file',
      sent: 2,
      refused: 0,
      reason: null,
      error_code: null,
      is_down: false,
      is_done: true,
    };
    const down = {
      ...sent,
      sent: 0,
      refused: 1,
      reason: 'away',
      error_code: 'output_failed' as const,
      is_down: true,
      is_done: false,
    };
    expect(mergeResent([[sent], [down]])).toEqual([{ ...down, sent: 2 }]);
  });
});
