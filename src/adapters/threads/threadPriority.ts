import { setPriority } from 'node:os';

/** A third of the weight of a thread that has not stepped back (nice 0), when there is too little processor time for both. */
const STEP_BACK = 5;

/**
 * Lets the other threads of this program go first where processors are short: events at full speed must not
 * keep the API waiting. Alone on a processor a thread is as fast as before. Linux only: there a priority is that
 * of the calling thread; elsewhere it would be that of the whole program.
 */
export const stepBack = (): void => {
  if (process.platform !== 'linux') return;
  try {
    setPriority(STEP_BACK);
  } catch {
    // Where it is not allowed everything works as before.
  }
};
