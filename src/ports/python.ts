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
