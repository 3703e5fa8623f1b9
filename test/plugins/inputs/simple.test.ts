import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cronPlugin } from '../../../src/plugins/inputs/cron/plugin.js';
import { linspacePlugin } from '../../../src/plugins/inputs/linspace/plugin.js';
import { staticPlugin } from '../../../src/plugins/inputs/static/plugin.js';
import { timerPlugin } from '../../../src/plugins/inputs/timer/plugin.js';
import { timestampsPlugin } from '../../../src/plugins/inputs/timestamps/plugin.js';
import type { Input } from '../../../src/plugins/kit.js';
import { memoryLog } from '../../support/logs.js';
import { buildInput, drain, NOW } from '../../support/pipelines/inputs.js';

const seconds = (texts: readonly string[]): string[] => texts.map((text) => text.slice(11));

test('inputs tell how many timestamps are left', async () => {
  const left = async (...args: Parameters<typeof buildInput>) => {
    const input = await buildInput(...args);
    if (typeof input === 'string') throw new Error(input);
    return input.remaining?.();
  };
  expect(await left(staticPlugin, { count: 9 })).toBe(9);
  expect(await left(timerPlugin, { seconds: 1, count: 2, repeat: 5 })).toBe(10);
  expect(await left(timerPlugin, { seconds: 1, count: 2 })).toBe(Number.POSITIVE_INFINITY);
  const past = { start: '-2s', seconds: 1, count: 1, repeat: 5 };
  expect(await left(timerPlugin, past, { skipPast: true })).toBe(4);
  const minutes = { expression: '* * * * *', count: 3 };
  expect(await left(cronPlugin, minutes)).toBe(Number.POSITIVE_INFINITY);
  expect(await left(cronPlugin, { ...minutes, end: '+10m' })).toBe(30);
  expect(await left(cronPlugin, { ...minutes, end: '2099-01-01' })).toBeNull();
});

describe('timer', () => {
  test('the first tick comes one interval after the start, also with skipping on', async () => {
    const params = { seconds: 5, count: 2, repeat: 2 };
    const expected = ['19:05:14Z', '19:05:14Z', '19:05:19Z', '19:05:19Z'];
    expect(seconds(drain(await buildInput(timerPlugin, params)))).toEqual(expected);
    expect(seconds(drain(await buildInput(timerPlugin, params, { skipPast: true })))).toEqual(expected);
  });

  test('past ticks are left out and count against repeat, one at now fires', async () => {
    const params = { seconds: 1, count: 1, start: '-3s', repeat: 5 };
    const texts = drain(await buildInput(timerPlugin, params, { skipPast: true }));
    expect(seconds(texts)).toEqual(['19:05:09Z', '19:05:10Z', '19:05:11Z']);
  });

  test('never drifts, however odd the interval', async () => {
    const input = await buildInput(timerPlugin, { seconds: 0.1, count: 1, start: '2026-01-01T00:00:00Z' });
    const texts = drain(input, 100_000, 999);
    expect(texts.at(-1)).toBe('2026-01-01T02:46:40Z');
    expect(new Set(texts).size).toBe(100_000);
  });

  test('is exact to the microsecond after centuries of ticks', async () => {
    const params = { seconds: 1.1, count: 1, start: '1700-01-01T00:00:00Z' };
    const input = await buildInput(timerPlugin, params, { skipPast: true });
    const start = BigInt(Date.parse('1700-01-01T00:00:00Z')) * 1000n;
    const out = new Float64Array(50_000);
    if (typeof input === 'string') throw new Error(input);
    expect(input.fill(out)).toBe(out.length);
    const tick = (BigInt(NOW) - start + 1_099_999n) / 1_100_000n;
    const wrong = out.findIndex((micros, i) => BigInt(micros) !== start + (tick + BigInt(i)) * 1_100_000n);
    expect(wrong).toBe(-1);
  });

  test('an input with only past timestamps gives none and logs it', async () => {
    const { log, lines } = memoryLog();
    const params = { seconds: 1, count: 1, start: '-1h', repeat: 5 };
    expect(drain(await buildInput(timerPlugin, params, { skipPast: true, log }))).toEqual([]);
    expect(lines).toEqual([
      expect.objectContaining({ level: 'info', message: expect.stringContaining('past') }),
    ]);
  });

  test.each([
    [{ seconds: 0.05, count: 1 }, /seconds/],
    [{ seconds: 1, count: 0 }, /count/],
    [{ seconds: 1, count: 1, start: 'never' }, /never/],
    [{ seconds: 1, count: 1, repeat: 0 }, /repeat/],
    [{ seconds: 1 }, /count/],
  ])('%j is refused', async (params, problem) => {
    expect(await buildInput(timerPlugin, params)).toMatch(problem);
  });

  test.each([
    [undefined, '19:05:10Z'],
    // Ticked 0.3 s ago, 1 s ago, 40 s ago.
    [0.3, '19:05:09.700000Z'],
    [1, '19:05:09Z'],
    [40, '19:05:09Z'],
  ])('in the place of one that ticked %s s ago, its first tick is %s', async (ago, expected) => {
    const phase = ago === undefined ? {} : { lastTick: NOW - ago * 1_000_000 };
    const params = { seconds: 1, count: 1, repeat: 2 };
    const texts = drain(await buildInput(timerPlugin, params, { skipPast: true, ...phase }));
    expect([texts.length, texts[0]]).toEqual([2, `2026-11-20T${expected}`]);
  });

  test('tells its last tick at any time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 100_000, max: 9_999_999 }),
        fc.double({ min: 0, max: 60, noNaN: true }),
        async (micros, later) => {
          const params = { seconds: micros / 1e6, count: 1, repeat: 50 };
          const input = (await buildInput(timerPlugin, params)) as Input;
          const ticks = new Float64Array(50);
          input.fill(ticks);
          const at = Math.floor(NOW + later * 1e6);
          expect(input.tickBefore?.(at)).toBe(ticks.findLast((tick) => tick <= at) ?? NOW);
        },
      ),
    );
  });

  test('ends with the calendar', async () => {
    const input = await buildInput(timerPlugin, { seconds: 86_400, count: 1, start: '2255-06-01' });
    expect(drain(input).at(-1)).toBe('2255-06-05T00:00:00Z');
  });
});

describe('static', () => {
  test('all timestamps are the moment of the start, none is skipped', async () => {
    const texts = drain(await buildInput(staticPlugin, { count: 9 }, { skipPast: true }));
    expect(texts).toEqual(Array.from({ length: 9 }, () => '2026-11-20T19:05:09Z'));
  });
});

describe('linspace', () => {
  test.each([
    [{ start: 'now', end: '+4s', count: 3 }, ['19:05:09Z', '19:05:11Z', '19:05:13Z']],
    [{ start: 'now', end: '+4s', count: 2, endpoint: false }, ['19:05:09Z', '19:05:11Z']],
    [{ start: 'now', end: '+4s', count: 1 }, ['19:05:09Z']],
    [{ start: 'now', end: 'now', count: 2 }, ['19:05:09Z', '19:05:09Z']],
    [
      { start: 'now', end: '+1s', count: 4 },
      ['19:05:09Z', '19:05:09.333333Z', '19:05:09.666667Z', '19:05:10Z'],
    ],
  ])('%j', async (params, expected) => {
    expect(seconds(drain(await buildInput(linspacePlugin, params)))).toEqual(expected);
  });

  test('skipping leaves out what is at or before now', async () => {
    const texts = drain(
      await buildInput(linspacePlugin, { start: '-2s', end: '+4s', count: 5 }, { skipPast: true }),
    );
    expect(seconds(texts)).toEqual(['19:05:10Z', '19:05:11Z']);
  });

  test.each([
    [1, ['19:05:09Z', '19:05:09Z', '19:05:10Z', '19:05:11Z']],
    [0.1, ['19:05:09Z', '19:05:09.700000Z', '19:05:10.500000Z', '19:05:11.200000Z']],
  ])('rounds down to a resolution of %d s', async (resolution, expected) => {
    const params = { start: 'now', end: '+3s', count: 4, endpoint: false, resolution };
    expect(seconds(drain(await buildInput(linspacePlugin, params)))).toEqual(expected);
  });

  test('goes on among equal timestamps where a checkpoint was', async () => {
    const params = { start: 'now', end: '+3s', count: 40, endpoint: false, resolution: 1 };
    const whole = drain(await buildInput(linspacePlugin, params), 40);
    for (const position of [1, 7, 13, 14, 39]) {
      const input = await buildInput(linspacePlugin, params);
      if (typeof input === 'string') throw new Error(input);
      input.restore(position);
      expect(drain(input, 40)).toEqual(whole.slice(position));
    }
  });

  test('spans a clock change evenly in real time', async () => {
    const params = { start: '2026-03-29T00:00', end: '2026-03-29T04:00', count: 4 };
    const texts = drain(await buildInput(linspacePlugin, params, { zoneId: 'Europe/Berlin' }));
    expect(texts).toEqual([
      '2026-03-28T23:00:00Z',
      '2026-03-29T00:00:00Z',
      '2026-03-29T01:00:00Z',
      '2026-03-29T02:00:00Z',
    ]);
  });

  test.each([
    [{ start: 'now', end: 'never', count: 2 }, /never/],
    [{ start: '2026-01-02', end: '2026-01-01', count: 2 }, /end is before start/],
    [{ start: '14:30', end: '13:00', count: 2 }, /end is before start/],
    [{ start: 'helo', end: '+1h', count: 2 }, /start is no date or time that is understood/],
    [{ start: '2300-01-01', end: '+1h', count: 2 }, /start .*2255/],
    [{ end: '+1h', count: 2 }, /start/],
    [{ start: 'now', end: '+1h', count: 2, step: 3 }, /step/],
  ])('%j is refused', async (params, problem) => {
    expect(await buildInput(linspacePlugin, params)).toMatch(problem);
  });
});

describe('timestamps', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spate-timestamps-'));
    await writeFile(
      join(folder, 'good.txt'),
      '\uFEFF2026-01-01T00:00:00Z\r\n\n  2026-01-01 01:00  \n20260102\n',
    );
    await writeFile(join(folder, 'bad.txt'), '2026-01-01\nyesterday\n');
    await writeFile(join(folder, 'back.txt'), '2026-01-02\n2026-01-01\n');
    await writeFile(join(folder, 'empty.txt'), '\n \n');
    await writeFile(join(folder, 'year.txt'), '2300-01-01\n');
    await writeFile(join(folder, 'endless.txt'), '2026-01-01\n'.padEnd(200_000, 'x'));
    await writeFile(join(folder, 'mac.txt'), '2026-01-01T00:00:00Z\r2026-01-01T00:00:01Z\r');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('reads a list or a file, in the zone of the generator', async () => {
    const list = { source: ['2026-01-01T00:00:00Z', '2026-01-01T02:00'] };
    const context = { directory: folder, zoneId: 'Europe/Berlin' };
    expect(drain(await buildInput(timestampsPlugin, list, context))).toEqual([
      '2026-01-01T00:00:00Z',
      '2026-01-01T01:00:00Z',
    ]);
    expect(drain(await buildInput(timestampsPlugin, { source: 'good.txt' }, { directory: folder }))).toEqual([
      '2026-01-01T00:00:00Z',
      '2026-01-01T01:00:00Z',
      '2026-01-02T00:00:00Z',
    ]);
  });

  test('a file with any line ends is read whole, however it is cut into pieces', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => new Date(NOW / 1000 + i * 1000).toISOString());
    const expected = lines.map((line) => line.replace('.000Z', 'Z'));
    for (const lineEnd of ['\n', '\r\n', '\r']) {
      await writeFile(join(folder, 'long.txt'), lines.join(lineEnd));
      const input = await buildInput(timestampsPlugin, { source: 'long.txt' }, { directory: folder });
      expect(drain(input, 30_000, 1000)).toEqual(expected);
    }
    const mac = await buildInput(timestampsPlugin, { source: 'mac.txt' }, { directory: folder });
    expect(drain(mac)).toEqual(['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z']);
  });

  test('skipping leaves out what is at or before now', async () => {
    const source = ['2026-11-20T19:05:08Z', '2026-11-20T19:05:09Z', '2026-11-20T19:05:10Z'];
    expect(drain(await buildInput(timestampsPlugin, { source }, { skipPast: true }))).toEqual([
      '2026-11-20T19:05:10Z',
    ]);
  });

  test.each([
    ['bad.txt', /bad\.txt:2: "yesterday" must be an ISO 8601/],
    ['back.txt', /back\.txt:2: .* earlier than the previous timestamp/],
    ['empty.txt', /has no timestamps/],
    ['absent.txt', /absent\.txt cannot be read/],
    ['year.txt', /year\.txt:1: .* from 1684 to 2255/],
    ['endless.txt', /endless\.txt:2: the line is too long/],
    ['.', /cannot be read/],
  ])('%s is refused with its place', async (source, problem) => {
    expect(await buildInput(timestampsPlugin, { source }, { directory: folder })).toMatch(problem);
  });

  test.each([[{ source: [] }], [{ source: ['now'] }], [{ source: 3 }], [{}]])(
    '%j is refused',
    async (params) => {
      expect(typeof (await buildInput(timestampsPlugin, params))).toBe('string');
    },
  );
});

describe('every simple input', () => {
  const cases: readonly (readonly [string, () => Promise<Input | string>])[] = [
    ['timer', () => buildInput(timerPlugin, { seconds: 0.7, count: 3, repeat: 40 })],
    ['static', () => buildInput(staticPlugin, { count: 100 })],
    ['linspace', () => buildInput(linspacePlugin, { start: 'now', end: '+1h', count: 100 })],
  ];
  test.each(cases)('%s goes on from a saved position with the very next timestamp', async (_name, make) => {
    const whole = drain(await make(), 200);
    await fc.assert(
      fc.asyncProperty(fc.nat(120), fc.integer({ min: 1, max: 50 }), async (taken, step) => {
        const first = await make();
        const second = await make();
        if (typeof first === 'string' || typeof second === 'string') throw new Error('not built');
        const head = drain(first, taken, step);
        second.restore(JSON.parse(JSON.stringify(first.snapshot())));
        expect([...head, ...drain(second, 200, step)]).toEqual(whole);
      }),
      { numRuns: 50 },
    );
  });
});
