import type { Io, Signal } from './terminal/io.js';

interface StopSignals {
  /** Returns the first signal, or null before there is one. */
  readonly received: () => Signal | null;
  /** Restores the default handling. */
  readonly release: () => void;
}

/** The first signal calls `stop`; a second one ends the program at once. */
export const stopOnSignal = (io: Io, stop: () => void): StopSignals => {
  let received: Signal | null = null;
  const release = io.onSignal((signal) => {
    if (received !== null) return io.die(received);
    received = signal;
    stop();
  });
  return { received: () => received, release };
};
