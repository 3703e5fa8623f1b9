import { type SpawnSyncOptionsWithStringEncoding, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import type { RunCommand } from '../../ports/runCommand.js';

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const SIGNAL_EXIT = 128;

/** `timeout` ends the shell only: what it started would go on. */
const endGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
};

/** Runs `/bin/sh -c command` and blocks until it ends. Output is UTF-8. */
export const runCommand: RunCommand = (command, { cwd, env, timeout_ms }) => {
  const options: SpawnSyncOptionsWithStringEncoding & { readonly detached: boolean } = {
    // In a process group of its own.
    detached: true,
    ...(cwd === null ? {} : { cwd }),
    ...(env === null ? {} : { env: { ...env } }),
    timeout: timeout_ms,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  const { pid, status, signal, stdout, stderr, error } = spawnSync('/bin/sh', ['-c', command], options);
  if (error !== undefined && pid > 0) endGroup(pid);
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const isTimedOut = code === 'ETIMEDOUT';
  if (error !== undefined && !isTimedOut) {
    return {
      problem: code === 'ENOBUFS' ? `its output exceeds ${MAX_OUTPUT_BYTES} bytes` : error.message,
    };
  }
  const exit_code = status ?? SIGNAL_EXIT + (signal === null ? 0 : constants.signals[signal]);
  return { stdout, stderr, exit_code, isTimedOut };
};
