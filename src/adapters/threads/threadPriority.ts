import { setPriority } from 'node:os';

/** Nice value: a third of the weight of nice 0. */
const STEP_BACK = 5;

/**
 * Lowers the priority of this thread: generators at full speed must not block the API. No cost on a free
 * processor. Linux only: elsewhere the priority belongs to the whole process.
 */
export const stepBack = (): void => {
  if (process.platform !== 'linux') return;
  try {
    setPriority(STEP_BACK);
  } catch {
    // Not permitted: continue without it.
  }
};
