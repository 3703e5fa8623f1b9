import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { runProgram } from '../../support/instance.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spate-partitions-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
const linesOf = async (name: string): Promise<readonly string[]> =>
  (await readFile(join(folder, name), 'utf8')).split('\n').slice(0, -1);

const generate = async (...more: readonly string[]) => {
  const program = runProgram(['generate', '--path', folder, '--live-mode', 'false', '--quiet', ...more], {
    cwd: folder,
  });
  return { ...(await program.exited), stderr: program.stderr(), stdout: program.stdout() };
};

const config = (event: string, output: string, count = 30_000): string => `
input:
  - linspace: {start: 2026-01-01T00:00:00Z, end: 2026-01-02T00:00:00Z, count: ${count}}
  - linspace: {start: 2026-01-01T06:00:00Z, end: 2026-01-01T18:00:00Z, count: ${count / 2}, tags: [noon]}
event: {${event}}
output: [file: {${output}}]
`;

describe('spate generate --partitions', () => {
  test('makes the events of the schedule, each once: 200,000 records with marks, three partitions', async () => {
    await write('records.log', Array.from({ length: 200_000 }, (_, i) => `record ${i + 1}\n`).join(''));
    await write(
      'generator.yml',
      config('replay: {path: records.log, marks: text}', "path: 'out-{partition}.log'", 200_000),
    );
    expect(await generate('--partitions', '3')).toMatchObject({ code: 0, stderr: '' });
    const parts = await Promise.all([0, 1, 2].map((index) => linesOf(`out-${index}.log`)));
    for (const [index, lines] of parts.entries()) {
      const records = lines.map((line) => Number(line.split(' ')[1]));
      expect(records).toEqual(Array.from({ length: records.length }, (_, i) => index + 3 * i + 1));
    }
    expect(parts.reduce((sum, lines) => sum + lines.length, 0)).toBe(200_000);
    const verified = runProgram(['verify', ...[0, 1, 2].map((index) => `out-${index}.log`)], { cwd: folder });
    expect((await verified.exited).code).toBe(0);
    expect(verified.stdout()).toContain('ok: all 200,000 events arrived');
  });

  test('appends whole lines to one file, and each ordinal comes from its partition', async () => {
    const template =
      '{{ partition.index }}/{{ partition.count }} {{ timestamp.isoformat() }} {{ tags | join }}';
    await write('e.jinja', template);
    await write(
      'generator.yml',
      config('template: {mode: all, templates: [{e: {template: e.jinja}}]}', 'path: out.log'),
    );
    expect(await generate()).toMatchObject({ code: 0, stderr: '' });
    const whole = (await linesOf('out.log')).map((line) => line.slice(4));
    await rm(join(folder, 'out.log'));
    expect(await generate('--partitions', '4')).toMatchObject({ code: 0, stderr: '' });
    const dealt = await linesOf('out.log');
    for (let index = 0; index < 4; index++) {
      const own = dealt.filter((line) => line.startsWith(`${index}/4 `)).map((line) => line.slice(4));
      expect(own).toEqual(whole.filter((_, k) => k % 4 === index));
    }
    expect(dealt.length).toBe(whole.length);
  });

  test('shares a limit, and begins at the same time with the same seed: two runs are equal, partitions differ', async () => {
    await write('e.jinja', '{{ timestamp }} {{ module.rand.number.integer(0, 999999) }}');
    await write(
      'generator.yml',
      `
input: [timer: {start: now, seconds: 1, count: 7}]
event: {template: {mode: all, templates: [{e: {template: e.jinja}}]}}
output: [file: {path: 'out-{partition}.log', write_mode: overwrite}]
`,
    );
    const options = ['--partitions', '2', '--seed', 's', '--limit', '1001'];
    const runs: (readonly string[])[] = [];
    for (let run = 0; run < 2; run++) {
      expect(await generate(...options, '--now', '2026-01-31T12:00:00Z')).toMatchObject({
        code: 0,
        stderr: '',
      });
      runs.push([...(await linesOf('out-0.log')), 'then', ...(await linesOf('out-1.log'))]);
    }
    expect(runs[1]).toEqual(runs[0]);
    const at = runs[0]?.indexOf('then') ?? 0;
    expect([at, runs[0]?.length]).toEqual([501, 1002]);
    const numbers = (lines: readonly string[] = []): readonly string[] =>
      lines.slice(0, 20).map((line) => line.split(' ').at(-1) ?? '');
    expect(numbers(runs[0]?.slice(at + 1))).not.toEqual(numbers(runs[0]));
    // Without a seed and a fixed time they still share both.
    await generate('--partitions', '2', '--limit', '70');
    const times = [...(await linesOf('out-0.log')), ...(await linesOf('out-1.log'))].map(
      (line) => line.split('+')[0],
    );
    expect(new Set(times).size).toBe(10);
  });

  test('prints whole lines from several threads, and a limit below the number of partitions is exact', async () => {
    await write('e.jinja', '{{ "x" * (timestamp.microsecond % 900) }} {{ partition.index }} end');
    await write(
      'generator.yml',
      config('template: {mode: all, templates: [{e: {template: e.jinja}}]}', 'path: out.log').replace(
        /output:.*/,
        'output: [stdout: {}]',
      ),
    );
    const { stdout } = await generate('--partitions', '2');
    const lines = stdout.split('\n').slice(0, -1);
    expect([lines.length, lines.filter((line) => !/^x* [01] end$/.test(line))]).toEqual([45_000, []]);
    expect((await generate('--partitions', '4', '--limit', '2')).stdout).toMatch(
      /^x* [01] end\nx* [01] end\n$/,
    );
  });

  test.each([
    ['rotate_size: 1', "path: 'out.log', rotate_size: 1"],
    ['write_mode: overwrite', "path: 'out.log', write_mode: overwrite"],
    ['a byte order mark', "path: 'out.log', encoding: utf_16"],
  ])('refuses a shared file with %s', async (_, output) => {
    await write('records.log', 'a\n');
    await write('generator.yml', config('replay: {path: records.log}', output, 10));
    const { code, stderr } = await generate('--partitions', '2');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Put `{partition}` into `path`')]);
  });

  test('refuses inputs that cannot be dealt, with the reason', async () => {
    await write('records.log', 'a\n');
    await write(
      'generator.yml',
      'input: [http: {port: 8099}]\nevent: {replay: {path: records.log}}\noutput: [stdout: {}]\n',
    );
    const { code, stderr } = await generate('--partitions', '2');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('waits for requests, and cannot be dealt to partitions'),
    ]);
  });
});
