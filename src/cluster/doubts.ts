import type { Order } from './orders.js';

/**
 * Leases of which this node may believe something else than the leader of the stream has. Servers that crash together
 * can lose the end of a stream, also what they acknowledged, and a watch can be late. So the leader is asked about a
 * lease whose write was refused, of which the watch shows something unexpected, or of which it does not show within a
 * lease what the leader has accepted or told.
 */
export interface Doubts {
  /** The leader is asked in the next step. */
  readonly add: (key: string, nowMs: number) => void;
  /** The leader has accepted or told this revision, 0: none. */
  readonly noteTold: (key: string, revision: number, nowMs: number) => void;
  /** The watch has shown this revision, 0: none. `isExpected`: what is believed is no newer. */
  readonly noteShown: (key: string, revision: number, isExpected: boolean, nowMs: number) => void;
  readonly order: (nowMs: number, orders: Order[]) => void;
  /**
   * The leader answered a read, or did not: then it is asked again. Returns whether the answer counts: since the
   * read was ordered, no write was accepted and the watch has shown nothing. Otherwise it may be older than those.
   */
  readonly settle: (key: string, read: number, isAnswered: boolean, nowMs: number) => boolean;
}

const RETRIES_PER_LEASE = 15;

export const makeDoubts = (lease_ms: number): Doubts => {
  const shown = new Map<string, number>();
  /** When the leader is asked, by key. */
  const dueMs = new Map<string, number>();
  /** Number of the last read of a key that was ordered. */
  const asked = new Map<string, number>();
  let reads = 0;

  return {
    add: (key, nowMs) => void dueMs.set(key, nowMs),
    noteTold: (key, revision, nowMs) => {
      asked.delete(key);
      if ((shown.get(key) ?? 0) === revision) dueMs.delete(key);
      else dueMs.set(key, nowMs + lease_ms);
    },
    noteShown: (key, revision, isExpected, nowMs) => {
      shown.set(key, revision);
      asked.delete(key);
      if (isExpected) dueMs.delete(key);
      else dueMs.set(key, nowMs);
    },
    order: (nowMs, orders) => {
      for (const [key, due] of dueMs) {
        if (nowMs < due) continue;
        dueMs.delete(key);
        reads += 1;
        asked.set(key, reads);
        orders.push({ type: 'read', key, read: reads });
      }
    },
    settle: (key, read, isAnswered, nowMs) => {
      if (asked.get(key) !== read) return false;
      asked.delete(key);
      if (!isAnswered) dueMs.set(key, nowMs + lease_ms / RETRIES_PER_LEASE);
      return isAnswered;
    },
  };
};
