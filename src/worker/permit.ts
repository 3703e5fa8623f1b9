import { machineMs } from '../adapters/systemClock.js';
import type { Output } from '../plugins/kit.js';
import type { Clock } from '../ports/clock.js';

/** How often a write without permission looks again. */
const LOOK_EVERY_MS = 20;

/** Until when outputs of this thread may write; a node of a cluster extends it while it holds its leases. */
export interface Permit {
  /** Moves the deadline. Null for no limit. */
  readonly extend: (until_ms: number | null) => void;
  readonly guard: (output: Output) => Output;
}

/**
 * A process that was frozen wakes up with the deadline in its memory: its outputs wait, until the main thread has
 * looked whether another node took over.
 */
export const makePermit = (clock: Clock): Permit => {
  let until = Number.POSITIVE_INFINITY;
  const isOver = (): boolean => until !== Number.POSITIVE_INFINITY && machineMs() >= until;
  return {
    extend: (until_ms) => {
      until = until_ms ?? Number.POSITIVE_INFINITY;
    },
    guard: (output) => ({
      ...output,
      write: async (items, signal) => {
        while (isOver() && !signal.aborted) await clock.sleepMs(LOOK_EVERY_MS, signal);
        return output.write(items, signal);
      },
    }),
  };
};
