import {
  type ChildProcess,
  type ExecFileException,
  execFile,
  type SpawnSyncOptionsWithStringEncoding,
  spawn,
  spawnSync,
} from 'node:child_process';
import { constants } from 'node:os';
import type { RunCommand } from '../../ports/processes.js';
import { errnoOf, ioError } from '../files/ioError.js';
import { KEYRING_PASSWORD_VARIABLE, NEW_PASSWORD_VARIABLE } from '../keyring/password.js';

export interface ProgramEnd {
  /** Exit code; `null` if the program did not run or a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** One sentence; `null` for exit code 0. */
  readonly reason: string | null;
  readonly isMissing: boolean;
}

const MAX_OUTPUT_BYTES = 64 * 1024;

const reasonOf = (program: string, code: number | null, stderr: string, thrown: ExecFileException | null) => {
  if (thrown === null) return null;
  if (typeof thrown.code === 'string') return ioError('unavailable', 'run', program, thrown).message;
  if (code === null) return `${program} took too long`;
  const [said = ''] = stderr.trim().split('\n');
  return `${program} ended with ${code}${said === '' ? '' : `: ${said}`}`;
};

/** Runs a program to its end, without a shell. Never rejects. */
export const runProgram = (
  program: string,
  args: readonly string[],
  timeout_ms: number,
): Promise<ProgramEnd> =>
  new Promise((resolve) => {
    const options = { timeout: timeout_ms, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT_BYTES } as const;
    execFile(program, [...args], options, (thrown, stdout, stderr) => {
      const given = thrown?.code;
      const code = thrown === null ? 0 : typeof given === 'number' ? given : null;
      const reason = reasonOf(program, code, stderr, thrown);
      resolve({ code, stdout, stderr, reason, isMissing: errnoOf(thrown) === 'ENOENT' });
    });
  });

/** Not passed on: passwords, access to systemd, and the folder with the compiled form of this program. */
const OWN_VARIABLES = [
  KEYRING_PASSWORD_VARIABLE,
  NEW_PASSWORD_VARIABLE,
  'NOTIFY_SOCKET',
  'WATCHDOG_PID',
  'WATCHDOG_USEC',
  'LISTEN_FDS',
  'LISTEN_PID',
  'NODE_COMPILE_CACHE',
];

/** Environment for programs that run user code. */
export const environment = (): NodeJS.ProcessEnv => {
  const env = { ...process.env };
  for (const name of OWN_VARIABLES) delete env[name];
  return env;
};

const MAX_COMMAND_BYTES = 16 * 1024 * 1024;
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
    maxBuffer: MAX_COMMAND_BYTES,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  const { pid, status, signal, stdout, stderr, error } = spawnSync('/bin/sh', ['-c', command], options);
  if (error !== undefined && pid > 0) killGroup(pid);
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const isTimedOut = code === 'ETIMEDOUT';
  if (error !== undefined && !isTimedOut) {
    return {
      problem: code === 'ENOBUFS' ? `its output exceeds ${MAX_COMMAND_BYTES} bytes` : error.message,
    };
  }
  const exit_code = status ?? SIGNAL_EXIT + (signal === null ? 0 : constants.signals[signal]);
  return { stdout, stderr, exit_code, isTimedOut };
};

/** Sends SIGKILL to the process group of a leader. The group exists while one of its processes lives. */
const killGroup = (leader: number): void => {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nothing of the group is left.
  }
};

/** Kills a child that leads its process group, and the programs that it started. Does nothing after its end. */
export const killWithGroup = (child: ChildProcess): void => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  killGroup(child.pid);
  // It may not lead its group yet.
  child.kill('SIGKILL');
};

/** A shell waits for a line. If its standard input ends without one, this process is gone: it kills the group. */
const WATCH = `trap '' HUP INT TERM; read -r line || kill -s KILL -- "-$0"`;

/**
 * Watches over the process group of a child until the child ends: the group ends with the child, and also when the
 * thread or the process that called this is killed. A program that leaves the group escapes. Needs `/bin/sh`.
 * Resolves when the watcher has ended, which is after the child.
 */
export const watchGroup = (child: ChildProcess): Promise<void> => {
  const leader = child.pid;
  if (leader === undefined) return Promise.resolve();
  const watcher = startWatcher(leader);
  child.once('exit', () => {
    killGroup(leader);
    watcher?.stdin?.end('the group has ended\n');
  });
  return new Promise((resolve) => {
    (watcher ?? child).once('exit', () => resolve()).once('error', () => resolve());
  });
};

const startWatcher = (leader: number): ChildProcess | null => {
  try {
    const watcher = spawn('/bin/sh', ['-c', WATCH, String(leader)], {
      // A session of its own: signals of the terminal do not end it first.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: {},
    });
    // Without a shell the group still ends with its child.
    // A watcher that something else has killed.
    watcher.stdin.on('error', () => {});
    watcher.unref();
    (watcher.stdin as { unref?: () => void }).unref?.();
    return watcher;
  } catch {
    // Out of processes or memory.
    return null;
  }
};
