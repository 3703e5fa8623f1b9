import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { piecesOf } from '../../../src/cli/compose/pieces.js';
import { MICROS_PER_DAY, MICROS_PER_HOUR, MICROS_PER_MINUTE } from '../../../src/domain/time/micros.js';
import { eventually, runProgram } from '../../support/instance.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spate-workers-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

const start = (...more: readonly string[]) => runProgram(['generate', folder, ...more], { cwd: folder });
const generate = async (...more: readonly string[]) => {
  const program = start(...more);
  return { ...(await program.exited), stderr: program.stderr(), stdout: program.stdout() };
};

/** A counter in `shared`, a random number and schedules that begin before. */
const TEMPLATE =
  "{% set n = shared.get('n', 0) + 1 %}{% do shared.set('n', n) %}{{ timestamp.isoformat() }} {{ n }} {{ module.rand.number.integer(0, 999999) }}";
const config = (...outputs: readonly string[]): string => `
input:
  - cron: {expression: '*/2 * * * * *', count: 1, start: 2026-03-01T00:00:00Z}
  - linspace: {start: 2026-03-01T00:00:00Z, end: 2026-03-03T00:00:00Z, count: 20000}
event: {template: {mode: all, templates: [{e: {template: e.jinja}}]}}
output: [${outputs.map((output) => `{${output}}`).join(', ')}]
`;
const HISTORY = ['--from', '2026-03-01T22:05:00Z', '--to', '2026-03-01T22:45:00Z', '--seed', 's'];

describe('pieces of time', () => {
  const BEGIN = Date.UTC(2026, 2, 1, 22, 5) * 1_000;

  test.each([
    ['a month in days', 30 * MICROS_PER_DAY, MICROS_PER_DAY],
    ['a week in quarters of a day', 7 * MICROS_PER_DAY, 6 * MICROS_PER_HOUR],
    ['two days and a half in quarters of a day', 60 * MICROS_PER_HOUR, 6 * MICROS_PER_HOUR],
    ['a day in eighths of it', MICROS_PER_DAY, 3 * MICROS_PER_HOUR],
    ['ten hours in hours', 10 * MICROS_PER_HOUR, MICROS_PER_HOUR],
    ['an hour in tens of minutes', MICROS_PER_HOUR, 10 * MICROS_PER_MINUTE],
  ])('%s: they touch, cover it and are cut at whole ones', (_name, whole, length) => {
    const pieces = piecesOf(BEGIN, BEGIN + whole);
    expect(pieces[0]?.begin).toBe(BEGIN);
    expect(pieces.at(-1)?.end).toBe(BEGIN + whole);
    for (const [index, { begin, end }] of pieces.entries()) {
      expect(end - begin).toBeLessThanOrEqual(length);
      if (index > 0) {
        expect(begin % length).toBe(0);
        expect(begin).toBe(pieces[index - 1]?.end);
      }
    }
    expect(pieces.length).toBeLessThanOrEqual(whole / length + 1);
  });

  test('no time has no pieces', () => {
    expect(piecesOf(BEGIN, BEGIN)).toEqual([]);
  });
});

describe('spate generate --workers', () => {
  test('any number writes the same bytes in order, and the timestamps are those of one run', async () => {
    await write('e.jinja', TEMPLATE);
    await write('generator.yml', config('file: {path: out/events.log, write_mode: overwrite}'));
    expect(await generate(...HISTORY, '--fast', '--quiet')).toMatchObject({ code: 0, stderr: '' });
    const whole = (await read('out/events.log')).split('\n');
    // Inputs with a start of their own keep it, so one run begins there.
    const wanted = whole.map((line) => line.split(' ')[0] ?? '').filter((at) => at >= '2026-03-01T22:05');
    const texts: string[] = [];
    for (const workers of ['1', '3']) {
      const { code, stderr } = await generate(...HISTORY, '--workers', workers);
      expect([code, stderr]).toEqual([0, expect.stringMatching(/file: [\d,]+ written\n$/)]);
      texts.push(await read('out/events.log'));
      expect(await readdir(join(folder, 'out'))).toEqual(['events.log']);
    }
    const [one = '', ...others] = texts;
    for (const other of others) expect(other).toBe(one);
    const lines = one.split('\n').slice(0, -1);
    expect(lines.map((line) => line.split(' ')[0])).toEqual(wanted);
    expect(wanted.length).toBeGreaterThan(1_400);
    // Each piece begins with an empty state and draws other numbers.
    const starts = lines.filter((line) => line.split(' ')[1] === '1');
    expect(starts.map((line) => line.slice(11, 16))).toEqual(['22:05', '22:10', '22:20', '22:30', '22:40']);
    expect(new Set(starts.map((line) => line.split(' ')[2])).size).toBe(starts.length);
  });

  test('standard output is in order too, a file with {partition} has one for each piece, and files are appended to', async () => {
    await write('e.jinja', TEMPLATE);
    await write('events.log', 'before\n');
    await write(
      'generator.yml',
      config('stdout: {}', 'file: {path: events.log}', "file: {path: 'piece-{partition}.log'}"),
    );
    const { code, stdout, stderr } = await generate(...HISTORY, '--workers', '3');
    expect(code).toBe(0);
    expect(stderr).toMatch(/stdout: [\d,]+ written; file: [\d,]+ written/);
    const times = stdout.split('\n').slice(0, -1);
    expect(times.map((line) => line.slice(0, 32))).toEqual(times.map((line) => line.slice(0, 32)).sort());
    expect(await read('events.log')).toBe(`before\n${stdout}`);
    const pieces = await Promise.all(Array.from({ length: 5 }, (_, piece) => read(`piece-${piece}.log`)));
    expect(pieces.join('')).toBe(stdout);
  });

  test('a stop leaves the events up to some time, without a gap', async () => {
    await write('e.jinja', TEMPLATE);
    await write('generator.yml', config('file: {path: events.log}'));
    const program = start('--from', '2026-03-01T00:00:00Z', '--to', '2026-03-20T00:00:00Z', '--workers', '2');
    await eventually(
      async () => ((await readdir(folder)).includes('events.log') ? true : null),
      'the first piece is joined',
    );
    program.child.kill('SIGINT');
    expect((await program.exited).code).toBe(130);
    expect((await readdir(folder)).sort()).toEqual(['e.jinja', 'events.log', 'generator.yml']);
    const events = (await read('events.log')).split('\n').slice(0, -1);
    const even = events.map((line) => line.slice(0, 19)).filter((at) => Number(at.slice(17)) % 2 === 0);
    const seconds = [...new Set(even)].map((at) => Date.parse(`${at}Z`) / 1_000);
    expect(seconds[0]).toBe(Date.UTC(2026, 2, 1) / 1_000);
    expect(seconds.at(-1)).toBe((seconds[0] as number) + (seconds.length - 1) * 2);
  });

  test.each([
    [['--workers', '2'], '--workers needs --from'],
    [['--workers', '2', '--from', '-1h', '--limit', '5'], '--workers does not go with --limit'],
    [['--workers', '2', '--from', '-1h', '--live-mode', 'true'], 'leave out --live-mode'],
    [['--workers', '2', '--from', '-1h', '--to', '-2h'], '--to must be later than --from'],
    [['--to', 'never'], '--to must be a duration before the start'],
  ])('refuses %j', async (options, problem) => {
    await write('generator.yml', config('stdout: {}'));
    const { code, stderr } = await generate(...options);
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });

  test('a path whose pieces could not be joined is refused before events are made', async () => {
    await write('e.jinja', TEMPLATE);
    await write('generator.yml', config("file: {path: 'x-{date}.log'}"));
    const { code, stderr } = await generate(...HISTORY, '--workers', '2');
    expect([code, stderr]).toEqual([1, expect.stringContaining('no placeholder but {partition}')]);
    expect(await readdir(folder)).toEqual(['e.jinja', 'generator.yml']);
  });
});

test('spate generate --to with --partitions makes each event once', async () => {
  await write('e.jinja', '{{ timestamp.isoformat() }}');
  await write('generator.yml', config('file: {path: events.log}').replace(/^ {2}- linspace.*\n/m, ''));
  const { code } = await generate('--fast', '--to', '2026-03-01T00:02:00Z', '--partitions', '2');
  const lines = (await read('events.log')).split('\n').slice(0, -1);
  expect([code, lines.length, new Set(lines).size]).toEqual([0, 60, 60]);
});

test('spate generate --to ends a run before that time', async () => {
  await write('e.jinja', '{{ timestamp.isoformat() }}');
  await write('generator.yml', config('stdout: {}').replace(/^ {2}- linspace.*\n/m, ''));
  const { stdout, code } = await generate('--fast', '--to', '2026-03-01T00:00:10Z');
  expect([code, stdout]).toEqual([
    0,
    ['00', '02', '04', '06', '08'].map((second) => `2026-03-01T00:00:${second}+00:00\n`).join(''),
  ]);
});
