import type { Io, Signal } from './terminal/io.js';

export interface StopSignals {
  /** The signal that asked to stop; `null` while none did. */
  readonly received: () => Signal | null;
  /** Leaves signals to the system again. */
  readonly release: () => void;
}

/** The first signal calls `stop`; a second one ends the program at once, as the first one would have. */
export const stopOnSignal = (io: Io, stop: () => void): StopSignals => {
  let received: Signal | null = null;
  const release = io.onSignal((signal) => {
    if (received !== null) return io.die(received);
    received = signal;
    stop();
  });
  return { received: () => received, release };
};
