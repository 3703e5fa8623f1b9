import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../domain/errors.js';
import { ENDED } from '../domain/waiting.js';
import type { Clock } from '../ports/clock.js';

/** Longest time an exchange waits for a call of the event plugin. */
const HOLD_DEADLINE_MS = 10_000;

/** Keeps calls of the event plugin and exchanges of parts apart. */
export interface Gate {
  /** Returns null when calls may pass, else a promise that resolves when they may again. */
  readonly closed: () => Promise<void> | null;
  readonly enter: () => void;
  readonly leave: () => void;
  /** Runs `work` between two calls. Returns the error `timed_out` when a call does not end. One at a time. */
  readonly hold: <A>(work: () => Promise<Result<A>>) => Promise<Result<A>>;
}

export const makeGate = (clock: Clock): Gate => {
  let isBusy = false;
  let held: Promise<void> | null = null;
  let onIdle: (() => void) | null = null;

  /** True once no call is in progress; false after the deadline. */
  const becomesIdle = async (): Promise<boolean> => {
    if (!isBusy) return true;
    const waiting = new AbortController();
    onIdle = () => waiting.abort(ENDED);
    await clock.sleepMs(HOLD_DEADLINE_MS, waiting.signal);
    onIdle = null;
    return !isBusy;
  };

  return {
    closed: () => held,
    enter: () => {
      isBusy = true;
    },
    leave: () => {
      isBusy = false;
      onIdle?.();
    },
    hold: async (work) => {
      let open = (): void => {};
      held = new Promise((resolve) => {
        open = resolve;
      });
      try {
        if (await becomesIdle()) return await work();
        const limit = `${HOLD_DEADLINE_MS / 1000} s`;
        return E.left(failure('timed_out', `the event plugin did not finish a call within ${limit}`));
      } finally {
        held = null;
        open();
      }
    },
  };
};

/**
 * A bounded number of batches in flight: the only back-pressure of a pipeline, as RxJS has none. A stage takes a
 * credit before it makes a batch; the stage that finishes the batch gives it back.
 */
export interface Credits {
  /** True: a credit is taken. False: the signal has ended. A promise of either while none is free. */
  readonly take: () => Promise<boolean> | boolean;
  readonly give: () => void;
  /** A `take` now would not wait. */
  readonly isFree: () => boolean;
}

export const makeCredits = (limit: number, signal: AbortSignal): Credits => {
  let free = limit;
  const waiting: ((taken: boolean) => void)[] = [];
  signal.addEventListener('abort', () => {
    for (const resume of waiting.splice(0)) resume(false);
  });
  return {
    take: () => {
      if (signal.aborted) return false;
      if (free > 0) {
        free--;
        return true;
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    give: () => {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next(true);
    },
    isFree: () => free > 0,
  };
};
