import { exitCodeOf, type Io, type Signal } from './io.js';

export interface StopSignals {
  /** The signal that asked to stop; `null` while none did. */
  readonly received: () => Signal | null;
  /** Leaves signals to the system again. */
  readonly release: () => void;
}

/** The first signal calls `stop`; a second one ends the program at once, with the code of the first. */
export const stopOnSignal = (io: Io, stop: () => void): StopSignals => {
  let received: Signal | null = null;
  const release = io.onSignal((signal) => {
    if (received !== null) return io.exit(exitCodeOf(received));
    received = signal;
    stop();
  });
  return { received: () => received, release };
};
