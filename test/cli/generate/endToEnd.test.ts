import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CLI, freePort, runProgram } from '../../support/instance.js';
import { hasPython, spawn } from '../../support/programs.js';
import { folderWith } from '../support.js';

/** Runs the built program to its end. */
const spate = async (args: readonly string[], cwd: string) => {
  const program = runProgram(args, { cwd });
  const { code, signal } = await program.exited;
  return { code, signal, out: program.stdout(), err: program.stderr() };
};

const withScript = (script: string, input: string, output = 'stdout: {}') =>
  folderWith({
    'produce.js': script,
    'generator.yml': `input:\n  - ${input}\nevent:\n  script: {path: produce.js}\noutput:\n  - ${output}\n`,
  });

const LINE = 'export const produce = ({ timestamp, random }) => `${timestamp} ${random.integer(1, 1e9)}`;\n';

const EVENTS = ['template', 'script', ...(hasPython('import zoneinfo') ? ['python'] : [])];

test.each(EVENTS)('from init over validate and preview to events of a %s', async (event) => {
  const cwd = await folderWith({});
  expect(await spate(['init', 'demo', '--event', event], cwd)).toMatchObject({ code: 0, err: '' });
  expect(await spate(['validate', 'demo'], cwd)).toMatchObject({
    code: 0,
    out: '1 file is valid\n',
    err: '',
  });
  const preview = await spate(['preview', 'demo', '-n', '4'], cwd);
  expect(preview).toMatchObject({ code: 0, err: '' });
  const [times = '', events = ''] = preview.out.split('\nEvents:\n');
  expect(times.trimEnd().split('\n')).toHaveLength(5);
  // The first line is the heading of the list.
  expect(
    events
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly time: string }).time),
  ).toEqual(
    times
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.trim()),
  );
  const run = await spate(['generate', '--path', 'demo', '--live-mode', 'false', '--limit', '25'], cwd);
  expect(run).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^demo: 25 events in .*; stdout: 25 written\n$/),
  });
  const lines = run.out.trimEnd().split('\n');
  expect(lines).toHaveLength(25);
  for (const line of lines)
    expect(Object.keys(JSON.parse(line) as object)).toEqual(['time', 'user', 'action']);
});

test('a template that cannot be read is placed in its config file, parameters are not', async () => {
  const cwd = await folderWith({
    'demo/a.jinja': '{{ 1 }',
    'demo/generator.yml':
      'input: [static: {count: 1}]\nevent: {template: {mode: all, templates: [{a: {template: a.jinja}}]}}\noutput: [stdout: {}]\n',
  });
  const { code, err } = await spate(['generate', 'demo'], cwd);
  expect([code, err.split('\n')[0]]).toEqual([
    1,
    expect.stringMatching(/^spate: demo\/generator\.yml: templates\[0\]\.a\.template: .*a\.jinja:1:/),
  ]);
  const wrong = await spate(['generate', 'demo', '--param', 'rate=1'], cwd);
  expect(wrong.err).toMatch(/^spate: params\.rate: /);
});

test('a preview does not touch the outputs of the config', async () => {
  const cwd = await withScript(LINE, 'timer: {seconds: 60, count: 1}', 'file: {path: out.log}');
  const { code, out } = await spate(['preview', '.'], cwd);
  expect(code).toBe(0);
  expect(out.split('\nEvents:\n')[1]?.trimEnd().split('\n')).toHaveLength(10);
  await expect(readFile(join(cwd, 'out.log'))).rejects.toThrow('ENOENT');
});

test('the same seed at the same time gives the same bytes, another seed others', async () => {
  const cwd = await withScript(LINE, 'timer: {seconds: 1, count: 3}');
  const bytes = async (seed: string): Promise<string> => {
    const fixed = ['--live-mode', 'false', '--limit', '30', '--now', '2026-01-31T12:00:00Z'];
    return (await spate(['generate', '--path', '.', '--seed', seed, ...fixed], cwd)).out;
  };
  const first = await bytes('42');
  expect(first).toMatch(/^2026-01-31T12:00:01/);
  expect(await bytes('42')).toBe(first);
  expect(await bytes('43')).not.toBe(first);
});

test('--from begins in the past and goes on at the present, with one count and an event every 10 ms', async () => {
  const past = 300;
  const script = `let n = 0;
export const produce = ({ timestamp }) => \`\${++n} \${timestamp.epochMilliseconds} \${Date.now()}\`;
`;
  const cwd = await withScript(script, 'rate: {events_per_second: 100}', 'stdout: {flush_interval: 0}');
  const { code, out, err } = await spate(
    ['generate', '--path', '.', '--from', '-3s', '--limit', String(past + 100), '-q'],
    cwd,
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const rows = out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  expect(rows.map(([n]) => n)).toEqual(Array.from({ length: past + 100 }, (_, at) => at + 1));
  const begin = rows[0]?.[1] ?? 0;
  for (const [at, [, time = 0]] of rows.entries())
    expect(Math.abs(time - begin - at * 10)).toBeLessThanOrEqual(1);
  // Made before they are due: only those of the live part can be.
  const early = rows.filter(([, time = 0, made = 0]) => made < time - 1_000);
  expect(early).toEqual([]);
  expect(rows.filter(([n = 0, time = 0, made = 0]) => n <= past && made >= time)).toHaveLength(past);
});

test('--from without its minus is refused: it would wait for a week', async () => {
  const cwd = await withScript(LINE, 'timer: {seconds: 1, count: 1}');
  const { code, err } = await spate(['generate', '--path', '.', '--from', '7d'], cwd);
  expect({ code: code === 0, err }).toEqual({
    code: false,
    err: expect.stringMatching(/from.* must be a duration before the start, like -7d/s),
  });
});

describe('exit codes of generate', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s delivers what is in flight, then %i', async (signal, expected) => {
    const cwd = await withScript(LINE, 'timer: {seconds: 0.1, count: 50}');
    const program = runProgram(['generate', '--path', '.', '-vvvv'], { cwd });
    await program.saw(/generator starts/);
    await new Promise((resolve) => program.child.stdout?.once('data', resolve));
    program.child.kill(signal);
    expect(await program.exited).toEqual({ code: expected, signal: null });
    const lines = program.stdout().split('\n');
    expect(lines.pop()).toBe('');
    // A stop may come between events of one time: what counts is that all that were made arrive, whole.
    expect(lines.filter((line) => !/^\d{4}-\d\d-\d\dT\S+ \d+$/.test(line))).toEqual([]);
    expect(program.stderr()).toContain(`${lines.length} written`);
  });

  test('events that fail: 1 and how many; 0 with --allow-failures', async () => {
    const script =
      "let n = 0;\nexport const produce = () => { if (++n % 5 === 0) throw new Error('no'); return 'x'; };\n";
    const cwd = await withScript(script, 'static: {count: 20}');
    const args = ['generate', '--path', '.', '--live-mode', 'false'];
    expect(await spate(args, cwd)).toMatchObject({
      code: 1,
      out: 'x\n'.repeat(16),
      err: expect.stringMatching(
        /^(.* error .*reason="Error: no \(produce\.js:2:\d+\)".*\n){4}.*: 16 events in .*, 4 failed; stdout: 16 written\nspate: 4 events could not be produced: Error: no \(produce\.js:2:\d+\)\. --allow-failures accepts it\.\n$/,
      ),
    });
    expect(await spate([...args, '--allow-failures', '--quiet'], cwd)).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^spate: 4 events could not be produced: Error: no .*\.\n$/),
    });
  });

  test.each([
    ['a config that is not valid', 'output: []\n', /generator\.yml:\d+:\d+: /],
    ['a config that is no YAML', 'input: [', /generator\.yml:\d+:\d+: /],
  ])('%s: 1, a place and no stack', async (_, text, message) => {
    const cwd = await folderWith({ 'generator.yml': text });
    const { code, out, err } = await spate(['generate', '--path', 'generator.yml'], cwd);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(message);
    expect(err).not.toMatch(/^\s+at /m);
  });

  test('a reader that goes away ends it with 1 and a sentence', async () => {
    const cwd = await withScript(LINE, 'timer: {seconds: 1, count: 1000}');
    const program = runProgram(['generate', '--path', '.', '--live-mode', 'false'], { cwd });
    program.child.stdout?.once('data', () => program.child.stdout?.destroy());
    expect(await program.exited).toEqual({ code: 1, signal: null });
    // A reader that leaves in the middle of a write has some of its events.
    const shown = /^(?:\S+ error +partial write .*\n)?.*: [\d,]+ events in .*\nspate: .*reader.*\n$/;
    expect(program.stderr()).toMatch(shown);
    expect(program.stderr()).not.toMatch(/^\s+at /m);
  });
});

test.each(['schema', 'preview . -n 1000'])('a pipe that closes early ends %s quietly', async (line) => {
  const cwd = await withScript(LINE, 'timer: {seconds: 1, count: 1000}');
  const child = spawn('sh', ['-c', `"${process.execPath}" "${CLI}" ${line} | head -c 10`], { cwd });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  await new Promise((resolve) => child.on('close', resolve));
  expect(err).toBe('');
});

test('run says where it listens and where events go, takes SIGHUP, and SIGTERM ends it with 0', async () => {
  const cwd = await withScript(LINE, 'timer: {seconds: 0.2, count: 1}', 'file: {path: out/events.log}');
  const port = await freePort();
  const settings = `server: {host: 127.0.0.1, port: ${port}}\ngeneration: {}\nlog: {}\npath: {logs: logs, startup: startup.yml, generators_dir: ., keyring_cryptfile: k}\n`;
  await writeFile(join(cwd, 'spate.yml'), settings);
  await writeFile(join(cwd, 'startup.yml'), '- {id: demo, path: generator.yml}\n');
  const program = runProgram(['run', '-c', 'spate.yml'], { cwd });
  await program.saw(new RegExp(`listens on http://127.0.0.1:${port}`));
  await program.saw(/demo: events to file .*out\/events\.log\n/);
  expect((await fetch(`http://127.0.0.1:${port}/api/openapi.json`)).status).toBe(200);
  program.child.kill('SIGHUP');
  await program.saw(/reloaded: generators 1 untouched/);
  // Other log settings are what only a new start of the instance can apply.
  await writeFile(join(cwd, 'spate.yml'), settings.replace('log: {}', 'log: {level: warning}'));
  program.child.kill('SIGHUP');
  await program.saw(/(listens on[\s\S]*){2}/);
  program.child.kill('SIGTERM');
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.stdout()).toBe('');
});

test('a port that is taken ends run with 1 and a sentence', async () => {
  const cwd = await folderWith({ 'startup.yml': '[]\n' });
  const port = await freePort();
  const settings = `server: {host: 127.0.0.1, port: ${port}}\ngeneration: {}\nlog: {}\npath: {logs: l, startup: startup.yml, generators_dir: ., keyring_cryptfile: k}\n`;
  await writeFile(join(cwd, 'spate.yml'), settings);
  const first = runProgram(['run', '-c', 'spate.yml'], { cwd });
  await first.saw(/listens on/);
  // Another instance: one folder of state has one service.
  await writeFile(join(cwd, 'other.yml'), settings.replace('path: {', 'path: {state: other, '));
  const { code, err } = await spate(['run', '-c', 'other.yml'], cwd);
  expect(code).toBe(1);
  // Once: a log line with the same reason would be the second.
  expect(err).toMatch(new RegExp(`^spate: .*:${port}: another program uses the port\\.[^\\n]*\\n$`));
  first.child.kill('SIGTERM');
  await first.exited;
});
