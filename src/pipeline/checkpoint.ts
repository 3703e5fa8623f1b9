import * as E from 'fp-ts/lib/Either.js';
import type { StreamPosition } from '../domain/checkpoint.js';
import { type Result, reasonOf } from '../domain/errors.js';
import { ENDED } from '../domain/waiting.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';

/** Interval of saves while the position changes: only events made since the last save can be duplicated. */
const SAVE_EVERY_MS = 1_000;
/** The first save of a run is sooner, so that a run that keeps crashing still makes progress. */
const FIRST_SAVE_MS = 100;
/** Largest share of the time that saving may take: a large state is saved less often, but at least this often. */
const SAVE_SHARE = 0.05;
const MAX_PAUSE_MS = 10_000;

export type SavePosition = (position: StreamPosition, isFinished: boolean) => Promise<Result<void>>;

export interface Checkpointer {
  /** A call of the event plugin begins. */
  readonly enter: () => void;
  /** It has ended and its timestamps are counted; `sequence` is that of the last batch. */
  readonly leave: (sequence: number) => void;
  /** Every batch up to this one is done at every output. */
  readonly onLowWater: (sequence: number) => void;
  /** Saves the last position once everything is done; not after abandoned events: a later run makes them again. */
  readonly finish: (isFinished: boolean) => Promise<void>;
}

export interface CheckpointerOptions {
  /** The position now; called between two calls of the event plugin only. */
  readonly take: () => StreamPosition;
  readonly save: SavePosition;
  readonly clock: Clock;
  readonly log: Log;
  /** Given up: from then on batches count as done that were not delivered. */
  readonly signal: AbortSignal;
  /** Ends when another run may have begun, which then owns the saved position. */
  readonly disowned: AbortSignal;
  readonly hasAbandoned: () => boolean;
}

export const noCheckpointer: Checkpointer = {
  enter: () => {},
  leave: () => {},
  onLowWater: () => {},
  finish: async () => {},
};

/** Saves the position of a stream at intervals, once every batch before it is done: never ahead of the delivered events. */
export const makeCheckpointer = (options: CheckpointerOptions): Checkpointer => {
  const { clock, log, signal } = options;
  const over = new AbortController();
  let isBusy = false;
  let calls = 0;
  let savedCalls = 0;
  let sequence = 0;
  let lowWater = 0;
  let isWanted = false;
  let taken: { readonly position: StreamPosition; readonly sequence: number; readonly calls: number } | null =
    null;
  let wake = (): void => {};

  const take = (): void => {
    isWanted = false;
    try {
      taken = { position: options.take(), sequence, calls };
    } catch (thrown) {
      log.write('error', 'the position of the generator could not be taken', { reason: reasonOf(thrown) });
    }
  };

  const until = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue() && !over.signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };

  /** Returns whether the position is saved. */
  const save = async (isFinished: boolean): Promise<boolean> => {
    if (taken === null) return false;
    const { position, calls: at } = taken;
    const saved = await options.save(position, isFinished);
    if (E.isRight(saved)) savedCalls = at;
    else log.write('error', 'the checkpoint could not be saved', { reason: saved.left.message });
    return E.isRight(saved);
  };

  const isOver = (): boolean => over.signal.aborted;

  const keep = async (): Promise<void> => {
    let pause = FIRST_SAVE_MS;
    for (;;) {
      await clock.sleepMs(pause, over.signal);
      if (isOver()) return;
      if (calls === savedCalls) continue;
      taken = null;
      // An async call in progress is no batch boundary: its end takes the position.
      if (isBusy) isWanted = true;
      else take();
      await until(() => !isWanted);
      await until(() => taken === null || lowWater >= taken.sequence);
      if (isOver()) return;
      const before = clock.monotonicMs();
      const isSaved = await save(false);
      // A save that failed tells nothing of the size: it may have waited for a server that was away.
      const leastPause = isSaved ? (clock.monotonicMs() - before) / SAVE_SHARE : 0;
      pause = Math.max(Math.min(pause * 2, SAVE_EVERY_MS), Math.min(leastPause, MAX_PAUSE_MS));
    }
  };

  const stop = (): void => {
    over.abort(ENDED);
    wake();
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const keeping = keep();

  return {
    enter: () => {
      isBusy = true;
    },
    leave: (last) => {
      isBusy = false;
      calls++;
      sequence = last;
      if (!isWanted) return;
      take();
      wake();
    },
    onLowWater: (mark) => {
      lowWater = mark;
      wake();
    },
    finish: async (isFinished) => {
      stop();
      signal.removeEventListener('abort', stop);
      await keeping;
      if (options.disowned.aborted || (signal.aborted && options.hasAbandoned())) return;
      if (isBusy || lowWater < sequence) return;
      taken = null;
      take();
      await save(isFinished);
    },
  };
};
