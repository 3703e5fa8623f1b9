import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../domain/errors.js';
import type { Isolation } from '../domain/generator.js';
import type { PluginSource } from '../domain/thirdParty.js';
import type { Clock } from '../ports/clock.js';
import type { StartIsolated } from '../ports/processes.js';
import { childPort } from './childPort.js';
import type { OwnerLink } from './globalsOwner.js';
import { type MemoryWatch, memoryWatch } from './memoryWatch.js';
import { checkMessage } from './messageCheck.js';
import {
  BEAT,
  CURRENT,
  type FromWorker,
  type GlobalsAnswer,
  OUTSIDE_KB,
  REPORTS,
  RESIDENT_KB,
  type ToWorker,
} from './protocol.js';
import { type PortEvents, threadPort, type WorkerPort } from './workerPort.js';

/** Most messages of a thread with user code between two calls of `beats`: several times its log budget. */
const MAX_MESSAGES_PER_LOOK = 100_000;

/** Why a thread ended, and the run at fault, if known. */
export interface ThreadDeath {
  readonly reason: string;
  readonly culprit: number | null;
}

export type OpenPort = (name: string, events: PortEvents) => WorkerPort;

export interface ThreadOptions {
  readonly name: string;
  readonly open: OpenPort;
  readonly heap_mb: number;
  /** Whether scripts share the thread. */
  readonly hasUserCode: boolean;
  /** Watches its memory. Null when its memory is not watched here. */
  readonly memory: MemoryWatch | null;
  readonly onMessage: (message: FromWorker) => void;
  readonly onDeath: (death: ThreadDeath) => void;
}

/** A pipeline thread with its heartbeat. Its messages are checked. */
export interface Thread {
  readonly post: (message: ToWorker) => void;
  /** The globals (or their replica) of a scenario on this thread. */
  readonly linkTo: (scenario: string) => OwnerLink;
  /** Number of beats since the last call; 0: the thread was silent. */
  readonly beats: () => number;
  /** Returns the run that executes, or null when none does, as between events. */
  readonly current: () => number | null;
  /** Terminates the thread and reports `death`; without it nothing is reported. */
  readonly terminate: (death?: ThreadDeath) => void;
}

export const spawnThread = (options: ThreadOptions): Thread => {
  const asked = new Map<number, (answer: Result<GlobalsAnswer>) => void>();
  let requests = 0;
  let seenBeats = 0;
  let death: ThreadDeath | null = null;
  let isEnding = false;
  let isGone = false;
  /** Highest run sent to the thread. */
  let lastRun = 0;

  const current = (): number | null => Atomics.load(heartbeat, CURRENT) || null;
  const die = (found: ThreadDeath): void => {
    death ??= found;
  };

  const take = (message: FromWorker): void => {
    // Terminated, because a script may have replaced `process.exit`.
    if (message.type === 'crashing') terminate({ reason: message.reason, culprit: message.run ?? current() });
    else if (message.type === 'globals.answer') settle(asked, message.request, message.answer);
    else options.onMessage(message);
  };
  /** Scripts share the thread: a malformed message terminates it, and later messages are ignored. */
  let isTrusted = true;
  let messages = 0;
  const distrust = (reason: string): void => {
    isTrusted = false;
    terminate({ reason, culprit: current() });
  };
  const onMessage = (value: unknown): void => {
    if (!isTrusted) return;
    if (++messages > MAX_MESSAGES_PER_LOOK && options.hasUserCode) return distrust(FLOOD);
    const message = checkMessage(value, lastRun);
    if (message === null) return distrust(MALFORMED);
    try {
      take(message);
    } catch (thrown) {
      distrust(`its message "${message.type}" could not be handled: ${reasonOf(thrown)}`);
    }
  };
  const onExit = (reason: string): void => {
    isGone = true;
    unwatch?.();
    for (const answer of asked.values()) answer(GONE);
    asked.clear();
    if (isEnding && death === null) return;
    options.onDeath(death ?? { reason, culprit: current() });
  };
  const terminate = (found?: ThreadDeath): void => {
    isEnding = true;
    if (found !== undefined) die(found);
    port.terminate();
  };
  const port = options.open(options.name, {
    onMessage,
    onError: (reason) => die({ reason, culprit: current() }),
    onExit,
  });
  const { heartbeat } = port;
  const unwatch = options.memory?.add(
    {
      memory: () => ({
        reports: Atomics.load(port.memory, REPORTS),
        outside_kb: Atomics.load(port.memory, OUTSIDE_KB),
        resident_kb: Atomics.load(port.memory, RESIDENT_KB),
      }),
      current,
      terminate,
    },
    options,
  );

  const request = (make: (number: number) => ToWorker): Promise<Result<GlobalsAnswer>> =>
    new Promise((resolve) => {
      if (isGone) return resolve(GONE);
      const number = ++requests;
      asked.set(number, resolve);
      port.post(make(number));
    });

  return {
    post: (message) => {
      if (message.type === 'start') lastRun = Math.max(lastRun, message.job.run);
      port.post(message);
    },
    linkTo: (name) => ({
      change: (change, number, if_match) =>
        request((id) => ({ type: 'globals.change', name, change, if_match, number, request: id })),
      read: () => request((id) => ({ type: 'globals.read', name, request: id })),
      replicate: async (state) => {
        await request((id) => ({ type: 'owner.replica', state, request: id }));
      },
    }),
    beats: () => {
      messages = 0;
      const now = Atomics.load(heartbeat, BEAT);
      const since = now - seenBeats;
      seenBeats = now;
      return since;
    },
    current,
    terminate,
  };
};

const FLOOD = 'it flooded the main thread with messages';
const MALFORMED =
  'it sent the main thread a message that Spate does not send: a script got hold of its port, or changed built-in objects';

const GONE = E.left(failure('unavailable', 'the thread of the scenario has just ended; try again'));

const settle = (
  asked: Map<number, (answer: Result<GlobalsAnswer>) => void>,
  request: number,
  answer: Result<GlobalsAnswer>,
): void => {
  asked.get(request)?.(answer);
  asked.delete(request);
};

export type Threads = (
  isolation: Isolation,
  more: {
    /** Limits memory and messages of threads with scripts. */
    readonly hasUserCode: boolean;
    /** Limits of an expendable process, in place of those of the instance. */
    readonly expendable?: { readonly heap_mb: number; readonly memory_mb: number };
  },
) => Pick<ThreadOptions, 'open' | 'heap_mb' | 'memory' | 'hasUserCode'>;

interface ThreadsOptions {
  /** Compiled entry of the threads. */
  readonly workerFile: URL;
  /** Starts an isolated process with such a thread. */
  readonly startIsolated: StartIsolated;
  readonly heap_mb: number;
  /** Memory of a thread outside of its heap. */
  readonly memory_mb: number;
  readonly residentBytes: () => number;
  /** Threads run at lower priority than the main thread. */
  readonly stepsBack: boolean;
  readonly allow_subprocess: boolean;
  /** Files of third-party plugins. */
  readonly plugins: readonly PluginSource[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Threads of an instance share one memory watch. */
export const threadsOf = (options: ThreadsOptions): Threads => {
  const { heap_mb, memory_mb, ...shared } = options;
  const more = {
    stepsBack: shared.stepsBack,
    allow_subprocess: shared.allow_subprocess,
    plugins: shared.plugins,
  };
  const watch = memoryWatch(options);
  const inThread = { file: options.workerFile, heap_mb, memory_mb, isIsolated: false, ...more };
  const inProcess = { start: options.startIsolated, heap_mb, memory_mb, ...more };
  return (isolation, { hasUserCode, expendable }) => {
    if (expendable !== undefined) {
      const start: StartIsolated = (events) => options.startIsolated(events, { isExpendable: true });
      const open: ThreadOptions['open'] = (name, events) =>
        childPort({ start, ...expendable, ...more }, name, events);
      return { heap_mb: expendable.heap_mb, hasUserCode, memory: null, open };
    }
    return isolation === 'process'
      ? { heap_mb, hasUserCode, memory: null, open: (name, events) => childPort(inProcess, name, events) }
      : {
          heap_mb,
          hasUserCode,
          memory: hasUserCode ? watch : null,
          open: (name, events) => threadPort(inThread, name, events),
        };
  };
};
