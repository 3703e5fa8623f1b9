import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CLI, eventually, makeInstance, runProgram } from '../support/instance.js';
import { type ChildProcessByStdio, execFileSync, spawn } from '../support/programs.js';

const SCRIPT = `export const produce = ({ timestamp }) => 'at ' + timestamp + ' ' + '.'.repeat(200);`;
const CONFIG = `
input: [timer: {seconds: 0.1, count: 500}]
event: {script: {path: produce.mjs, marks: text}}
output: [stdout: {}]
`;
const FULL = /the outputs fall behind the schedule/;
let folder = '';

/** A named pipe, held open and read by the test. */
const pipeAt = (path: string) => {
  execFileSync('mkfifo', [path]);
  const fd = fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
  const chunk = Buffer.alloc(65_536);
  let text = '';
  const read = (): number => {
    try {
      const count = fs.readSync(fd, chunk);
      text += chunk.toString('utf8', 0, count);
      return count;
    } catch {
      return 0;
    }
  };
  return {
    read,
    all: (): string => {
      while (read() > 0);
      return text;
    },
    close: (): void => fs.closeSync(fd),
  };
};

const number = (text: string | undefined): number => Number((text ?? '0').replaceAll(',', ''));

/** Counters in the final log line of a run. */
const summaryOf = (err: string) => {
  const count = (pattern: RegExp): number => number(pattern.exec(err)?.[1]);
  return {
    produced: count(/: ([\d,]+) events in/),
    written: count(/stdout: ([\d,]+) written/),
    dead_lettered: count(/written, ([\d,]+) dead-lettered/),
    abandoned: count(/([\d,]+) abandoned/),
  };
};

/** Runs a generator with a reader that stalls; returns the content of the pipe. */
const stalled = async (
  name: string,
  { at = folder, isStopped = true }: { readonly at?: string; readonly isStopped?: boolean },
  ...more: readonly string[]
) => {
  const path = join(folder, `${name}.pipe`);
  const pipe = pipeAt(path);
  const out = fs.openSync(path, 'w');
  const child = spawn(process.execPath, [CLI, 'generate', '--path', at, '--id', 'g', '-vvv', ...more], {
    cwd: folder,
    stdio: ['ignore', out, 'pipe'],
  }) as ChildProcessByStdio<null, null, Readable>;
  fs.closeSync(out);
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve));
  await eventually(async () => (pipe.read() > 0 ? true : null), 'the first events');
  if (isStopped) {
    await eventually(async () => (FULL.test(err) ? true : null), 'a full queue');
    child.kill('SIGTERM');
  }
  const code = await exited;
  const arrived = pipe.all();
  pipe.close();
  return { code, err, arrived, counts: summaryOf(err) };
};

const verify = async (text: string, ...more: readonly string[]) => {
  const file = join(folder, 'arrived');
  fs.writeFileSync(file, text);
  const program = runProgram(['verify', file, ...more]);
  return { ...(await program.exited), out: program.stdout() };
};

const lettersIn = (state: string): readonly string[] =>
  fs
    .readFileSync(join(state, 'dead-letters', 'g', '1-stdout', '00000001.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly event: string }).event);

/** A daemon with such a pipe as its only output, and without room for dead letters. */
const stalledDaemon = async () => {
  const instance = await makeInstance({
    startup: '- {id: g, path: g/generator.yml}\n',
    generators: {
      'g/produce.mjs': SCRIPT,
      'g/generator.yml': CONFIG.replace('stdout: {}', 'file: {path: out.pipe}'),
    },
  });
  const pipe = pipeAt(join(instance.folder, 'generators', 'g', 'out.pipe'));
  try {
    fs.mkdirSync(join(instance.folder, 'state'));
    fs.writeFileSync(join(instance.folder, 'state', 'dead-letters'), 'in the way');
    await instance.start();
    await instance.program().saw(FULL);
    const exit = await instance.kill('SIGTERM');
    const log = fs.readFileSync(join(instance.folder, 'logs', 'generator_g.log'), 'utf8');
    return { exit, err: instance.program().stderr(), log };
  } finally {
    pipe.close();
    await instance.remove();
  }
};

describe('a stop while the reader of an output stands still', () => {
  let runs: {
    readonly bare: Awaited<ReturnType<typeof stalled>>;
    readonly kept: Awaited<ReturnType<typeof stalled>>;
    readonly daemon: Awaited<ReturnType<typeof stalledDaemon>>;
  };
  const state = (): string => join(folder, 'state');

  // In parallel: each waits for the drain deadline.
  beforeAll(async () => {
    folder = fs.mkdtempSync(join(tmpdir(), 'spate-stalled-'));
    fs.writeFileSync(join(folder, 'produce.mjs'), SCRIPT);
    fs.writeFileSync(join(folder, 'generator.yml'), CONFIG);
    const [bare, kept, daemon] = await Promise.all([
      stalled('bare', {}),
      stalled('kept', {}, '--resume', '--state', state()),
      stalledDaemon(),
    ]);
    runs = { bare, kept, daemon };
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  test('without --state undelivered events are abandoned, with a message', async () => {
    const { code, counts, err, arrived } = runs.bare;
    expect(code).toBe(143);
    expect(counts.abandoned).toBeGreaterThan(0);
    expect(counts.written + counts.abandoned).toBe(counts.produced);
    expect(err).toMatch(/did not drain within 10 s; \d+ events were abandoned/);
    const seen = await verify(arrived, '--expect', String(counts.written));
    expect([seen.code, seen.out]).toEqual([0, expect.stringContaining('lost 0')]);
  });

  test('with --state undelivered events go to the dead letters, and --resume continues after them', async () => {
    const { code, counts, arrived } = runs.kept;
    expect(code).toBe(143);
    expect(counts.abandoned).toBe(0);
    expect(counts.dead_lettered).toBeGreaterThan(0);
    expect(counts.written + counts.dead_lettered).toBe(counts.produced);
    const letters = lettersIn(state());
    expect(letters).toHaveLength(counts.dead_lettered);

    const total = String(counts.produced + 500);
    const more = ['--id', 'g', '--resume', '--state', state(), '--limit', total];
    const next = runProgram(['generate', '--path', folder, ...more], { cwd: folder });
    expect(await next.exited).toEqual({ code: 0, signal: null });
    const all = `${arrived}${letters.map((event) => `${event}\n`).join('')}${next.stdout()}`;
    const whole = await verify(all, '--expect', total);
    expect([whole.code, whole.out]).toEqual([0, expect.stringContaining('lost 0')]);
    expect(whole.out).toContain('duplicates 0');
  });

  test('a lost thread with events in flight abandons them, with a message', async () => {
    const own = join(folder, 'lost');
    fs.mkdirSync(own);
    const script =
      "let n = 0; export const produce = () => (++n < 3_000 ? 'event '.repeat(30) : process.exit(3));";
    fs.writeFileSync(join(own, 'produce.mjs'), script);
    fs.writeFileSync(join(own, 'generator.yml'), CONFIG.replace(', marks: text', ''));
    const { code, err, arrived, counts } = await stalled('lost', { at: own, isStopped: false });
    expect(code).toBe(1);
    expect(err).toMatch(/thread was lost.*process\.exit\(3\)/);
    expect(counts.abandoned).toBeGreaterThan(0);
    expect(counts.written + counts.abandoned).toBe(counts.produced);
    expect(arrived.split('\n').length - 1).toBeGreaterThanOrEqual(counts.written);
  });

  test('a daemon reports it in the log and by its exit code', () => {
    const { exit, err, log } = runs.daemon;
    expect(exit).toEqual({ code: 1, signal: null });
    expect(err).toMatch(/spate: events were abandoned: [\d,]+; the log names/);
    expect(log).toMatch(/error +events were abandoned/);
  });
});
