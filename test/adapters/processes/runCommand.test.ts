import { describe, expect, test } from '@jest/globals';
import { runCommand } from '../../../src/adapters/processes/runCommand.js';

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

  test('that cannot run, or prints too much, says why', () => {
    expect(runCommand('true', { ...OPTIONS, cwd: '/nowhere/at/all' })).toMatchObject({
      problem: expect.stringContaining('ENOENT'),
    });
    expect(runCommand('head -c 20000000 /dev/zero', OPTIONS)).toEqual({
      problem: 'its output exceeds 16777216 bytes',
    });
  });
});
