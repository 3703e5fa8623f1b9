import type { Clock } from '../../ports/clock.js';

/** Calls listeners at an interval; idle without listeners. */
interface Ticker {
  /** Listeners must be fast and never throw. */
  readonly on: (listener: () => void) => () => void;
}

export const makeTicker = (clock: Pick<Clock, 'sleepMs'>, every_ms: number): Ticker => {
  const listeners = new Set<() => void>();
  let running: AbortController | null = null;

  const run = async ({ signal }: AbortController): Promise<void> => {
    for (;;) {
      await clock.sleepMs(every_ms, signal);
      if (signal.aborted) return;
      for (const listener of [...listeners]) listener();
    }
  };

  return {
    on: (listener) => {
      listeners.add(listener);
      if (running === null) {
        running = new AbortController();
        void run(running);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        running?.abort();
        running = null;
      };
    },
  };
};
