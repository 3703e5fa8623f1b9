import { fromCallback } from 'xstate';
import type { Clock } from '../src/ports/clock.js';

export interface WatchdogInput {
  /** `null` without systemd's watchdog. */
  readonly every_ms: number | null;
  /** Tells systemd that the service is alive. Never rejects. */
  readonly beat: () => Promise<void>;
  readonly clock: Pick<Clock, 'sleepMs'>;
}

/** Liveness check of the root. */
export interface Ping {
  readonly type: 'ping';
  readonly reply: () => void;
}

/** A dead root or a stuck event loop sends no sign of life, so systemd restarts the service. */
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
