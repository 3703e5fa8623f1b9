import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../src/adapters/systemClock.js';
import type { ProcessFigures } from '../../src/contract/processMetrics.js';
import { type Board, type BoardRow, makeBoard } from '../../src/domain/stats/board.js';
import { NO_HEALTH } from '../../src/domain/stats/health.js';
import { recordDuration } from '../../src/domain/stats/histogram.js';
import {
  addGenerated,
  addTo,
  addToOutput,
  makeStats,
  type Stats,
  setTo,
} from '../../src/domain/stats/stats.js';
import { metricsReader } from '../../src/http/metrics.js';
import type { Clock } from '../../src/ports/clock.js';
import { type ReadFamily, readExposition, sumOf } from '../support/exposition.js';
import { hasPrograms, needs, spawnSync } from '../support/programs.js';
import { ROOT } from '../support/sources.js';
import { CLUSTER } from './support.js';

const FIGURES: ProcessFigures = {
  version: '1.2.3',
  node_version: '20.12.0',
  load: {
    cpu_user_seconds: 1,
    cpu_system_seconds: 0.5,
    resident_bytes: 1e8,
    heap_used_bytes: 1e7,
    started_at_seconds: 1.7e9,
    loop_delay_seconds: { p50: 0, p99: 0.001, max: 0.002 },
  },
  streams: { events: 1, tail: 0 },
  cluster: null,
};

const row = (stats: Stats | null, more: Partial<BoardRow> = {}): BoardRow => ({
  phase: 'running',
  isUp: true,
  reason: null,
  error_code: null,
  plugins: { inputs: ['cron', 'timer'], event: 'script', outputs: ['file', 'stdout'] },
  stats,
  startedAt: 1_700_000_000_000_000,
  isLive: true,
  health: NO_HEALTH,
  ...more,
});

/** Counters that are all different. */
const busyStats = (): Stats => {
  const stats = makeStats(2, 2);
  addGenerated(stats, 0, 10);
  addGenerated(stats, 1, 20);
  for (const [index, name] of (['produced', 'produce_failed', 'dropped'] as const).entries())
    addTo(stats, name, 30 + index);
  const slots = [
    'written',
    'write_failed',
    'format_failed',
    'bytes',
    'dead_lettered',
    'retries',
    'filtered',
  ] as const;
  for (const [index, name] of slots.entries()) {
    addToOutput(stats, 0, name, 40 + index);
    addToOutput(stats, 1, name, 50 + index);
  }
  setTo(stats, 'sequence', 9);
  setTo(stats, 'low_water', 4);
  recordDuration(stats.lateness, 1_500, 3);
  addTo(stats, 'lateness_micros', 4_500);
  return stats;
};

const textOf = async (board: Board, clock: Clock = systemClock, figures = FIGURES): Promise<string> => {
  const opened = metricsReader({ board, clock, figures: () => figures }).open();
  if (E.isLeft(opened)) throw new Error(opened.left.message);
  const chunks: Uint8Array[] = [];
  for await (const chunk of opened.right) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

const read = async (board: Board): Promise<ReadonlyMap<string, ReadFamily>> =>
  readExposition(await textOf(board));

describe('metrics', () => {
  test('have every counter of every plugin', async () => {
    const board = makeBoard();
    board.noteGenerator('shop "1"', row(busyStats()));
    const families = await read(board);
    const of = (name: string, plugin_id?: string): number =>
      sumOf(families, name, { generator: 'shop "1"', ...(plugin_id === undefined ? {} : { plugin_id }) });
    expect([of('spate_input_generated_total', '1'), of('spate_input_generated_total', '2')]).toEqual([
      10, 20,
    ]);
    expect(families.get('spate_output_written_total')?.samples.map(({ labels }) => labels)).toEqual([
      { generator: 'shop "1"', plugin: 'file', plugin_id: '1' },
      { generator: 'shop "1"', plugin: 'stdout', plugin_id: '2' },
    ]);
    expect(['produced', 'produce_failed', 'dropped'].map((name) => of(`spate_event_${name}_total`))).toEqual([
      30, 31, 32,
    ]);
    const outputs = [
      'written',
      'write_failed',
      'format_failed',
      'bytes',
      'dead_lettered',
      'retries',
      'filtered',
    ];
    expect(outputs.map((name) => of(`spate_output_${name}_total`, '1'))).toEqual([
      40, 41, 42, 43, 44, 45, 46,
    ]);
    expect(outputs.map((name) => of(`spate_output_${name}_total`, '2'))).toEqual([
      50, 51, 52, 53, 54, 55, 56,
    ]);
    expect(of('spate_generator_queue_batches')).toBe(5);
    expect(of('spate_generator_start_time_seconds')).toBe(1_700_000_000);
    const lateness = families.get('spate_generator_lateness_seconds')?.samples ?? [];
    const named = (name: string) => lateness.filter((sample) => sample.name.endsWith(name));
    expect(named('_bucket').map(({ value }) => value)).toEqual([0, ...Array<number>(11).fill(3)]);
    expect(named('_sum')[0]?.value).toBeCloseTo(0.0045);
  });

  test('have one phase of each generator, also of one that never ran, and no counters of it', async () => {
    const board = makeBoard();
    board.noteGenerator('new', row(null, { phase: 'idle', plugins: null, startedAt: null }));
    const families = await read(board);
    const phases = families.get('spate_generator_phase')?.samples ?? [];
    expect(phases).toHaveLength(8);
    expect(phases.filter(({ value }) => value === 1).map(({ labels }) => labels['phase'])).toEqual(['idle']);
    expect(families.get('spate_event_produced_total')?.samples).toEqual([]);
  });

  test('include replaced inputs and outputs, so that sums equal the statistics', async () => {
    const board = makeBoard();
    const stats = busyStats();
    addTo(stats, 'generated_before', 5);
    addTo(stats, 'written_before', 6);
    board.noteGenerator('g', row(stats));
    const families = await read(board);
    expect(sumOf(families, 'spate_input_generated_total', { plugin: 'former' })).toBe(5);
    expect(sumOf(families, 'spate_output_written_total')).toBe(40 + 50 + 6);
  });

  test('have lateness in live mode only', async () => {
    const board = makeBoard();
    board.noteGenerator('g', row(busyStats(), { isLive: false }));
    const families = await read(board);
    expect(families.get('spate_generator_lateness_seconds')?.samples).toEqual([]);
    expect(families.get('spate_generator_delivery_lag_seconds')?.samples).toHaveLength(14);
  });

  test('have the figures of the process', async () => {
    const families = await read(makeBoard());
    expect(families.get('spate_build_info')?.samples).toEqual([
      { name: 'spate_build_info', labels: { version: '1.2.3', node_version: '20.12.0' }, value: 1 },
    ]);
    expect(sumOf(families, 'process_cpu_seconds_total')).toBe(1.5);
    expect(sumOf(families, 'process_resident_memory_bytes')).toBe(1e8);
    expect(sumOf(families, 'spate_event_loop_delay_seconds', { stat: 'max' })).toBe(0.002);
  });

  test('have the cluster on a node of one, and nothing of it otherwise', async () => {
    const [node] = CLUSTER.nodes;
    if (node === undefined) throw new Error('no node');
    const others = [
      { ...node, name: 'b', phase: 'lost' },
      { ...node, name: 'c', phase: 'lost' },
    ] as const;
    const cluster = { ...CLUSTER, nodes: [{ ...node, seen_seconds_ago: 3 }, ...others] };
    const text = await textOf(makeBoard(), systemClock, { ...FIGURES, cluster });
    const families = readExposition(text);
    const of = (name: string, labels = {}): number => sumOf(families, `spate_cluster_${name}`, labels);
    expect([of('nodes', { phase: 'member' }), of('nodes', { phase: 'lost' }), of('nodes')]).toEqual([
      1, 2, 3,
    ]);
    expect([of('connected'), of('beat_age_seconds'), of('lease_seconds')]).toEqual([1, 3, 15]);
    expect([of('tasks_held'), of('tasks_without_node')]).toEqual([1, 1]);
    expect([of('takeovers_total'), of('moves_total'), of('isolations_total')]).toEqual([1, 2, 0]);
    expect([of('bucket_reads_total'), of('bucket_writes_total')]).toEqual([10, 20]);
    expect(await textOf(makeBoard())).not.toContain('spate_cluster');
  });

  test('of a thousand generators yield to the event loop between chunks', async () => {
    const board = makeBoard();
    for (let i = 0; i < 1_000; i++) board.noteGenerator(`generator-${i}`, row(busyStats()));
    // Each look at the clock finds it one turn later.
    let nowMs = 0;
    let looks = 0;
    let most = 0;
    let turns = 0;
    const text = await textOf(board, {
      ...systemClock,
      monotonicMs: () => {
        looks += 1;
        nowMs += 10;
        return nowMs;
      },
      yieldTurn: () => {
        most = Math.max(most, looks);
        looks = 0;
        turns += 1;
        return systemClock.yieldTurn();
      },
    });
    expect(turns).toBeGreaterThan(text.length / 100_000);
    expect(most).toBeLessThanOrEqual(3);
    const families = readExposition(text);
    expect(sumOf(families, 'spate_input_generated_total')).toBe(30_000);
    expect(families.get('spate_generator_phase')?.samples).toHaveLength(8_000);
  });

  test('allow a bounded number of readers; a reader that leaves makes room', async () => {
    const reader = metricsReader({ board: makeBoard(), clock: systemClock, figures: () => FIGURES });
    const opened = Array.from({ length: 8 }, () => reader.open());
    expect(opened.every(E.isRight)).toBe(true);
    expect(reader.open()).toMatchObject({ left: { code: 'too_many_requests' } });
    const [first] = opened;
    if (first === undefined || E.isLeft(first)) throw new Error('not opened');
    await first.right[Symbol.asyncIterator]().return?.();
    const next = reader.open();
    if (E.isLeft(next)) throw new Error(next.left.message);
    for await (const _chunk of next.right);
    expect(E.isRight(reader.open())).toBe(true);
  });
});

const promtool = hasPrograms('promtool');
(promtool ? test : test.skip)(`promtool finds nothing wrong ${needs('promtool')}`, async () => {
  const board = makeBoard();
  board.noteGenerator('g', row(busyStats()));
  const checked = spawnSync('promtool', ['check', 'metrics'], {
    input: await textOf(board, systemClock, { ...FIGURES, cluster: CLUSTER }),
  });
  expect([checked.status, String(checked.stderr)]).toEqual([0, '']);
});

describe('deploy/', () => {
  const rules = join(ROOT, 'deploy/prometheus/alerts.yml');
  const dashboard = join(ROOT, 'deploy/grafana/spate.json');

  /** Every metric that the service has, with the names of histogram buckets. */
  const known = async (): Promise<ReadonlySet<string>> => {
    const board = makeBoard();
    board.noteGenerator('g', row(busyStats()));
    const families = readExposition(await textOf(board, systemClock, { ...FIGURES, cluster: CLUSTER }));
    return new Set([...families.values()].flatMap(({ samples }) => samples.map(({ name }) => name)));
  };

  test.each([
    ['the alert rules', rules],
    ['the dashboard', dashboard],
  ])('%s use only metrics that the service has', async (_, file) => {
    const used = readFileSync(file, 'utf8').match(/\bspate_[a-z_]+/g) ?? [];
    expect(used.length).toBeGreaterThan(10);
    const names = await known();
    expect([...new Set(used)].filter((name) => !names.has(name))).toEqual([]);
  });

  test('each panel of the dashboard has a place of its own', () => {
    const { panels } = JSON.parse(readFileSync(dashboard, 'utf8')) as {
      readonly panels: readonly { readonly id: number; readonly gridPos: Readonly<Record<string, number>> }[];
    };
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
  });

  (promtool ? test : test.skip)(
    `promtool takes the alert rules, and their tests pass ${needs('promtool')}`,
    () => {
      for (const args of [
        ['check', 'rules', rules],
        ['test', 'rules', join(ROOT, 'deploy/prometheus/alerts.test.yml')],
      ]) {
        const done = spawnSync('promtool', args, { encoding: 'utf8' });
        expect([done.status, done.stderr]).toEqual([0, '']);
      }
    },
  );
});
