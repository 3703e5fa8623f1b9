import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CLI, eventually, type Instance, makeInstance, runProgram } from '../../support/instance.js';
import { spawn } from '../../support/programs.js';

const PRODUCE = 'let n = 0; export const produce = () => `event ${++n}`;';

/** Runs `spate deadletter ...` to its end. */
const deadletter = async (...args: readonly string[]) => {
  const program = runProgram(['deadletter', ...args]);
  const { code } = await program.exited;
  return { code, out: program.stdout(), err: program.stderr() };
};

/** Numbers of lines such as `event 7`, sorted. */
const numbers = (lines: readonly string[]): readonly number[] =>
  lines.map((line) => Number(line.split(' ')[1])).sort((a, b) => a - b);

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n + 1);

/** Lines of a file; none when it is not there. */
const linesOf = async (path: string): Promise<readonly string[]> => {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
};

describe('a daemon whose output has nowhere to write', () => {
  let instance: Instance;
  const settings = (): readonly string[] => ['-c', join(instance.folder, 'spate.yml')];
  const arrived = (): Promise<readonly string[]> =>
    linesOf(join(instance.folder, 'out', 'place', 'events.log'));

  const outputStats = async () => {
    const { body } = await instance.api('GET', '/generators/shop/stats');
    return (body as { output: readonly { written: number; dead_lettered: number }[] }).output[0];
  };

  beforeAll(async () => {
    instance = await makeInstance({
      startup: '- {id: shop, path: shop/generator.yml, retry: {attempts: 1}}',
      generators: {
        'shop/generator.yml': `
input: [cron: {expression: '* * * * * *', count: 5}]
event: {script: {path: produce.mjs}}
output: [file: {path: ../../out/place/events.log}]
`,
        'shop/produce.mjs': PRODUCE,
      },
    });
    await instance.start();
  });
  afterAll(async () => {
    await instance.remove();
  });

  test('keeps letters, and a resend delivers them once it is mended, while the daemon runs', async () => {
    await eventually(async () => ((await arrived()).length > 0 ? true : null), 'the first event');
    // A file where the folder was: nothing can be written there.
    await rm(join(instance.folder, 'out', 'place'), { recursive: true });
    await writeFile(join(instance.folder, 'out', 'place'), 'in the way');
    await eventually(async () => {
      const { dead_lettered = 0 } = (await outputStats()) ?? {};
      return dead_lettered >= 5 ? true : null;
    }, 'letters');

    const listed = await deadletter('list', ...settings(), 'shop', '--json');
    expect(listed.code).toBe(0);
    expect(JSON.parse(listed.out)).toMatchObject([{ generator: 'shop', output: '1-file', torn: 0 }]);

    const early = await deadletter('resend', ...settings(), 'shop/1-file');
    expect(early.code).toBe(1);
    expect(early.err).toContain(join(instance.folder, 'out', 'place'));

    await rm(join(instance.folder, 'out', 'place'));
    await eventually(async () => {
      const before = (await outputStats())?.written ?? 0;
      return (await arrived()).length > 0 && before > 0 ? true : null;
    }, 'events after it was mended');
    const resent = await deadletter('resend', ...settings(), 'shop/1-file');
    expect(resent).toMatchObject({ code: 0, out: '' });
    expect(resent.err).toMatch(/shop\/1-file: \d+ letters sent in/);
    expect((await deadletter('list', ...settings())).out).toBe('There are no dead letters.\n');

    await instance.api('POST', '/generators/shop/stop');
    const { written = 0, dead_lettered = 0 } = (await outputStats()) ?? {};
    const lines = numbers(await arrived());
    // What was written before the folder went away is gone with it: the rest is there once, without a gap.
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).toEqual(upTo(written + dead_lettered).slice((lines[0] ?? 0) - 1));
    expect(dead_lettered).toBeGreaterThanOrEqual(5);
  });
});

describe('spate deadletter with the letters of a run without settings', () => {
  let folder = '';
  const state = (): readonly string[] => ['--state', join(folder, 'state')];
  const deadLetterFolder = (): string => join(folder, 'state', 'dead-letters', 'shop', '1-file');
  const out = (): string => join(folder, 'generator', 'out.log');

  const config = (output: string): Promise<void> =>
    writeFile(
      join(folder, 'generator', 'generator.yml'),
      `input: [static: {count: 300}]\nevent: {script: {path: produce.mjs}}\noutput: [${output}]\n`,
    );

  /** Letters for `event 1` to `event N`, in files of a hundred. */
  const writeLetters = async (count: number, rest = ''): Promise<void> => {
    await mkdir(deadLetterFolder(), { recursive: true });
    for (let file = 0; file * 100 < count; file++) {
      const lines = upTo(count)
        .slice(file * 100, (file + 1) * 100)
        .map((n) =>
          JSON.stringify({
            at: '2026-11-20T19:05:09+00:00',
            code: 'c',
            reason: 'r',
            event: `event ${n} ${rest}`.trimEnd(),
          }),
        );
      await writeFile(
        join(deadLetterFolder(), `${String(file + 1).padStart(8, '0')}.jsonl`),
        `${lines.join('\n')}\n`,
      );
    }
  };

  const resend = (...more: readonly string[]) =>
    deadletter('resend', ...state(), '--path', join(folder, 'generator'), ...more, 'shop/1');

  const left = async (): Promise<readonly number[]> =>
    numbers(
      (await deadletter('show', ...state(), 'shop', '--events', '--limit', '100000')).out
        .split('\n')
        .filter((line) => line !== ''),
    );

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spate-letters-'));
    await mkdir(join(folder, 'generator'));
    await writeFile(join(folder, 'generator', 'produce.mjs'), PRODUCE);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  test('spate generate --state keeps them, and they arrive by a resend', async () => {
    await config('file: {path: /dev/full}');
    const { code } = await runProgram([
      'generate',
      ...['--path', join(folder, 'generator'), '--id', 'shop', ...state()],
      ...['--live-mode', 'false', '--retry.attempts', '1'],
    ]).exited;
    expect(code).toBe(1);
    expect(await left()).toEqual(upTo(300));
    // What a resend may not do to events that are there: begin the file anew.
    await writeFile(out(), 'mine\n');
    await config('file: {path: out.log, write_mode: overwrite}');
    expect(await resend('--dry-run')).toMatchObject({ code: 0 });
    expect(await linesOf(out())).toEqual(['mine']);
    expect(await resend('--limit', '100')).toMatchObject({ code: 0 });
    expect(await left()).toEqual(upTo(300).slice(100));
    expect(await resend()).toMatchObject({ code: 0 });
    const [first, ...lines] = await linesOf(out());
    expect(first).toBe('mine');
    expect(numbers(lines)).toEqual(upTo(300));
    expect(await left()).toEqual([]);
    await rm(out());
  });

  test('a resend that is killed again and again delivers every letter and loses none', async () => {
    await config('stdout: {}');
    await writeLetters(1_000, 'x'.repeat(1_000));
    const args = ['--path', join(folder, 'generator'), '--to', '1', '--batch.size', '1', 'shop/1'];
    const arrived: string[] = [];
    const KILLS = 4;
    for (let round = 0; round < KILLS; round++) {
      // Nobody reads the pipe, so that the resend stands still in the middle of a write once it is full.
      const child = spawn(process.execPath, [CLI, 'deadletter', 'resend', ...state(), ...args], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const before = await readdir(deadLetterFolder());
      await eventually(async () => {
        const now = await readdir(deadLetterFolder());
        const isMoving = now.some((name) => /^taken-\d+-[1-9]/.test(name) && !before.includes(name));
        return isMoving ? true : null;
      }, 'letters that left');
      child.kill('SIGKILL');
      const text = (await child.stdout.toArray()).join('');
      // The last one may be torn.
      arrived.push(...text.split('\n').slice(0, -1));
      const gone = new Set([...numbers(arrived), ...(await left())]);
      expect(upTo(1_000).filter((n) => !gone.has(n))).toEqual([]);
    }
    const last = await deadletter('resend', ...state(), ...args);
    expect(last.code).toBe(0);
    arrived.push(...last.out.split('\n').slice(0, -1));
    expect([...new Set(numbers(arrived))]).toEqual(upTo(1_000));
    // Each kill repeats at most the write that was under way.
    expect(arrived.length).toBeLessThanOrEqual(1_000 + KILLS);
    expect(await readdir(deadLetterFolder())).toEqual([]);
  });

  test('letters that cannot be formatted stay with the reason, the others arrive', async () => {
    await writeLetters(10);
    const good = JSON.stringify({
      at: '2026-11-20T19:05:09+00:00',
      code: 'c',
      reason: 'r',
      event: '{"n": 1}',
    });
    await appendFile(join(deadLetterFolder(), '00000001.jsonl'), `${good}\n`);
    await config('file: {path: out.log, formatter: {format: json}}');
    const resent = await resend();
    expect(resent.code).toBe(1);
    expect(resent.err).toMatch(/1 letter sent in .*, 10 stay: it cannot be formatted: /);
    expect(await linesOf(out())).toEqual(['{"n": 1}']);
    expect(await left()).toEqual(upTo(10));
    const shown = await deadletter('show', ...state(), 'shop', '--reason', 'CANNOT be formatted', '--json');
    const letters = shown.out.split('\n').filter((line) => line !== '');
    expect(letters).toHaveLength(10);
    expect(JSON.parse(letters[0] ?? '')).toMatchObject({
      at: '2026-11-20T19:05:09+00:00',
      code: 'invalid',
      event: 'event 1',
    });
    await rm(out());
  });

  test.each([
    [
      'stdout: {}',
      /output 1 is now stdout, but the letters of shop\/1-file are for file.*It has 1 \(stdout\)\./s,
    ],
    ['file: {path: [}', /generator\.yml/],
  ])('an output that is %s now is refused and nothing is touched', async (output, message) => {
    await config(output);
    const before = await left();
    const { code, err } = await resend();
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(await left()).toEqual(before);
  });

  test('letters of an output that is gone go to the one that is named', async () => {
    await mkdir(join(folder, 'state', 'dead-letters', 'shop', '3-file'));
    const letter = { at: '2026-11-20T19:05:09+00:00', code: 'c', reason: 'r', event: 'event 7' };
    await writeFile(
      join(folder, 'state', 'dead-letters', 'shop', '3-file', '00000001.jsonl'),
      `${JSON.stringify(letter)}\n`,
    );
    await config(
      'stdout: {}, file: {path: out.log}'.replace(', file', '}, {file').replace(/^/, '{').concat('}'),
    );
    const args = ['resend', ...state(), '--path', join(folder, 'generator'), 'shop/3'] as const;
    const gone = await deadletter(...args);
    expect(gone.code).toBe(1);
    expect(gone.err).toMatch(
      /output 3, the target of the letters of shop\/3-file, is gone\. It has 1 \(stdout\), 2 \(file\)/,
    );
    expect(await deadletter(...args, '--to', '3')).toMatchObject({ code: 1 });
    const sent = await deadletter(...args, '--to', '1');
    expect(sent).toMatchObject({ code: 0, out: 'event 7\n' });
  });
});
