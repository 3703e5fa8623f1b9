import type { Clock } from '../../../../ports/clock.js';

/** A server cannot pause an output for longer. */
export const MAX_PAUSE_MS = 60_000;

/** Milliseconds of a `Retry-After` header (RFC 9110, 10.2.3): seconds or a date; 0: absent, past or invalid. */
export const retryAfterMs = (header: string | undefined, now_ms: number): number => {
  const written = header?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(written) ? Number(written) * 1_000 : Date.parse(written) - now_ms;
  return Number.isFinite(ms) ? Math.min(MAX_PAUSE_MS, Math.max(0, ms)) : 0;
};

/** Holds requests back for as long as a server asked. */
export interface Pause {
  /** Reads the header of a refused request. */
  readonly note: (header: string | undefined) => void;
  /** Resolves when requests may go on, or the signal aborts. */
  readonly over: (signal: AbortSignal) => Promise<void>;
}

export const makePause = (clock: Clock): Pause => {
  let until_ms = Number.NEGATIVE_INFINITY;
  return {
    note: (header) => {
      const ms = retryAfterMs(header, clock.now() / 1_000);
      if (ms > 0) until_ms = Math.max(until_ms, clock.monotonicMs() + ms);
    },
    over: async (signal) => {
      const left_ms = until_ms - clock.monotonicMs();
      if (left_ms > 0) await clock.sleepMs(left_ms, signal);
    },
  };
};
