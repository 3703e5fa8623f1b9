import type { Clock } from '../../../../ports/clock.js';

/** How often it is checked. Only time that these checks see counts, not pauses of the machine. */
const CHECK_EVERY_MS = 500;

/** Deadline of one call at a time. */
export interface Deadline {
  readonly begin: (within_ms: number) => void;
  readonly end: () => void;
  /** Paused while the call waits for others. */
  readonly pause: (isPaused: boolean) => void;
  /** Leaves no timer behind. */
  readonly close: () => void;
}

/** `onLate` is called once a call has not ended in time. */
export const deadlineOf = (clock: Pick<Clock, 'after'>, onLate: (within_ms: number) => void): Deadline => {
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
