import type { Clock } from '../../../src/ports/clock.js';

/** A clock that advances with each reading. */
export const makeTestClock = ({ msPerLook }: { readonly msPerLook: number }): { readonly clock: Clock } => {
  let now = 0;
  const never = () => Promise.reject(new Error('nothing here waits'));
  return {
    clock: {
      now: () => now * 1_000,
      monotonicMs: () => {
        now += msPerLook;
        return now;
      },
      sleepMs: never,
      after: () => () => {},
      yieldTurn: never,
    },
  };
};
