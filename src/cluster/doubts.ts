import type { LeaseNote } from './leases.js';

/** A lease as the watch showed it last. */
export interface Doubt {
  readonly key: string;
  readonly lease: LeaseNote;
}

/**
 * Accepted lease writes that the watch has not shown. Servers that crash together can lose the end of a stream, also
 * what they acknowledged: a node then believes in a lease that is not there. What the watch does not confirm within a
 * lease is in doubt, and what it showed last counts.
 */
export interface Doubts {
  /** A write of this node was accepted; `revision` of the new lease, or of the removed one. */
  readonly noteAccepted: (key: string, type: 'acquire' | 'release', revision: number, nowMs: number) => void;
  /** The watch showed a lease. True: its revision is older than one that it showed before, so it counts at once. */
  readonly noteWatched: (key: string, lease: LeaseNote) => boolean;
  /** Leases in doubt; each is returned once. */
  readonly due: (nowMs: number) => readonly Doubt[];
}

const FREE: LeaseNote = { revision: 0, holder: null };

export const makeDoubts = (lease_ms: number): Doubts => {
  const watched = new Map<string, LeaseNote>();
  const waiting = new Map<
    string,
    { readonly type: 'acquire' | 'release'; readonly revision: number; readonly sinceMs: number }
  >();

  const isConfirmed = (key: string): boolean => {
    const accepted = waiting.get(key);
    if (accepted === undefined) return true;
    const seen = watched.get(key) ?? FREE;
    if (accepted.type === 'acquire') return seen.revision >= accepted.revision;
    return seen.holder === null || seen.revision > accepted.revision;
  };

  return {
    noteAccepted: (key, type, revision, nowMs) => {
      waiting.set(key, { type, revision, sinceMs: nowMs });
      if (isConfirmed(key)) waiting.delete(key);
    },
    noteWatched: (key, lease) => {
      const before = watched.get(key) ?? FREE;
      if (lease.holder === null) watched.delete(key);
      else watched.set(key, lease);
      if (isConfirmed(key)) waiting.delete(key);
      return lease.revision < before.revision;
    },
    due: (nowMs) => {
      const found: Doubt[] = [];
      for (const [key, { sinceMs }] of waiting) {
        if (nowMs - sinceMs < lease_ms) continue;
        waiting.delete(key);
        found.push({ key, lease: watched.get(key) ?? FREE });
      }
      return found;
    },
  };
};
