import type { KeyringAccess } from '../../daemon/secrets.js';
import type { DaemonOptions, RunningDaemon, SingleOptions, SingleRun } from '../../daemon.js';
import type { Result } from '../../domain/errors.js';
import type { GeneratorParams } from '../../domain/generator.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Redelivered, RedeliverOptions } from '../compose/redeliver.js';

/** Exit codes beside those of the error table and of signals. */
export const EXIT = { ok: 0, failed: 1, usage: 2, bug: 70 } as const;

/** Signals that end or reload a command, with their numbers: a program that one ended exits with 128 + number. */
export const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
export type Signal = keyof typeof SIGNALS;

export const exitCodeOf = (signal: Signal): number => 128 + SIGNALS[signal];

/** Standard output or standard error. */
export interface TextStream {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** Width of the terminal in characters; any number where there is none. */
  readonly columns: number;
}

/** Standard input. */
export interface TextInput {
  readonly isTerminal: boolean;
  /** All of it, UTF-8. Left `too_large` or `unreadable`. */
  readonly read: (max_bytes: number) => Promise<Result<string>>;
}

/** The world of a command: what `process` is to a program, as a value. */
export interface Io {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  /** Asks on the terminal and resolves to the line that was typed; `null` where no person sits at one. */
  readonly ask: ((question: string) => Promise<string>) | null;
  readonly stdin: TextInput;
  /** Asks at the terminal for a line that is not shown; `null` where no person sits at one. */
  readonly askHidden: (question: string) => Promise<string | null>;
  /** Calls the handler at every signal instead of ending the program; the result takes it back. */
  readonly onSignal: (handler: (signal: Signal) => void) => () => void;
  /** Ends the program, with this code. */
  readonly exit: (code: number) => void;
  /** Ends the program at once, as the signal does where nobody listens to it: nothing is waited for, not even a read that hangs. */
  readonly die: (signal: Signal | 'SIGKILL') => void;
  /** Resolves when everything written so far has left the program. */
  readonly flush: () => Promise<void>;
}

/** Runs one generator, and previews its timestamps. */
export interface SingleEngine {
  readonly runSingle: (options: SingleOptions) => SingleRun;
  readonly previewTimestamps: (options: {
    readonly params: GeneratorParams;
    readonly log: Log;
    readonly keyring: KeyringAccess;
    readonly size: number;
  }) => Promise<Result<readonly string[]>>;
}

export interface DaemonEngine {
  readonly startDaemon: (options: DaemonOptions) => Promise<Result<RunningDaemon>>;
}

/** Sends dead letters through their output again. */
export interface RedeliverEngine {
  readonly redeliver: (options: RedeliverOptions) => Promise<Result<Redelivered>>;
}

/** What commands do their work with; loaded when needed, so that `--help` is quick. */
export interface Services {
  readonly version: string;
  /** Absolute path of the program that runs. */
  readonly script: string;
  readonly clock: Pick<Clock, 'now' | 'monotonicMs' | 'sleepMs'>;
  readonly daemon: () => Promise<DaemonEngine>;
  readonly single: () => Promise<SingleEngine>;
  readonly redeliver: () => Promise<RedeliverEngine>;
}
