import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readLines } from '../../../src/adapters/processes/frames.js';
import { isSameProcess, processStart } from '../../../src/adapters/processes/proc.js';
import { HAS_PYTHON, NEEDS_PYTHON } from '../../plugins/events/script/python/scripts.js';
import { eventually } from '../../support/instance.js';
import { spawn } from '../../support/programs.js';

const DIST = join(import.meta.dirname, '..', '..', '..', 'dist', 'src');
const folder = mkdtempSync(join(tmpdir(), 'spate-python-process-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A thread starts a script that never returns; then the thread is terminated, and the program stays. */
const PROGRAM = `
import { isMainThread, Worker } from 'node:worker_threads';
if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  process.stdin.on('data', () => worker.terminate());
} else {
  const { pythonProcesses } = await import('${pathToFileURL(join(DIST, 'adapters/processes/pythonProcess.js')).href}');
  const python = pythonProcesses(new URL('${pathToFileURL(join(DIST, 'plugins/events/script/python/child/main.py')).href}'), 256);
  const child = python.start(
    { interpreter: 'python3', directory: '${folder}', env: {} },
    { onFrame: () => {}, onBroken: () => {}, onLine: () => {}, onEnd: () => {} },
  );
  child.send(Buffer.from('I' + JSON.stringify({
    file: '${folder}/hang.py', shown: 'hang.py', directory: '${folder}', drafts: {}, zone: 'UTC', params: {},
    partition: { index: 0, count: 1 }, seed: '1', memory_mb: 256, parent: python.pid, counts_calls: false,
  })));
}
`;

/** Holds the global lock of the interpreter: no thread of Python can run. */
const HANG = `import os, re
with open('pid', 'w') as f: f.write(str(os.getpid()) + ' ')
re.match('(a+)+b', 'a' * 200)
`;

(HAS_PYTHON ? describe : describe.skip)(`a Python process ${NEEDS_PYTHON}`, () => {
  test('ends with the thread that started it, even in a call that never ends', async () => {
    writeFileSync(join(folder, 'program.mjs'), PROGRAM);
    writeFileSync(join(folder, 'hang.py'), HANG);
    const program = spawn(process.execPath, [join(folder, 'program.mjs')], {
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    try {
      const pid = await eventually(async () => {
        try {
          return Number(/^(\d+) $/.exec(readFileSync(join(folder, 'pid'), 'utf8'))?.[1] ?? 0) || null;
        } catch {
          return null;
        }
      }, 'the script runs');
      const start = await processStart(pid);
      expect(await isSameProcess(pid, start)).toBe(true);
      program.stdin.write('end the thread\n');
      await eventually(async () => ((await isSameProcess(pid, start)) ? null : true), 'its end');
      expect(program.exitCode).toBeNull();
    } finally {
      program.kill('SIGKILL');
    }
  });
});

describe('lines of a stream', () => {
  const linesOf = async (...chunks: readonly (string | Buffer)[]): Promise<readonly string[]> => {
    const lines: string[] = [];
    const stream = new PassThrough();
    readLines(stream, (line) => lines.push(line));
    const ended = new Promise((resolve) => stream.on('end', resolve));
    for (const chunk of chunks) stream.write(chunk);
    stream.end();
    await ended;
    return lines;
  };

  test('are joined from chunks, without empty ones', async () => {
    expect(await linesOf('a', 'b\n\nc\nd', 'e')).toEqual(['ab', 'c', 'de']);
  });

  test('may have characters on two chunks', async () => {
    const bytes = Buffer.from('ж\n');
    expect(await linesOf(bytes.subarray(0, 1), bytes.subarray(1))).toEqual(['ж']);
  });

  test('are cut when long, and the next is whole', async () => {
    const [long, next] = await linesOf('x'.repeat(9_000), 'y'.repeat(9_000), '\nnext\n');
    expect(long).toHaveLength(8_193);
    expect(next).toBe('next');
  });
});
