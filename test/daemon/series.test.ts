import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { seriesStore } from '../../src/daemon/series.js';
import type { GeneratorPhase } from '../../src/domain/generator.js';
import type { GeneratorRow } from '../../src/domain/stats/board.js';
import { addTo, makeStats } from '../../src/domain/stats/stats.js';
import { sealed, unsealed } from '../../src/domain/text/crc32.js';
import { MICROS_PER_MS } from '../../src/domain/time/micros.js';
import type { SeriesQuery } from '../../src/messages/observe.js';
import { fakeClock } from '../support/clocks/fakeClock.js';
import { left, right } from '../support/either.js';
import { eventually, type Instance, makeInstance } from '../support/instance.js';
import { memoryLog } from '../support/logs.js';
import { type Disk, memoryFiles } from '../support/memoryFiles.js';

const FILE = '/state/series.json';
const ALL: SeriesQuery = { id: null, from_ms: null, to_ms: null, last_s: 300, step_s: null };

/** A store with the generator `web`; `run` lets it make events for some seconds, with a look each second. */
const setUp = async (disk: Disk = new Map(), clock = fakeClock()) => {
  const { log, lines } = memoryLog();
  const store = seriesStore({ clock, files: memoryFiles(disk), folder: '/state', log });
  await store.restore();
  const row = (phase: GeneratorPhase, stats = makeStats(1, 1), startedAt = clock.now()): GeneratorRow => ({
    ...{ phase, isUp: true, reason: null, error_code: null, plugins: null, isLive: true },
    ...{ stats, startedAt },
  });
  const run = async (seconds: number, perSecond: number, id = 'web'): Promise<void> => {
    const running = row('running');
    store.note(id, running);
    for (let second = 0; second < seconds; second++) {
      await clock.advanceMs(1_000);
      if (running.stats !== null) addTo(running.stats, 'produced', perSecond);
      store.note(id, running);
    }
    store.note(id, { ...running, phase: 'stopped' });
  };
  const produced = (query: Partial<SeriesQuery> = {}): readonly number[] => {
    const part = right(store.read({ ...ALL, ...query }));
    return part.produced.filter((_, i) => (part.covered_ms[i] as number) > 0);
  };
  return { clock, store, lines, row, run, produced, nowMs: () => clock.now() / MICROS_PER_MS };
};

describe('series of generators', () => {
  test('are those of each, and their sum outlives them', async () => {
    const { store, run, produced } = await setUp();
    await run(3, 5);
    await run(2, 7, 'mail~0');
    expect([produced({ id: 'web' }), produced({ id: 'mail~0' })]).toEqual([
      [5, 5, 5],
      [7, 7],
    ]);
    expect(produced()).toEqual([5, 5, 5, 7, 7]);
    store.note('web', null);
    expect(left(store.read({ ...ALL, id: 'web' })).code).toBe('not_found');
    expect(produced()).toEqual([5, 5, 5, 7, 7]);
  });

  test('are empty for a generator that has not run, and unknown for one that is not there', async () => {
    const { store, row, produced } = await setUp();
    store.note('web', { ...row('idle'), stats: null, startedAt: null });
    expect(produced({ id: 'web' })).toEqual([]);
    expect(left(store.read({ ...ALL, id: 'mail' })).code).toBe('not_found');
  });

  test('go on when a generator leaves the startup list and comes back; the longest gone are given up', async () => {
    const { store, row, run, produced } = await setUp();
    await run(2, 5);
    store.note('web', null);
    store.note('web', row('idle'));
    expect(produced({ id: 'web' })).toEqual([5, 5]);
    store.note('web', null);
    for (let n = 0; n < 64; n++) {
      await run(1, 1, `other-${n}`);
      store.note(`other-${n}`, null);
    }
    store.note('web', row('idle'));
    expect(produced({ id: 'web', from_ms: 0 })).toEqual([]);
  });

  test('begin a stream with the rates of the last seconds, of partitions as one', async () => {
    const { store, clock, run } = await setUp();
    await run(2, 5, 'web~0');
    await run(1, 9, 'web~1');
    await clock.advanceMs(1_000);
    expect([...store.past(5)]).toEqual([['web', [null, 5, 5, 9]]]);
  });

  test('of the busiest are told with their partitions as one, and without those that are gone', async () => {
    const { store, run } = await setUp();
    await run(2, 50, 'gone');
    store.note('gone', null);
    await run(2, 5, 'web~0');
    await run(1, 9, 'web~1');
    await run(1, 3, 'mail');
    const { id: _sum, ...span } = ALL;
    const told = right(store.busiest({ ...span, count: 5 }));
    expect(told.map(({ id, part }) => [id, part.produced.filter((events) => events > 0)])).toEqual([
      ['web', [5, 5, 9]],
      ['mail', [3]],
    ]);
    expect(right(store.busiest({ ...span, count: 1 })).map(({ id }) => id)).toEqual(['web']);
    expect(left(store.busiest({ ...span, count: 1, from_ms: 2_000, to_ms: 1_000 })).code).toBe('invalid');
  });

  test('are answered with the finest step that reaches back, and refused when too much is asked for', async () => {
    const { store, nowMs } = await setUp();
    const day = 86_400_000;
    const stepOf = (ago: number): number => right(store.read({ ...ALL, from_ms: nowMs() - ago })).step_ms;
    expect([stepOf(900_000), stepOf(900_001), stepOf(6 * 3_600_000), stepOf(day)]).toEqual([
      1_000, 10_000, 10_000, 60_000,
    ]);
    // From the beginning of time is as far back as the series reach.
    expect(right(store.read({ ...ALL, from_ms: 0 })).produced).toHaveLength(
      4_320 + (nowMs() % 60_000 === 0 ? 0 : 1),
    );
    const refused = (query: Partial<SeriesQuery>): readonly [string, string] => {
      const { code, message } = left(store.read({ ...ALL, ...query }));
      return [code, message];
    };
    expect(refused({ from_ms: 0, step_s: 1 })).toEqual(['invalid', expect.stringContaining('259,200 steps')]);
    // Nothing is known of the future, nor of what is longer ago.
    expect(right(store.read({ ...ALL, from_ms: nowMs() + 1 })).produced).toEqual([]);
    expect(right(store.read({ ...ALL, to_ms: 1_000 })).produced).toEqual([]);
    expect(refused({ from_ms: 2_000, to_ms: 1_000 })[0]).toBe('invalid');
  });
});

describe('the file of series', () => {
  test('brings them back', async () => {
    const disk: Disk = new Map();
    const before = await setUp(disk);
    await before.run(3, 5);
    await before.store.save();
    await before.clock.advanceMs(10_000);
    const after = await setUp(disk, before.clock);
    after.store.note('web', after.row('idle'));
    await after.run(2, 8);
    expect([after.produced({ id: 'web' }), after.produced()]).toEqual([
      [5, 5, 5, 8, 8],
      [5, 5, 5, 8, 8],
    ]);
    expect(after.lines).toEqual([]);
  });

  test('is refused with a warning when it is damaged or of another version', async () => {
    const disk: Disk = new Map();
    const before = await setUp(disk);
    await before.run(3, 5);
    await before.store.save();
    const good = disk.get(FILE) as string;
    const object = unsealed(good.trimEnd()) as string;
    const series = (text: string): string => sealed(JSON.stringify({ version: 2, series: { web: text } }));
    for (const bad of [
      good.slice(0, -20),
      good.replace('"web"', '"wob"'),
      object,
      '',
      'null',
      sealed('{"version":2}'),
      sealed(object.replace('"version":2', '"version":3')),
      sealed(object.replace('"version":2', '"version":1')),
      series('not base64 of anything'),
      series(Buffer.from([0x63, 0x00]).toString('base64')),
    ]) {
      disk.set(FILE, bad);
      const after = await setUp(disk, before.clock);
      expect([bad.slice(0, 30), after.lines.map(({ level }) => level)]).toEqual([
        bad.slice(0, 30),
        ['warning'],
      ]);
      expect(after.produced()).toEqual([]);
    }
  });

  test('that cannot be written is a warning', async () => {
    const clock = fakeClock();
    const { log, lines } = memoryLog();
    const files = memoryFiles(new Map());
    const store = seriesStore({ clock, files, folder: '/state', log });
    const stats = makeStats(1, 1);
    const row = {
      phase: 'running',
      isUp: true,
      reason: null,
      error_code: null,
      plugins: null,
      isLive: true,
    } as const;
    store.note('web', { ...row, stats, startedAt: clock.now() });
    await clock.advanceMs(1_000);
    store.note('web', { ...row, stats, startedAt: clock.now() - 1_000_000 });
    files.failWrites('disk full');
    await store.save();
    expect(lines.map(({ level }) => level)).toEqual(['warning']);
  });
});

describe('a service', () => {
  let instance: Instance | null = null;
  afterEach(async () => {
    await instance?.remove();
    instance = null;
  });

  interface Shown {
    readonly from: string;
    readonly step: number;
    readonly seconds: readonly number[];
    readonly produced: readonly (number | null)[];
    readonly written: readonly (number | null)[];
  }
  const sumOf = (counts: readonly (number | null)[]): number =>
    counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);

  test('keeps its series over a restart, and each event is in them once', async () => {
    const made = await makeInstance({
      startup: '- {id: web, path: web/generator.yml, autostart: false}\n',
      generators: {
        'web/generator.yml': `input:
  - timer: {seconds: 0.1, count: 5, repeat: 20}
event:
  template: {mode: all, templates: [{a: {template: a.jinja}}]}
output:
  - file: {path: out.log}
`,
        'web/a.jinja': 'x',
      },
    });
    instance = made;
    const read = async (path: string): Promise<Shown> => {
      const { status, body } = await made.api('GET', path);
      expect(status).toBe(200);
      return body as Shown;
    };
    const finish = async (): Promise<void> => {
      await made.api('POST', '/generators/web/start');
      await eventually(async () => {
        const { body } = await made.api('GET', '/generators/web/status');
        return (body as { phase: string }).phase === 'finished' ? true : null;
      }, 'the end of the run');
    };
    await made.start();
    await finish();
    const before = await read('/generators/web/series');
    expect([before.step, sumOf(before.produced), sumOf(before.written)]).toEqual([1, 100, 100]);
    expect(before.produced[0]).toBeNull();
    expect((await made.kill('SIGTERM')).code).toBe(0);

    await made.start();
    const restored = await read('/generators/web/series');
    expect(sumOf(restored.produced)).toBe(100);
    await finish();
    for (const path of ['/generators/web/series', '/generators/web/series?step=60', '/series'])
      expect(sumOf((await read(path)).produced)).toBe(200);
    await made.kill('SIGTERM');

    await writeFile(join(made.folder, 'state', 'series.json'), '{"version": 9}');
    await made.start();
    expect(sumOf((await read('/series')).produced)).toBe(0);
    expect(made.program().stderr()).toMatch(
      /the saved series are not used: charts begin anew .*another version|damaged/,
    );
  });

  test('refuses queries that make no sense with 422, and unknown generators with 404', async () => {
    const made = await makeInstance({ startup: '[]\n', generators: {} });
    instance = made;
    await made.start();
    const answers = await Promise.all(
      [
        '/series?from=yesterday',
        '/series?from=2026-01-01T00:00:00',
        '/series?from=2000-01-01T00:00:00Z&step=1',
        '/series?from=2026-01-01T00:00:00Z&to=2000-01-01T00:00:00Z',
        '/series?last=0',
        '/series?last=259201',
        '/series?last=259200&step=1',
        '/series?step=0',
        '/series?step=1e9',
        '/series?step=0.5',
        '/series?step=1&step=2',
        '/series?until=now',
      ].map(async (path) => [path, (await made.api('GET', path)).status]),
    );
    expect(answers.filter(([, status]) => status !== 422)).toEqual([]);
    expect((await made.api('GET', '/series?last=259200&step=1')).body).toMatchObject({
      detail: [{ loc: ['query', 'step'], type: 'too_small', msg: expect.stringContaining('259,200 steps') }],
    });
    expect(await made.api('GET', '/generators/none/series')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  });
});
