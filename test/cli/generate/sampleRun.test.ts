import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CLI, runProgram } from '../../support/instance.js';
import { spawn } from '../../support/programs.js';

const COUNT = 1_000_000;
const MAX_RESIDENT_MB = 200;

const LOG = Array.from(
  { length: 10_000 },
  (_, i) =>
    `10.0.${i % 256}.7 - - [20/Nov/2025:19:05:${String(i % 60).padStart(2, '0')} +0000] "GET /page/${i} HTTP/1.1" 200 ${i} "-" "Mozilla/5.0"\n`,
).join('');

const config = (output: string): string => `
input:
  - linspace: {start: 2026-01-01T00:00:00Z, end: +10000s, count: ${COUNT}, endpoint: false}
event:
  replay:
    path: access.log
    timestamp_pattern: '\\[(?<timestamp>[^\\]]+)\\]'
    timestamp_format: '%d/%b/%Y:%H:%M:%S %z'
    repeat: true
output:
  - ${output}
`;

/** Highest resident memory that the kernel saw of the process, in MB; the last value before it ends. */
const peakOf = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
};

describe('a sample run of a million replayed lines', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spate-sample-'));
    await writeFile(join(folder, 'access.log'), LOG);
    await writeFile(join(folder, 'file.yml'), config('file: {path: out.log}'));
    await writeFile(join(folder, 'stdout.yml'), config('stdout: {}'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('writes exactly a million lines with new timestamps in order, within 200 MB', async () => {
    const program = runProgram(['generate', '--path', join(folder, 'file.yml'), '--live-mode', 'false']);
    let peak = 0;
    while (program.child.exitCode === null) {
      peak = Math.max(peak, await peakOf(program.child.pid ?? 0).catch(() => 0));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await program.exited).toEqual({ code: 0, signal: null });
    const text = await readFile(join(folder, 'out.log'), 'latin1');
    const lines = text.slice(0, -1).split('\n');
    expect(lines).toHaveLength(COUNT);
    const start = Date.parse('2026-01-01T00:00:00Z');
    const wrong = lines.findIndex((line, index) => {
      const [, stamp = ''] = /\[([^\]]+)\]/.exec(line) ?? [];
      const second = Math.floor(index / 100);
      const at = new Date(start + second * 1000).toISOString();
      const expected = `${at.slice(8, 10)}/Jan/2026:${at.slice(11, 19)} +0000`;
      return stamp !== expected || !line.includes(`/page/${index % 10_000} `);
    });
    expect(wrong).toBe(-1);
    process.stderr.write(`peak resident memory: ${peak.toFixed(0)} MB\n`);
    expect(peak).toBeGreaterThan(20);
    expect(peak).toBeLessThan(MAX_RESIDENT_MB);
  });

  test('a reader that stalls for five seconds neither raises memory nor loses a line', async () => {
    const child = spawn(
      process.execPath,
      [CLI, 'generate', '--path', join(folder, 'stdout.yml'), '--live-mode', 'false'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let lines = 0;
    let last = '';
    const read = (chunk: Buffer): void => {
      for (const byte of chunk) if (byte === 10) lines++;
      last = chunk.toString('latin1').slice(-400);
    };
    child.stdout.on('data', read);
    await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
    child.stdout.pause();
    const before = await peakOf(child.pid ?? 0);
    // The five seconds are what is tested: the time in which nothing may pile up.
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const after = await peakOf(child.pid ?? 0);
    child.stdout.resume();
    const code = await new Promise((resolve) => child.on('close', resolve));
    process.stderr.write(
      `resident memory: ${before.toFixed(0)} MB before the stall, ${after.toFixed(0)} MB after\n`,
    );
    expect(code).toBe(0);
    expect(lines).toBe(COUNT);
    expect(last).toContain('/page/9999 ');
    expect(after).toBeLessThan(MAX_RESIDENT_MB);
  });
});
