import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { runCommand } from '../../../src/adapters/processes/programs.js';
import { eventually } from '../../support/instance.js';

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

const OPTIONS = { cwd: null, env: null, timeout_ms: 5_000 };

describe('a command of the machine', () => {
  test('gives what it printed and its exit code', () => {
    expect(runCommand('printf out; printf err >&2; exit 3', OPTIONS)).toEqual({
      stdout: 'out',
      stderr: 'err',
      exit_code: 3,
      isTimedOut: false,
    });
  });

  test('runs in the folder and with the environment that are given, with no other', () => {
    const env = { PATH: process.env['PATH'] ?? '', ONLY: 'x' };
    expect(
      runCommand('pwd; env | grep -c -v -e ^PWD -e ^_ -e ^SHLVL -e ^OLDPWD', { ...OPTIONS, cwd: '/', env }),
    ).toMatchObject({
      stdout: '/\n2\n',
    });
  });

  test('reads nothing from standard input', () => {
    expect(runCommand('cat', OPTIONS)).toMatchObject({ stdout: '', exit_code: 0 });
  });

  test('is ended when its time is over, and counts a signal as the shell does', () => {
    expect(runCommand('sleep 60', { ...OPTIONS, timeout_ms: 50 })).toMatchObject({ isTimedOut: true });
    expect(runCommand('kill -TERM $$', OPTIONS)).toMatchObject({ exit_code: 143, isTimedOut: false });
  });

  test('takes what it started along when its time is over', async () => {
    const ended = runCommand('sleep 60 & echo $!; wait', { ...OPTIONS, timeout_ms: 500 });
    if ('problem' in ended) throw new Error(ended.problem);
    expect(ended.isTimedOut).toBe(true);
    const state = (): string =>
      /\) (\S)/.exec(readIfThere(`/proc/${Number(ended.stdout)}/stat`))?.[1] ?? 'gone';
    // A zombie where nothing waits for orphans.
    await eventually(async () => (/^(gone|Z|X)$/.test(state()) ? true : null), 'the end of the sleep');
  });

  test('that cannot run, or prints too much, says why', () => {
    expect(runCommand('true', { ...OPTIONS, cwd: '/nowhere/at/all' })).toMatchObject({
      problem: expect.stringContaining('ENOENT'),
    });
    expect(runCommand('head -c 20000000 /dev/zero', OPTIONS)).toEqual({
      problem: 'its output exceeds 16777216 bytes',
    });
  });
});
