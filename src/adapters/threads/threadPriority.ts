import { setPriority } from 'node:os';

/** Nice value: a third of the weight of nice 0. */
const STEP_BACK = 5;

/**
 * Lowers the priority of this thread in favor of the API; free processors are used as before. Linux only:
 * elsewhere it would be that of the whole process.
 */
export const stepBack = (): void => {
  if (process.platform !== 'linux') return;
  try {
    setPriority(STEP_BACK);
  } catch {
    // Not permitted.
  }
};
