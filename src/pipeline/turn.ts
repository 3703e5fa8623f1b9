import type { Clock } from '../ports/clock.js';

/** Longest run of production before the event loop gets a turn: PATCH, stop and heartbeats pass in between. */
const TURN_MS = 10;

/** Most questions that are answered by one look at the clock, */
const MAX_UNSEEN = 16;
/** as long as they come faster than this: sixteen slow events would make a turn long. */
const QUICK_MS = 1;

/** How long production has gone on. */
export interface Turn {
  readonly begin: () => void;
  /** Whether the time is over. */
  readonly isOver: () => boolean;
  /** The same, to be asked for every event: a look at the clock costs as much as a small event. */
  readonly isSpent: () => boolean;
}

export const makeTurn = ({ monotonicMs }: Pick<Clock, 'monotonicMs'>): Turn => {
  let endsAt = 0;
  let lookedAt = 0;
  let unseen = 0;
  /** Questions that one look answers: more each time that they come fast. */
  let reach = 1;
  const begin = (): void => {
    lookedAt = monotonicMs();
    endsAt = lookedAt + TURN_MS;
    unseen = 0;
  };
  const isOver = (): boolean => {
    const now = monotonicMs();
    reach = now - lookedAt < QUICK_MS ? Math.min(reach * 2, MAX_UNSEEN) : 1;
    lookedAt = now;
    unseen = reach - 1;
    return now >= endsAt;
  };
  begin();
  return {
    begin,
    isOver,
    isSpent: () => {
      if (unseen === 0) return isOver();
      unseen--;
      return false;
    },
  };
};
