import { systemClock } from '../../../src/adapters/systemClock.js';
import { MICROS_PER_MS } from '../../../src/domain/time/micros.js';
import type { Clock } from '../../../src/ports/clock.js';

/**
 * A clock that runs `factor` times as fast as the real one, for tests that wait for real sockets and
 * files: pauses, deadlines and cool-downs keep their proportions and pass sooner.
 */
export const fastClock = (factor: number): Clock => {
  const start = systemClock.now();
  const origin = systemClock.monotonicMs();
  const monotonicMs = (): number => (systemClock.monotonicMs() - origin) * factor;
  const now = (): number => start + Math.floor(monotonicMs()) * MICROS_PER_MS;
  const sleepMs: Clock['sleepMs'] = (ms, signal) => systemClock.sleepMs(ms / factor, signal);
  return {
    now,
    monotonicMs,
    sleepMs,
    after: (ms, run) => systemClock.after(ms / factor, run),
    yieldTurn: systemClock.yieldTurn,
  };
};
