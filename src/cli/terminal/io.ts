import type { DaemonOptions, RunningDaemon } from '../../daemon.js';
import type { Result } from '../../domain/errors.js';
import type { Clock } from '../../ports/clock.js';
import type { Resent, SingleResendOptions } from '../compose/resend.js';
import type * as Sample from '../compose/sample.js';
import type { SingleOptions, SingleRun } from '../compose/single.js';

/** Columns of a text without a terminal, unless COLUMNS says otherwise: nothing is cut. */
export const widthOfOutput = ({ stdout, env }: Pick<Io, 'stdout' | 'env'>): number => {
  const given = Number(env['COLUMNS'] ?? '');
  if (Number.isInteger(given) && given > 0) return given;
  return stdout.isTerminal ? stdout.columns : Number.POSITIVE_INFINITY;
};

/** Exit codes in addition to those of the error table and of signals. */
export const EXIT = { ok: 0, failed: 1, usage: 2, bug: 70 } as const;

export const ENDING_SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
export type EndingSignal = keyof typeof ENDING_SIGNALS;

export const exitCodeOf = (signal: EndingSignal): number => 128 + ENDING_SIGNALS[signal];

export interface TextStream {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** Width in characters; meaningless without a terminal. */
  readonly columns: number;
}

interface TextInput {
  readonly isTerminal: boolean;
  /** Reads all as UTF-8. Returns the error `too_large` or `unreadable` when it cannot. */
  readonly read: (max_bytes: number) => Promise<Result<string>>;
}

/** The environment of a command: what `process` is to a program, as a value. */
export interface Io {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  /** How the user calls this program, e.g. `npx spate`: begins the command lines that hints and examples show. */
  readonly program: string;
  /** Asks a question on the terminal; `null` without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | null;
  readonly stdin: TextInput;
  /** Asks without echo; `null` without a terminal. */
  readonly askHidden: (question: string) => Promise<string | null>;
  /** Calls the handler for each signal instead of ending the program; returns an unsubscribe function. */
  readonly onSignal: (handler: (signal: EndingSignal) => void) => () => void;
  readonly exit: (code: number) => void;
  /** Ends the program at once, as the unhandled signal would, even during a blocked read. */
  readonly die: (signal: EndingSignal | 'SIGKILL') => void;
  /** Resolves when all output has left the process. */
  readonly flush: () => Promise<void>;
}

interface SingleEngine {
  readonly runSingle: (options: SingleOptions) => SingleRun;
}

interface DaemonEngine {
  readonly startDaemon: (options: DaemonOptions) => Promise<Result<RunningDaemon>>;
}

interface ResendEngine {
  readonly resend: (options: SingleResendOptions) => Promise<Result<Resent>>;
}

type SampleEngine = Pick<
  typeof Sample,
  | 'sampleEvents'
  | 'sampleTimestamps'
  | 'compareGenerated'
  | 'generatorOf'
  | 'checkFilesOf'
  | 'connectOutputs'
  | 'unreadGlobals'
>;

/** Dependencies of commands; the engines load on demand to keep `--help` fast. */
export interface Services {
  readonly version: string;
  readonly script: string;
  /** Absolute path of the installed package. */
  readonly folder: string;
  /** Absolute path of the folder with the library generators. */
  readonly library: string;
  readonly clock: Pick<Clock, 'now' | 'monotonicMs' | 'sleepMs'>;
  readonly daemon: () => Promise<DaemonEngine>;
  readonly single: () => Promise<SingleEngine>;
  readonly resend: () => Promise<ResendEngine>;
  readonly sample: () => Promise<SampleEngine>;
}

interface StopSignals {
  /** Returns the first signal, or null before there is one. */
  readonly received: () => EndingSignal | null;
  /** Restores the default handling. */
  readonly release: () => void;
}

/** The first signal calls `stop`; a second one ends the program at once. */
export const stopOnSignal = (io: Io, stop: () => void): StopSignals => {
  let received: EndingSignal | null = null;
  const release = io.onSignal((signal) => {
    if (received !== null) return io.die(received);
    received = signal;
    stop();
  });
  return { received: () => received, release };
};
