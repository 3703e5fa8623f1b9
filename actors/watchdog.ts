import { fromCallback } from 'xstate';
import type { Clock } from '../src/ports/clock.js';

export interface WatchdogInput {
  /** Time between two signs of life; `null`: nobody waits for one. */
  readonly every_ms: number | null;
  /** Gives a sign of life; resolves when it left. Never rejects. */
  readonly beat: () => Promise<void>;
  readonly clock: Pick<Clock, 'sleepMs'>;
}

/** Asks the root whether it is well; it answers through `reply`. */
export interface Ping {
  readonly type: 'ping';
  readonly reply: () => void;
}

/**
 * Signs of life for the supervisor of the machine. Each is asked of the root actor first: when that is dead or
 * does not get to its mailbox there is none, and the machine restarts the service. A stuck event loop
 * gives none either, because nothing here runs then.
 */
export const watchdogLogic = fromCallback<{ type: 'none' }, WatchdogInput, Ping>(({ input, sendBack }) => {
  const ending = new AbortController();
  const { every_ms, beat, clock } = input;
  const answered = (): Promise<void> => new Promise((resolve) => sendBack({ type: 'ping', reply: resolve }));
  const run = async (period_ms: number): Promise<void> => {
    const isOver = (): boolean => ending.signal.aborted;
    while (!isOver()) {
      await answered();
      if (!isOver()) await beat();
      await clock.sleepMs(period_ms, ending.signal);
    }
  };
  if (every_ms !== null) void run(every_ms);
  return () => ending.abort();
});
