import { MICROS_PER_MS, MICROS_PER_SECOND, type Micros } from '../../domain/time/micros.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';

/** A smaller step between two looks is the work of NTP, or of a busy machine. */
const STEP_MICROS = MICROS_PER_SECOND;

/** Notices a wall clock that is set while events wait for it, and says what that means for them. */
export interface ClockWatch {
  /** `wait`: microseconds until the next timestamp is due; 0 or less: it is due. Cheap, but not for every event. */
  readonly look: (now: Micros, wait: Micros) => void;
}

const seconds = (micros: Micros): number => Math.round(micros / MICROS_PER_MS) / 1_000;

export const clockWatch = ({ clock, log }: { readonly clock: Clock; readonly log: Log }): ClockWatch => {
  /** Wall clock minus monotonic clock at the last look; it changes only when the wall clock is set. */
  let offset: number | null = null;
  /** Monotonic time at which the clock was set back, while events wait for that reason. */
  let heldSinceMs: number | null = null;

  const sayBack = (step: number, wait: Micros): void => {
    heldSinceMs ??= clock.monotonicMs();
    log.write('warning', 'the clock was set back: no event is due until it reaches the next timestamp', {
      set_back_seconds: seconds(-step),
      wait_seconds: seconds(Math.max(0, wait)),
      hint: 'correct the clock, or start the generator again to go on from the time that it shows',
    });
  };

  const sayForward = (step: number): void =>
    log.write(
      'warning',
      'the clock was set forward, or the machine slept: what fell due is caught up at once',
      {
        set_forward_seconds: seconds(step),
      },
    );

  return {
    look: (now, wait) => {
      const monotonicMs = clock.monotonicMs();
      const seen = now - monotonicMs * MICROS_PER_MS;
      const step = offset === null ? 0 : seen - offset;
      offset = seen;
      if (step <= -STEP_MICROS) sayBack(step, wait);
      else if (step >= STEP_MICROS && heldSinceMs === null) sayForward(step);
      if (wait > 0 || heldSinceMs === null) return;
      const context = { waited_seconds: Math.round(monotonicMs - heldSinceMs) / 1_000 };
      log.write('warning', 'the clock has reached the next timestamp: events go on', context);
      heldSinceMs = null;
    },
  };
};
