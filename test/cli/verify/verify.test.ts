import { once } from 'node:events';
import { openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { events, linesOf, marked } from '../../analysis/verify/support.js';
import { CLI, runProgram } from '../../support/instance.js';
import { type ChildProcess, spawn } from '../../support/programs.js';
import { fakeIo, folderWith, spate } from '../support.js';

const GOOD = linesOf(events(20));

const verify = async (files: Readonly<Record<string, string>>, line: string | readonly string[]) => {
  const cwd = await folderWith(files);
  const args = typeof line === 'string' ? line.split(' ') : line;
  return spate(['verify', ...args], fakeIo({ cwd }));
};

/** Without the figures that time makes. */
const timeless = (text: string): string => text.replace(/ in [\d.,]+ s( \([\d.,]+\/s\))?/, ' in TIME');

describe('verify', () => {
  test('a complete file: report and exit code 0', async () => {
    const { code, out, err } = await verify({ 'a.log': GOOD }, 'a.log --expect 20');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(timeless(out)).toBe(`stream 00000001: 20 events, numbers 1..20
  lost 0
  duplicates 0
  out of order 0
20 lines in TIME
ok: all 20 events arrived
`);
  });

  test('the report lists every kind of problem with its line', async () => {
    const all = events(30);
    const [, two = '', three = '', , five = ''] = all;
    const kept = all.filter((_, i) => i !== 9 && !(i >= 16 && i < 20));
    kept[4] = five.replace('event', 'EVENT');
    // 12 and 13, after the lost 10.
    kept.splice(10, 2, kept[11] ?? '', kept[10] ?? '');
    const lines = ['head', ...kept, three, two, 'tail'];
    const text = linesOf(lines) + marked(31, 'last').slice(0, -3);
    const { code, out } = await verify({ 'b.log': text }, 'b.log');
    expect(code).toBe(1);
    expect(timeless(out)).toBe(`stream 00000001: 24 events, numbers 1..30
  lost 6 (5, 10, 17-20)
  duplicates 2 (3, 2)
  out of order 1
30 lines in TIME
  without a mark 2 (line 1, line 29)
  torn 1 (line 30)
  wrong checksum 1 (line 6: 00000001:5)
not ok: 6 events are lost, 2 duplicates, 1 wrong checksum, 1 torn line
`);
  });

  test('of several files lines are named with the file; lists are cut where --max-shown says', async () => {
    const text = linesOf([...events(9).filter((_, i) => i % 2 === 0), 'x', 'y', 'z']);
    const { code, out } = await verify({ 'a.log': text, 'b.log': text }, 'a.log b.log --max-shown 1');
    expect(code).toBe(1);
    expect(out).toContain('lost 4 (2, ...)');
    expect(out).toContain('duplicates 5 (1, ...)');
    expect(out).toContain('without a mark 6 (a.log:6, ...)');
  });

  test('--allow-duplicates accepts delivery at least once, nothing else', async () => {
    const twice = GOOD + GOOD.slice(0, -30);
    expect((await verify({ 'a.log': twice }, 'a.log')).code).toBe(1);
    expect((await verify({ 'a.log': twice }, 'a.log --allow-duplicates')).code).toBe(0);
    expect((await verify({ 'a.log': twice }, 'a.log --allow-duplicates --expect 21')).code).toBe(1);
  });

  test('--json prints the report for machines', async () => {
    const { code, out } = await verify({ 'a.log': linesOf(events(5).slice(1)) }, 'a.log --json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      problems: ['1 event is lost'],
      lines: 4,
      events: 4,
      streams: [{ stream: '00000001', lost: { count: 1, ranges: [[1, 1]] }, latency_ms: null }],
      seconds: expect.any(Number),
    });
  });

  test('no marks: exit code 1 and how to enable them', async () => {
    const { code, out, err } = await verify({ 'a.log': 'a\nb\n' }, 'a.log');
    expect(code).toBe(1);
    expect(out).toContain('not ok: no line has a mark');
    expect(err).toContain('`marks: text`');
  });

  test.each([
    ['', 'nothing to verify: give a FILE'],
    ['--query x', '--query needs --clickhouse'],
    ['a.log --password-file x', '--password-file needs --clickhouse'],
    ['a.log --clickhouse http://localhost:1 --query x', 'either FILE or --clickhouse'],
    ['--clickhouse http://localhost:1', '--clickhouse needs --query'],
    ['--clickhouse localhost:1 --query x', 'must be a URL such as'],
    ['--clickhouse http://u:secret@localhost:1 --query x', 'must hold no credentials'],
    ['--clickhouse http://localhost:1 --arrival-column a --query=x\tFORMAT\tCSV', 'whose columns have names'],
    ['a.log --expect 0', '--expect must be an integer'],
  ])('%j is wrong usage: %s', async (line, message) => {
    const { code, out, err } = await verify(
      {},
      line.split(' ').filter((word) => word !== ''),
    );
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
    expect(err).not.toContain('secret');
  });

  test('a file that cannot be read: the reason, exit code 1', async () => {
    expect(await verify({}, 'gone.log')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/cannot read .*gone\.log: it does not exist/),
    });
    expect((await verify({ 'd/a.log': '' }, 'd')).err).toContain('it is a directory');
    const missing = '--clickhouse http://127.0.0.1:1 --query x --password-file gone';
    expect((await verify({}, missing)).err).toContain('gone: it does not exist');
    expect((await verify({}, '--clickhouse http://127.0.0.1:1 --query x')).err).toContain(
      'cannot read from ClickHouse at http://127.0.0.1:1: connection refused',
    );
  });

  test('a hundred thousand lines with a hole are counted exactly', async () => {
    const cwd = await folderWith({});
    for (const mode of ['text', 'json'] as const) {
      const file = await open(join(cwd, 'long.log'), 'w');
      for (let i = 0; i < 100_000; i += 10_000) {
        const lines = Array.from({ length: 10_000 }, (_, k) =>
          marked(i + k + 1, mode === 'json' ? `{"n":${i + k}}` : `GET /${i + k}`, mode),
        );
        await file.write(linesOf(i === 50_000 ? lines.slice(0, -3) : lines));
      }
      await file.close();
      const { code, out } = await spate('verify long.log --expect 100000', fakeIo({ cwd }));
      expect(code).toBe(1);
      expect(out).toContain('99,997 events');
      expect(out).toContain('lost 3 (59998-60000)');
    }
  });
});

/** More than any pipe holds. */
const NOISE = 'no event\n'.repeat(500_000);

/** The built program with a standard input. */
const withStdin = (stdin: 'pipe' | number, args: readonly string[] = []) => {
  const child: ChildProcess = spawn(process.execPath, [CLI, 'verify', '-', ...args], {
    stdio: [stdin, 'pipe', 'pipe'],
  });
  const texts = { out: '', err: '' };
  child.stdout?.on('data', (chunk: Buffer) => {
    texts.out += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    texts.err += chunk.toString();
  });
  const exited = once(child, 'close').then(([code]) => code as number);
  const saw = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(texts.err)) await once(child.stderr ?? child, 'data');
  };
  /** Writes so much that the program must have read some of it: it handles signals from then on. */
  const writeAndBeRead = async (text: string): Promise<void> => {
    await new Promise((resolve) => child.stdin?.write(text + NOISE, resolve));
  };
  return { child, texts, exited, saw, writeAndBeRead };
};

const GENERATOR = `
input:
  - timer: {seconds: 0.1, count: 20}
event:
  replay: {path: lines.log, repeat: true, marks: text}
output:
  - stdout: {}
`;

describe('verify from standard input (built program)', () => {
  test('events of a live generator: nothing lost, and how long they took', async () => {
    const folder = await folderWith({ 'generator.yml': GENERATOR, 'lines.log': 'a\nb\n' });
    const verifier = withStdin('pipe', ['--json', '--expect', '100']);
    const generator = runProgram(['generate', '--path', folder, '--limit', '100']);
    generator.child.stdout?.pipe(verifier.child.stdin as NodeJS.WritableStream);
    expect(await verifier.exited).toBe(0);
    const report = JSON.parse(verifier.texts.out) as { streams: { latency_ms: unknown }[] };
    expect(report).toMatchObject({ ok: true, events: 100, unchecked: 0, streams: [{ out_of_order: 0 }] });
    expect(report.streams[0]?.latency_ms).toMatchObject({ early: 0, max: expect.any(Number) });
    process.stderr.write(`live latency ${JSON.stringify(report.streams[0]?.latency_ms)}\n`);
  });

  test('a redirected file has no latency', async () => {
    const folder = await folderWith({ 'a.log': GOOD });
    const { texts, exited } = withStdin(openSync(join(folder, 'a.log'), 'r'), ['--json']);
    expect(await exited).toBe(0);
    expect(JSON.parse(texts.out)).toMatchObject({ events: 20, streams: [{ latency_ms: null }] });
  });

  test('the first Ctrl-C reads what still comes; the report is whole', async () => {
    const { child, texts, exited, saw, writeAndBeRead } = withStdin('pipe');
    await writeAndBeRead(linesOf(events(3)));
    child.kill('SIGINT');
    await saw(/reading to the end/);
    child.stdin?.end(linesOf(events(5).slice(3)));
    expect(await exited).toBe(0);
    expect(texts.out).toContain('all 5 events arrived');
  });

  test('SIGTERM ends reading: the report of what came, and the exit code of the signal', async () => {
    const { child, texts, exited, saw, writeAndBeRead } = withStdin('pipe');
    await writeAndBeRead(linesOf(events(3)));
    child.kill('SIGINT');
    await saw(/reading to the end/);
    child.kill('SIGTERM');
    expect(await exited).toBe(143);
    expect(texts.out).toContain('numbers 1..3');
  });
});
