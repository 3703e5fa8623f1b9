import { failure, type SpateError, shortageIn } from '../domain/errors.js';
import type { Clock } from '../ports/clock.js';
import type { Slot } from './slots/slot.js';
import type { ThreadDeath } from './thread.js';

/** How often threads are checked. */
const CHECK_EVERY_MS = 500;
/** A thread that is silent for this long is terminated. */
const STALL_DEADLINE_MS = 10_000;

const STALLED = `it kept its thread busy for ${STALL_DEADLINE_MS / 1000} s without a pause (an endless loop, or work that must be split)`;

/** Terminates threads that stop beating. Only time that this loop sees counts, not pauses of the machine. */
export const watchBeats = async (
  slots: () => Iterable<Slot>,
  clock: Pick<Clock, 'sleepMs'>,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    await clock.sleepMs(CHECK_EVERY_MS, signal);
    for (const slot of slots()) {
      slot.silent_ms = slot.thread.beats() > 0 ? 0 : slot.silent_ms + CHECK_EVERY_MS;
      if (slot.silent_ms < STALL_DEADLINE_MS) continue;
      slot.thread.terminate({ reason: STALLED, culprit: slot.thread.current() });
    }
  }
};

/** Returns the run at fault, or null when it is unknown; then none is charged. */
export const culpritOf = ({ runs }: Slot, { culprit }: ThreadDeath): number | null => {
  if (culprit !== null && runs.has(culprit)) return culprit;
  return runs.size === 1 ? ([...runs.keys()][0] ?? null) : null;
};

/** Error of the generator that brought its thread down. */
export const lostThread = (death: ThreadDeath): SpateError => ({
  ...failure(
    death.reason === STALLED ? 'host_stalled' : 'host_crashed',
    `the generator's thread was lost: ${death.reason}`,
  ),
  ...(shortageIn(death.reason) === null ? {} : { code: 'exhausted' }),
});

/** Error of the other generators on the thread; `culprit`: id of the generator at fault, if known. */
export const displaced = ({ reason }: ThreadDeath, culprit: string | null): SpateError =>
  failure(
    'displaced',
    culprit === null
      ? `the thread that it shared was lost: ${reason}; which of its generators did it is not known`
      : `generator "${culprit}" brought down the thread it shared: ${reason}`,
  );
