import type { Micros } from '../../../src/domain/time/micros.js';
import { MICROS_PER_MS } from '../../../src/domain/time/micros.js';
import type { Clock } from '../../../src/ports/clock.js';

/** A clock that moves only by `advanceMs`, wall and monotonic time together. */
export interface FakeClock extends Clock {
  /** Wakes sleepers in the order of their times and lets the work in between settle. */
  readonly advanceMs: (ms: number) => Promise<void>;
  /** Lets pending promises and immediates run without moving time. */
  readonly settle: () => Promise<void>;
  /** Sets the wall clock only. */
  readonly setWall: (micros: Micros) => void;
}

interface Sleeper {
  readonly isDue: () => boolean;
  readonly dueMs: () => number;
  readonly wake: () => void;
}

const SETTLE_TURNS = 20;

export const fakeClock = (start: Micros = 1_700_000_000_000_000): FakeClock => {
  let monotonic = 0;
  let wallOffset = start;
  const sleepers = new Set<Sleeper>();
  const wall = (): Micros => wallOffset + monotonic * MICROS_PER_MS;

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < SETTLE_TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
  };

  const sleep = (dueMs: () => number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        sleepers.delete(sleeper);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper: Sleeper = { isDue: () => dueMs() <= monotonic, dueMs, wake };
      if (signal.aborted || sleeper.isDue()) return resolve();
      sleepers.add(sleeper);
      signal.addEventListener('abort', wake, { once: true });
    });

  return {
    now: wall,
    monotonicMs: () => monotonic,
    sleepMs: (ms, signal) => {
      const due = monotonic + ms;
      return sleep(() => due, signal);
    },
    after: (ms, run) => {
      const cancelled = new AbortController();
      const due = monotonic + ms;
      void sleep(() => due, cancelled.signal).then(() => {
        if (!cancelled.signal.aborted) run();
      });
      return () => cancelled.abort();
    },
    yieldTurn: () => new Promise((resolve) => setImmediate(resolve)),
    settle,
    advanceMs: async (ms) => {
      const end = monotonic + ms;
      await settle();
      for (;;) {
        const next = [...sleepers].sort((a, b) => a.dueMs() - b.dueMs())[0];
        if (next === undefined || next.dueMs() > end) break;
        monotonic = Math.max(monotonic, next.dueMs());
        next.wake();
        await settle();
      }
      monotonic = end;
      await settle();
    },
    setWall: (micros) => {
      wallOffset = micros - monotonic * MICROS_PER_MS;
    },
  };
};
