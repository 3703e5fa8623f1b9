import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../src/adapters/files/files.js';
import { systemClock } from '../../src/adapters/systemClock.js';
import { pseudoFileSystem } from '../../src/domain/directory.js';
import { Failed } from '../../src/domain/errors.js';
import {
  enterRead,
  type InputFile,
  leaveRead,
  MAX_READS,
  openInputFile,
  READ_TIMEOUT_MS,
  readInputFile,
  readTextSync,
} from '../../src/plugins/shared/inputFile.js';
import { fakeClock } from '../support/clocks/fakeClock.js';
import { eventually, makeInstance, runProgram } from '../support/instance.js';
import { execFileSync } from '../support/programs.js';

let folder = '';
const at = (name: string): string => join(folder, name);
const server = createServer();

beforeAll(async () => {
  folder = fs.mkdtempSync(join(tmpdir(), 'spate-blocked-'));
  execFileSync('mkfifo', [at('pipe')]);
  fs.mkdirSync(at('directory'));
  fs.writeFileSync(at('file'), 'one\ntwo\n');
  await new Promise<void>((resolve) => server.listen(at('socket'), resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Paths that are no regular files, with the reason. */
const NO_FILES: readonly (readonly [string, () => string, RegExp])[] = [
  ['a named pipe without a writer', () => at('pipe'), /named pipe/],
  ['a directory', () => at('directory'), /directory/],
  ['a socket', () => at('socket'), /ENXIO|socket/],
  ['/dev/zero', () => '/dev/zero', /not a regular file/],
  ['/dev/tty', () => '/dev/tty', /not a regular file|ENXIO/],
  ['/proc/kmsg', () => '/proc/kmsg', /belongs to the kernel \(proc\)|EACCES|EPERM|permitted|denied/],
  ['/proc/self/status', () => '/proc/self/status', /belongs to the kernel \(proc\)/],
  ['/sys/kernel/uevent_seqnum', () => '/sys/kernel/uevent_seqnum', /belongs to the kernel \(sysfs\)|ENOENT/],
];

describe('a path that is no regular file is refused at once, with the reason', () => {
  test.each(NO_FILES)('%s', async (_what, path, reason) => {
    await expect(openInputFile(path(), systemClock)).rejects.toThrow(reason);
    expect(() => readTextSync(path())).toThrow(reason);
    const text = await nodeFiles.readText(path(), 1_000);
    expect(E.isLeft(text)).toBe(true);
  });

  test('a regular file is read, whole and up to a limit', async () => {
    expect(String(await readInputFile(at('file'), systemClock, 8))).toBe('one\ntwo\n');
    expect(await readInputFile(at('file'), systemClock, 7)).toBeNull();
    expect(readTextSync(at('file'))).toBe('one\ntwo\n');
    expect([0x9fa0, 0x62656572, 0xef53].map(pseudoFileSystem)).toEqual(['proc', 'sysfs', null]);
  });

  const SECTIONS: readonly (readonly [string, (path: string) => string])[] = [
    ['replay', (path) => `input: [static: {count: 1}]\nevent: {replay: {path: ${path}}}`],
    ['timestamps', (path) => `input: [timestamps: {source: ${path}}]\nevent: {replay: {path: file}}`],
    ['script', (path) => `input: [static: {count: 1}]\nevent: {script: {path: ${path}}}`],
    [
      'samples',
      (path) =>
        `input: [static: {count: 1}]\nevent: {template: {mode: all, samples: {s: {type: csv, source: ${path}}}, templates: [t: {template: t.jinja}]}}`,
    ],
  ];

  test.each(SECTIONS)(
    'spate generate with such a file for %s ends with 1 and names the file',
    async (kind, sections) => {
      const own = fs.mkdtempSync(join(folder, kind));
      const name = kind === 'samples' ? 'x.csv' : kind === 'script' ? 'x.mjs' : 'x';
      execFileSync('mkfifo', [join(own, name)]);
      fs.writeFileSync(join(own, 't.jinja'), 'x');
      fs.writeFileSync(join(own, 'file'), 'x\n');
      fs.writeFileSync(join(own, 'generator.yml'), `${sections(name)}\noutput: [stdout: {}]\n`);
      const program = runProgram(['generate', '--path', own, '--live-mode', 'false']);
      expect(await program.exited).toEqual({ code: 1, signal: null });
      expect(program.stderr()).toMatch(/named pipe|is not a file/);
      expect(program.stderr()).toContain(name);
    },
  );

  test('a config that is such a file is refused too', async () => {
    const program = runProgram(['generate', '--path', '/proc/self/status']);
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.stderr()).toMatch(/belongs to the kernel/);
  });

  test('five generators of them in a daemon do not keep files from a sixth', async () => {
    const config = (path: string): string =>
      `input: [timer: {seconds: 0.1, count: 1}]\nevent: {replay: {path: ${path}, repeat: true}}\noutput: [file: {path: out.log}]\n`;
    const ids = [1, 2, 3, 4, 5].map((n) => `bad${n}`);
    const instance = await makeInstance({
      startup: [...ids, 'good'].map((id) => `- {id: ${id}, path: ${id}/generator.yml}\n`).join(''),
      generators: {
        ...Object.fromEntries(ids.map((id) => [`${id}/generator.yml`, config(at('pipe'))])),
        'good/generator.yml': config('log'),
        'good/log': 'one\n',
      },
    });
    try {
      await instance.start();
      await eventually(async () => {
        const { body } = await instance.api('GET', '/generators/bad1/status');
        return (body as { readonly phase: string }).phase === 'failed' ? true : null;
      }, 'the failure');
      await eventually(
        async () => ((await instance.file('generators/good/out.log').catch(() => '')) === '' ? null : true),
        'an event of the good one',
      );
      expect(await instance.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    } finally {
      await instance.remove();
    }
  });
});

describe('the plugins that read files', () => {
  /** Besides these only outputs, which write, may open files. */
  const OPENERS = [
    // A file of a package.
    'events/script/loader/source.ts',
    // Its own files: to append to an Avro file, and to compress a full one.
    'outputs/file/openPath.ts',
    'outputs/file/rotation.ts',
    'shared/inputFile.ts',
    'shared/templateFiles.ts',
    // package.json, checked to be a regular file, at the start only.
    'thirdParty/load.ts',
  ];
  const OPENS = /\b(open|openSync|readFile|readFileSync|createReadStream)\b[^;]*from 'node:fs/;

  test('open files in one place, which refuses others than regular files', () => {
    const root = join(import.meta.dirname, '..', '..', 'src', 'plugins');
    const opening = (fs.readdirSync(root, { recursive: true }) as string[]).filter(
      (name) => name.endsWith('.ts') && OPENS.test(fs.readFileSync(join(root, name), 'utf8')),
    );
    expect(opening.sort()).toEqual(OPENERS);
  });
});

describe('a file system that does not answer', () => {
  const hanging = (): InputFile & { readonly calls: () => number } => {
    let calls = 0;
    const never = (): Promise<never> => {
      calls++;
      return new Promise(() => {});
    };
    return { read: never, stat: never, close: never, calls: () => calls };
  };

  test('ends the read after its deadline with `timed_out`; the file is not asked again', async () => {
    const clock = fakeClock();
    const file = hanging();
    const opened = await openInputFile('/mnt/x', clock, async () => file);
    const reading = opened.read(Buffer.alloc(1), 0, 1, 0).catch((thrown: unknown) => thrown);
    await clock.advanceMs(READ_TIMEOUT_MS - 1);
    expect(file.calls()).toBe(1);
    await clock.advanceMs(1);
    const thrown = await reading;
    expect(thrown).toBeInstanceOf(Failed);
    expect((thrown as Failed).error).toMatchObject({
      code: 'timed_out',
      message: expect.stringContaining('/mnt/x'),
    });
    await expect(opened.stat()).rejects.toThrow('did not respond');
    await opened.close();
    expect(file.calls()).toBe(1);
    leaveRead();
  });

  test('leaves a thread of the pool to other reads: the number of hanging reads is bounded', async () => {
    const clock = { ...fakeClock(), monotonicMs: () => performance.now() * 100 };
    for (let n = 0; n < MAX_READS; n++) expect(await enterRead(clock, 0)).toBe(true);
    expect(await enterRead(clock, 0)).toBe(false);
    const waiting = enterRead(clock, 100_000);
    leaveRead();
    expect(await waiting).toBe(true);
    for (let n = 0; n < MAX_READS; n++) leaveRead();
  });
});

describe('a thread that hangs in the system', () => {
  /** Blocks all threads of the pool in an open that never returns. */
  const hangingRun = (name: string, wait: string): string => {
    const own = at(name);
    fs.mkdirSync(own);
    fs.writeFileSync(
      join(own, 'produce.mjs'),
      `import { readFile, readFileSync, writeFileSync } from 'node:fs';
export const produce = () => {
  writeFileSync(${JSON.stringify(join(own, 'begun'))}, '');
  ${wait}
  return 'event';
};`,
    );
    fs.writeFileSync(
      join(own, 'generator.yml'),
      'input: [timer: {seconds: 0.1, count: 1}]\nevent: {script: {path: produce.mjs}}\noutput: [stdout: {}]\n',
    );
    return own;
  };
  const SYNC = (): string => `readFileSync(${JSON.stringify(at('pipe'))});`;
  const ASYNC = (count = 5): string =>
    `for (let n = 0; n < ${count}; n++) readFile(${JSON.stringify(at('pipe'))}, () => {});`;
  const begun = (own: string): Promise<true> =>
    eventually(async () => (fs.existsSync(join(own, 'begun')) ? true : null), 'the read that hangs');

  test.each([
    ['in a read on its own thread', SYNC],
    ['in four reads of the pool', ASYNC],
  ] as const)('%s: the second signal ends the program at once', async (name, wait) => {
    const own = hangingRun(name.replaceAll(' ', '-'), wait());
    const program = runProgram(['generate', '--path', own]);
    await begun(own);
    program.child.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 200));
    program.child.kill('SIGTERM');
    expect(await program.exited).toEqual({ code: null, signal: 'SIGTERM' });
  });

  test('does not keep an ended run alive: the process is killed, with the reason', async () => {
    const own = hangingRun('limit', ASYNC(3));
    const program = runProgram(['generate', '--path', own, '--limit', '1']);
    expect(await program.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(program.stdout()).toBe('event\n');
    expect(program.stderr()).toMatch(/killed, because a read or write hangs/);
  });
});
