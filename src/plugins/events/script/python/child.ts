import * as E from 'fp-ts/lib/Either.js';
import { Failed, failure, type Result, type SpateError } from '../../../../domain/errors.js';
import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.js';
import type { Clock } from '../../../../ports/clock.js';
import type { Log } from '../../../../ports/log.js';
import type { Python, PythonEnd, PythonProcess } from '../../../../ports/processes.js';
import { jsonFrame, wireJsonOf, wireKindOf } from './wire.js';

/** A call of `produce` may take this long, as a call of a JavaScript function may. */
const CALL_DEADLINE_MS = 10_000;
/** Loading may take longer: packages are large, and disks cold. */
const LOAD_DEADLINE_MS = 30_000;

/** Exit code of `main.py` for memory that ran out. */
const OUT_OF_MEMORY = 77;

export interface PythonChildOptions {
  readonly python: Python;
  readonly interpreter: string;
  readonly directory: string;
  /** Path of the script, for messages. */
  readonly shown: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Answers an operation on globals, at once or later. */
  readonly onAsked: (asked: Json, tell: (answer: JsonObject) => void) => void;
  /** The process has ended. */
  readonly onEnd: () => void;
}

/** A running script. */
export interface PythonChild {
  /** Sends a frame. Returns the answer, or null after a teardown. Rejects with `Failed` when the process ends. */
  readonly call: (frame: Uint8Array) => Promise<Uint8Array | null>;
  readonly tell: (frame: Uint8Array) => void;
  /** Ends the process; resolves when it is gone. */
  readonly close: () => Promise<void>;
}

interface Pending {
  readonly resolve: (frame: Uint8Array | null) => void;
  readonly reject: (thrown: Failed) => void;
}

const textIn = (frame: Uint8Array, key: string): string => {
  const value = wireJsonOf(frame);
  const text = isJsonObject(value) ? value[key] : undefined;
  return typeof text === 'string' ? text : 'it did not say why';
};

const reasonOfEnd = ({ code, signal }: PythonEnd, memory_mb: number): string => {
  if (code === OUT_OF_MEMORY)
    return `it used more memory than it may have (${memory_mb} MB, generation.thread_memory_mb)`;
  return signal === null ? `it ended with code ${code ?? 'unknown'}` : `${signal} ended it`;
};

/** Why the interpreter could not be started. */
const startProblem = (
  { interpreter, shown }: PythonChildOptions,
  { isMissing, reason }: NonNullable<PythonEnd['problem']>,
): SpateError =>
  failure(
    'plugin_failed',
    isMissing
      ? `script ${shown} needs ${interpreter}, which was not found. Install Python 3.9 or later, or set \`python\` to the path of an interpreter.`
      : `script ${shown}: ${interpreter} could not be started: ${reason}`,
  );

/** Starts the process. Its calls take turns. */
const startChild = (options: PythonChildOptions): PythonChild => {
  const { python, shown, clock, log, signal } = options;
  let pending: Pending | null = null;
  let error: SpateError | null = null;
  let isClosing = false;
  let gone = (): void => {};
  const isGone = new Promise<void>((resolve) => {
    gone = resolve;
  });

  const crashed = (reason: string, code: 'host_crashed' | 'host_stalled' = 'host_crashed'): SpateError =>
    failure(code, `the Python process of script ${shown} was lost: ${reason}`);
  const lost = (...why: Parameters<typeof crashed>): void => {
    error ??= crashed(...why);
    child.kill();
  };
  const deadline = deadlineOf(clock, (late_ms) => {
    const seconds = late_ms / 1000;
    lost(`it kept busy for ${seconds} s (an endless loop, or work that must be split)`, 'host_stalled');
  });
  const settle = (act: (call: Pending) => void): void => {
    const call = pending;
    pending = null;
    deadline.end();
    if (call !== null) act(call);
  };
  const ask = (asked: Json): void => {
    const call = pending;
    if (call === null) return;
    // It may wait for the lock of the globals: others are to blame.
    deadline.pause(true);
    options.onAsked(asked, (answer) => {
      deadline.pause(false);
      child.send(jsonFrame('G', answer));
    });
  };
  const take = (frame: Uint8Array): void => {
    switch (wireKindOf(frame)) {
      case 'Q':
        return ask(wireJsonOf(frame));
      case 'D':
        // It prints what is left, then ends by itself.
        error ??= crashed(textIn(frame, 'reason'));
        return;
      case 'X':
        error ??= failure('plugin_failed', `script ${textIn(frame, 'message')}`);
        return;
      default:
        settle(({ resolve }) => resolve(frame));
    }
  };

  const child: PythonProcess = python.start(options, {
    onFrame: (frame) => {
      try {
        take(frame);
      } catch {
        lost(MALFORMED);
      }
    },
    onBroken: (reason) => lost(reason),
    onLine: (stream, line) => log.write(stream === 'stdout' ? 'info' : 'warning', line, { source: stream }),
    onEnd: (end) => {
      if (end.problem !== null) error ??= startProblem(options, end.problem);
      else if (!isClosing) lost(reasonOfEnd(end, python.memory_mb));
      error ??= CLOSED;
      const why = error;
      signal.removeEventListener('abort', tearDown);
      deadline.close();
      options.onEnd();
      gone();
      settle(({ resolve, reject }) => (isClosing ? resolve(null) : reject(new Failed(why))));
    },
  });

  const tearDown = (): void => {
    isClosing = true;
    child.kill();
    settle(({ resolve }) => resolve(null));
  };
  if (signal.aborted) tearDown();
  else signal.addEventListener('abort', tearDown, { once: true });

  let within_ms = LOAD_DEADLINE_MS;

  return {
    call: (frame) =>
      new Promise((resolve, reject) => {
        if (isClosing) return resolve(null);
        if (error !== null) return reject(new Failed(error));
        pending = { resolve, reject };
        deadline.begin(within_ms);
        within_ms = CALL_DEADLINE_MS;
        child.send(frame);
      }),
    tell: child.send,
    close: () => {
      if (pending === null) {
        isClosing = true;
        child.end();
      } else tearDown();
      return isGone;
    },
  };
};

const MALFORMED =
  'it sent malformed data. A script must not write to files that it did not open, here to descriptor 3';
const CLOSED = failure('host_crashed', 'the Python process was closed');

/** Starts a process that has loaded the script; `init`: the script and its surroundings. */
export const loadedChild = async (
  options: PythonChildOptions,
  init: JsonObject,
): Promise<Result<PythonChild>> => {
  const child = startChild(options);
  try {
    const ready = await child.call(jsonFrame('I', init));
    if (ready !== null) return E.right(child);
    return E.left(failure('plugin_failed', `script ${options.shown} was stopped while loading`));
  } catch (thrown) {
    if (thrown instanceof Failed) return E.left(thrown.error);
    throw thrown;
  }
};

/** How often it is checked. Only time that these checks see counts, not pauses of the machine. */
const CHECK_EVERY_MS = 500;

/** Deadline of one call at a time. */
interface Deadline {
  readonly begin: (within_ms: number) => void;
  readonly end: () => void;
  /** Paused while the call waits for others. */
  readonly pause: (isPaused: boolean) => void;
  /** Leaves no timer behind. */
  readonly close: () => void;
}

/** `onLate` is called once a call has not ended in time. */
const deadlineOf = (clock: Pick<Clock, 'after'>, onLate: (within_ms: number) => void): Deadline => {
  let within_ms: number | null = null;
  let waited_ms = 0;
  let isPaused = false;
  let timer: (() => void) | null = null;

  const check = (): void => {
    timer = null;
    if (within_ms === null) return;
    if (!isPaused) waited_ms += CHECK_EVERY_MS;
    if (waited_ms < within_ms) watch();
    else onLate(within_ms);
  };
  // One timer serves many short calls.
  const watch = (): void => {
    timer ??= clock.after(CHECK_EVERY_MS, check);
  };

  return {
    begin: (ms) => {
      within_ms = ms;
      waited_ms = 0;
      isPaused = false;
      watch();
    },
    end: () => {
      within_ms = null;
    },
    pause: (wanted) => {
      isPaused = wanted;
    },
    close: () => timer?.(),
  };
};
