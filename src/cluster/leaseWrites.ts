import type { WriteResult } from './heartbeat.js';
import type { LeaseNote, Leases } from './leases.js';
import type { LeaseOrder, Order } from './orders.js';
import type { WatchedNodes } from './watchedNodes.js';

/** Lease writes of a node that wait for their answer. */
const MAX_IN_FLIGHT = 32;
/** A refused or unanswered lease write is repeated after a beat / 3, or when the watch shows another revision. */
const RETRIES_PER_LEASE = 15;

export interface Takeovers {
  /** Leases taken from lost sessions. */
  readonly takeovers: number;
  /** Milliseconds from the loss being seen to the key being held. */
  readonly takeover_ms: { readonly last: number; readonly max: number };
}

/** Leases of one node: which it holds, takes and gives back. */
export interface LeaseWrites {
  /** The lease is of this node and session. */
  readonly isMine: (lease: LeaseNote) => boolean;
  /** Generators may run by the lease: it is mine and was not given back. */
  readonly isUsable: (key: string) => boolean;
  readonly held: () => ReadonlySet<string>;
  readonly isFull: () => boolean;
  readonly isIdle: () => boolean;
  /** The lease is of this node, and of a process that is dead. */
  readonly isFormer: (lease: LeaseNote) => boolean;
  /** Orders a key that is free or whose lease is lost or former. Returns whether it waits for other writes. */
  readonly acquire: (key: string, nowMs: number, orders: Order[]) => boolean;
  readonly release: (key: string, nowMs: number, orders: Order[]) => void;
  /** Returns whether the key is or was held. */
  readonly noteLease: (key: string, lease: LeaseNote, nowMs: number) => boolean;
  /** As `noteLease`, whatever its revision. */
  readonly correct: (key: string, lease: LeaseNote, nowMs: number) => void;
  readonly noteResult: (order: LeaseOrder, result: WriteResult, nowMs: number) => void;
  readonly setSession: (session: string) => void;
  readonly forgetRetries: () => void;
  readonly takeovers: () => Takeovers;
}

export const makeLeaseWrites = (
  node: string,
  lease_ms: number,
  leases: Leases,
  watched: WatchedNodes,
  former: ReadonlySet<string>,
): LeaseWrites => {
  let session = '';
  const held = new Set<string>();
  const inFlight = new Set<string>();
  const retryMs = new Map<string, number>();
  /** Revisions whose release was ordered: it may come to pass late, so nothing runs by them. */
  const givenUp = new Map<string, number>();
  const lossSeenMs = new Map<string, number>();
  const counts = { takeovers: 0, last: 0, max: 0 };

  const isMine = ({ holder }: LeaseNote): boolean =>
    holder !== null && holder !== 'unreadable' && holder.node === node && holder.session === session;

  const isFormer = ({ holder }: LeaseNote): boolean =>
    holder !== null && holder !== 'unreadable' && holder.node === node && former.has(holder.session);

  const mayWrite = (key: string, nowMs: number): boolean =>
    inFlight.size < MAX_IN_FLIGHT &&
    !inFlight.has(key) &&
    nowMs >= (retryMs.get(key) ?? Number.NEGATIVE_INFINITY);

  /** Whether the key is free or its lease is lost. */
  const canTake = (key: string, lease: LeaseNote, nowMs: number): boolean => {
    const { holder } = lease;
    if (holder === null || isFormer(lease)) return true;
    if (holder === 'unreadable' || watched.isAlive(holder.node, holder.session)) return false;
    if (!lossSeenMs.has(key)) lossSeenMs.set(key, nowMs);
    return true;
  };

  const countTakeover = (key: string, isHeld: boolean, nowMs: number): void => {
    const lossMs = lossSeenMs.get(key);
    lossSeenMs.delete(key);
    if (lossMs === undefined || !isHeld) return;
    counts.takeovers += 1;
    counts.last = nowMs - lossMs;
    counts.max = Math.max(counts.max, counts.last);
  };

  /** Follows the known lease of a key. Returns whether the key is or was held. */
  const follow = (key: string, nowMs: number): boolean => {
    const lease = leases.of(key);
    const isHeld = isMine(lease);
    const wasHeld = held.delete(key);
    if (isHeld) held.add(key);
    if (lease.holder === null || givenUp.get(key) !== lease.revision) givenUp.delete(key);
    retryMs.delete(key);
    countTakeover(key, isHeld, nowMs);
    return isHeld || wasHeld;
  };

  const noteResult: LeaseWrites['noteResult'] = (order, result, nowMs) => {
    const { key, type, replaces } = order;
    if (order.session === session) inFlight.delete(key);
    if (result.kind !== 'accepted') {
      retryMs.set(key, nowMs + lease_ms / RETRIES_PER_LEASE);
      return;
    }
    if (type === 'release') leases.freed(key, replaces);
    else leases.note(key, { revision: result.revision, holder: { node, session: order.session } });
    follow(key, nowMs);
  };

  return {
    isMine,
    isFormer,
    isUsable: (key) => {
      const lease = leases.of(key);
      return isMine(lease) && givenUp.get(key) !== lease.revision;
    },
    held: () => held,
    isFull: () => inFlight.size >= MAX_IN_FLIGHT,
    isIdle: () => inFlight.size === 0,
    acquire: (key, nowMs, orders) => {
      const lease = leases.of(key);
      if (isMine(lease) || !canTake(key, lease, nowMs)) return false;
      if (!mayWrite(key, nowMs)) return inFlight.size >= MAX_IN_FLIGHT;
      inFlight.add(key);
      const replaces = lease.holder === null ? 0 : lease.revision;
      orders.push({ type: 'acquire', session, key, replaces });
      return false;
    },
    release: (key, nowMs, orders) => {
      if (!mayWrite(key, nowMs)) return;
      const replaces = leases.of(key).revision;
      givenUp.set(key, replaces);
      inFlight.add(key);
      orders.push({ type: 'release', session, key, replaces });
    },
    noteLease: (key, lease, nowMs) => {
      const { holder } = lease;
      if (holder !== null && holder !== 'unreadable') watched.noteSession(holder.node, holder.session, nowMs);
      return leases.note(key, lease) && follow(key, nowMs);
    },
    correct: (key, lease, nowMs) => {
      leases.correct(key, lease);
      follow(key, nowMs);
    },
    noteResult,
    setSession: (next) => {
      session = next;
      for (const set of [held, inFlight, retryMs, lossSeenMs]) set.clear();
    },
    forgetRetries: () => {
      retryMs.clear();
      lossSeenMs.clear();
    },
    takeovers: () => ({ takeovers: counts.takeovers, takeover_ms: { last: counts.last, max: counts.max } }),
  };
};
