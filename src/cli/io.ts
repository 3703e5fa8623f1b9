import type { Either } from 'fp-ts/lib/Either.js';
import type { DaemonOptions, RunningDaemon, SingleOptions, SingleRun } from '../daemon.js';
import type { SpateError } from '../domain/errors.js';
import type { GeneratorParams } from '../domain/generator.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';

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

/** The world of a command: what `process` is to a program, as a value. */
export interface Io {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  /** Calls the handler at every signal instead of ending the program; the result takes it back. */
  readonly onSignal: (handler: (signal: Signal) => void) => () => void;
  /** Ends the program at once. */
  readonly exit: (code: number) => void;
  /** Resolves when everything written so far has left the program. */
  readonly flush: () => Promise<void>;
}

/** Runs one generator, and previews its timestamps. */
export interface SingleEngine {
  readonly runSingle: (options: SingleOptions) => SingleRun;
  readonly previewTimestamps: (options: {
    readonly params: GeneratorParams;
    readonly log: Log;
    readonly size: number;
  }) => Promise<Either<SpateError, readonly string[]>>;
}

export interface DaemonEngine {
  readonly startDaemon: (options: DaemonOptions) => Promise<Either<SpateError, RunningDaemon>>;
}

/** What commands do their work with; loaded when needed, so that `--help` is quick. */
export interface Services {
  readonly version: string;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleepMs'>;
  readonly daemon: () => Promise<DaemonEngine>;
  readonly single: () => Promise<SingleEngine>;
}
