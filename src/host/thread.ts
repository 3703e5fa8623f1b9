import { reasonOf } from '../domain/errors.js';
import type { GlobalsChange } from '../domain/globalsPatch.js';
import type { CellLink } from './cells.js';
import {
  BEAT,
  type CellAnswer,
  type CellState,
  CURRENT,
  type FromWorker,
  type ToWorker,
} from './protocol.js';
import { startWorker, type WorkerOptions } from './startWorker.js';

/** Why a thread ended: the sentence for people and the run at fault, if known. */
export interface ThreadDeath {
  readonly reason: string;
  readonly culprit: number | null;
}

export interface ThreadOptions extends WorkerOptions {
  readonly name: string;
  readonly onMessage: (message: FromWorker) => void;
  readonly onDeath: (death: ThreadDeath) => void;
}

/** A pipeline thread with its heartbeat; a thin layer over `Worker`. */
export interface Thread {
  readonly post: (message: ToWorker) => void;
  /** The cell (or replica) of a scenario on this thread. */
  readonly linkTo: (scenario: string) => CellLink;
  /** Counts the beats since the last call; 0 means it was silent. */
  readonly beats: () => number;
  /** Run that is at work right now; `null` when none or between events. */
  readonly current: () => number | null;
  /** Ends the thread; `death` is what is reported. Without it nothing is. */
  readonly terminate: (death?: ThreadDeath) => void;
}

export const spawnThread = (options: ThreadOptions): Thread => {
  const { worker, heartbeat } = startWorker(options, options.name);
  const asked = new Map<number, (answer: CellAnswer) => void>();
  let requests = 0;
  let seenBeats = 0;
  let death: ThreadDeath | null = null;
  let isEnding = false;
  let isGone = false;

  const current = (): number | null => Atomics.load(heartbeat, CURRENT) || null;
  const die = (found: ThreadDeath): void => {
    death ??= found;
  };

  worker.on('message', (message: FromWorker) => {
    if (message.type === 'crashing') die({ reason: message.reason, culprit: message.run ?? current() });
    else if (message.type === 'cell.answer') settle(asked, message.request, message.answer);
    else options.onMessage(message);
  });
  worker.on('error', (thrown: NodeJS.ErrnoException) => {
    const isMemory = thrown.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const reason = isMemory
      ? `it used more memory than its thread may have (${options.heap_mb} MB, generation.thread_heap_mb)`
      : `an error that nothing caught: ${reasonOf(thrown)}`;
    die({ reason, culprit: current() });
  });
  worker.on('exit', (code) => {
    isGone = true;
    for (const answer of asked.values()) answer(GONE);
    asked.clear();
    if (isEnding && death === null) return;
    options.onDeath(
      death ?? { reason: `it ended its thread with process.exit(${code})`, culprit: current() },
    );
  });

  const request = (make: (number: number) => ToWorker): Promise<CellAnswer> =>
    new Promise((resolve) => {
      if (isGone) return resolve(GONE);
      const number = ++requests;
      asked.set(number, resolve);
      worker.postMessage(make(number));
    });

  return {
    post: (message) => worker.postMessage(message),
    linkTo: (scenario) => ({
      change: (change: GlobalsChange, number, if_match) =>
        request((id) => ({ type: 'cell.change', scenario, change, number, if_match, request: id })),
      read: () => request((id) => ({ type: 'cell.read', scenario, request: id })),
      replicate: async (state: CellState) => {
        await request((id) => ({ type: 'cell.replica', state, request: id }));
      },
    }),
    beats: () => {
      const now = Atomics.load(heartbeat, BEAT);
      const since = now - seenBeats;
      seenBeats = now;
      return since;
    },
    current,
    terminate: (found) => {
      isEnding = true;
      if (found !== undefined) die(found);
      void worker.terminate();
    },
  };
};

const GONE: CellAnswer = {
  ok: false,
  error: { code: 'unavailable', message: 'the thread of the scenario has just ended; try again' },
};

const settle = (
  asked: Map<number, (answer: CellAnswer) => void>,
  request: number,
  answer: CellAnswer,
): void => {
  asked.get(request)?.(answer);
  asked.delete(request);
};
