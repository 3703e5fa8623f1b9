import { type SpawnSyncOptionsWithStringEncoding, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import type { RunCommand } from '../../ports/runCommand.js';
import { killGroup } from './processGroup.js';

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const SIGNAL_EXIT = 128;

/** Runs `/bin/sh -c command` and blocks until it ends. Output is UTF-8. */
export const runCommand: RunCommand = (command, { cwd, env, timeout_ms }) => {
  const options: SpawnSyncOptionsWithStringEncoding & { readonly detached: boolean } = {
    // The shell leads a process group, which holds what it starts: `timeout` ends the shell only.
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
  if (error !== undefined && pid > 0) killGroup(pid);
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
