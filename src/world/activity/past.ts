import { MICROS_PER_MINUTE } from '../../domain/time/micros.js';
import type { Activity } from './kinds.js';

/** What happened in the minutes before one, and still has a part in it. */
export interface Past {
  readonly before: (minute: number) => readonly Activity[];
  /** Spares looking for those of a minute whose activities are known. */
  readonly keep: (minute: number, activities: readonly Activity[]) => void;
}

/** `look` makes a minute without what follows from other minutes; `most` is how many minutes something has a part. */
export const rememberPast = (
  look: (minute: number) => readonly Activity[],
  most: number,
  isKept: (activity: Activity) => boolean,
): Past => {
  const kept = new Map<number, readonly Activity[]>();
  const keep = (minute: number, activities: readonly Activity[]): readonly Activity[] => {
    const found = activities.filter(isKept);
    kept.set(minute, found);
    for (const oldest of kept.keys()) {
      if (kept.size <= 3 * most) break;
      kept.delete(oldest);
    }
    return found;
  };
  return {
    keep,
    before: (minute) => {
      const found: Activity[] = [];
      for (let other = minute - most; other < minute; other++)
        for (const one of kept.get(other) ?? keep(other, look(other)))
          if (one.at < minute * MICROS_PER_MINUTE) found.push(one);
      return found;
    },
  };
};
