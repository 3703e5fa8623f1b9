import { failure, type SpateError } from '../domain/errors.js';
import type { ThreadDeath } from './thread.js';

/** How long a thread may be silent before it is ended. */
export const STALL_DEADLINE_MS = 10_000;

export const STALLED = `it kept its thread busy for ${STALL_DEADLINE_MS / 1000} s without a pause (an endless loop, or work that must be split)`;

/** The failure of the generator that brought its thread down. */
export const lostThread = (death: ThreadDeath): SpateError =>
  failure(
    death.reason === STALLED ? 'host_stalled' : 'host_crashed',
    `the generator's thread was lost: ${death.reason}`,
  );

/** The failure of the others on the thread; `culprit`: who brought it down, if that is known. */
export const displaced = ({ reason }: ThreadDeath, culprit: string | null): SpateError =>
  failure(
    'displaced',
    culprit === null
      ? `the thread that it shared was lost: ${reason}; which of its generators did it is not known`
      : `generator "${culprit}" brought down the thread it shared: ${reason}`,
  );
