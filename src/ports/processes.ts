import type { MachineInfo, ProcessLoad } from '../domain/stats/machine.js';

/** How a process ended; `problem`: why it could not be started. */
export interface PythonEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly problem: { readonly isMissing: boolean; readonly reason: string } | null;
}

export interface PythonEvents {
  readonly onFrame: (frame: Uint8Array) => void;
  /** Its output is no frame. */
  readonly onBroken: (reason: string) => void;
  /** A line that it printed, cut when long. */
  readonly onLine: (stream: 'stdout' | 'stderr', line: string) => void;
  /** The last event. */
  readonly onEnd: (end: PythonEnd) => void;
}

export interface PythonOptions {
  /** A program on PATH, or an absolute path. */
  readonly interpreter: string;
  readonly directory: string;
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
}

/** A Python process that runs a script. It ends with the thread that started it. */
export interface PythonProcess {
  readonly send: (frame: Uint8Array) => void;
  /** Asks it to end; SIGKILL follows a second later. */
  readonly end: () => void;
  /** SIGKILL for it and its process group. */
  readonly kill: () => void;
}

export interface Python {
  /** Limit of what one process may allocate. */
  readonly memory_mb: number;
  /** Id of this process, the parent. */
  readonly pid: number;
  /** Never throws; events come in later turns of the event loop. */
  readonly start: (options: PythonOptions, events: PythonEvents) => PythonProcess;
}

export interface IsolatedEvents {
  readonly onFrame: (frame: Uint8Array) => void;
  /** It could not be started, or its output is no frame. */
  readonly onBroken: (reason: string) => void;
  /** The last event. */
  readonly onExit: (end: { readonly code: number | null; readonly signal: string | null }) => void;
}

/** A process with one pipeline thread. */
export interface IsolatedProcess {
  readonly send: (frame: Uint8Array) => void;
  /** SIGKILL. */
  readonly kill: () => void;
}

/** Never throws; events come in later turns of the event loop. */
export type StartIsolated = (
  events: IsolatedEvents,
  more?: {
    /** Whether the kernel takes it first when memory runs out. */
    readonly isExpendable: boolean;
  },
) => IsolatedProcess;

/** Where and how a command runs. A null `cwd` or `env` is that of the process. */
interface CommandOptions {
  readonly cwd: string | null;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>> | null;
  readonly timeout_ms: number;
}

interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  /** As in the shell: 128 plus the number of the signal that ended it. */
  readonly exit_code: number;
  /** Ended by `timeout_ms`. */
  readonly isTimedOut: boolean;
}

/** Runs a shell command and waits for its end; `problem`: why it could not run to its end. */
export type RunCommand = (
  command: string,
  options: CommandOptions,
) => CommandResult | { readonly problem: string };

export type NotifyMessage =
  /** Start or reload is complete; `status` is one line of text. */
  | { readonly type: 'ready'; readonly status: string }
  /** Settings are being applied; `ready` follows. */
  | { readonly type: 'reloading' }
  | { readonly type: 'stopping' }
  | { readonly type: 'watchdog' };

export interface Notify {
  /** Keeps the order. Resolves when the message is sent or given up; never rejects. */
  readonly send: (message: NotifyMessage) => Promise<void>;
  /** Longest interval between two `watchdog` messages, in milliseconds. Null when none are expected. */
  readonly watchdog_ms: number | null;
}

export interface Machine {
  readonly node_version: string;
  readonly load: () => ProcessLoad;
  /** Measured at most once a second. Never rejects. */
  readonly info: () => Promise<MachineInfo>;
  readonly close: () => void;
}
