import type { WriteResult } from './heartbeat.js';
import type { LeaseNote, Leases } from './leases.js';
import type { LeaseOrder, Order } from './orders.js';
import type { WatchedNodes } from './watchedNodes.js';

/** Lease writes of a node that wait for their answer. */
const MAX_IN_FLIGHT = 32;
/** A refused or unanswered lease write is repeated after a beat / 3, or when another revision is known. */
const RETRIES_PER_LEASE = 15;
/** A node that gives back what it held for so long was not harmed by it. */
const HARMLESS_MS = 600_000;

export interface Takeovers {
  /** Leases taken from lost sessions. */
  readonly takeovers: number;
  /** Milliseconds from the loss being seen to the key being held. */
  readonly takeover_ms: { readonly last: number; readonly max: number };
}

interface LeaseWriter {
  readonly node: string;
  readonly lease_ms: number;
  /** Sessions of this node whose process is dead. */
  readonly former: ReadonlySet<string>;
  /** For a key without a lease: above every epoch that an earlier lease of it can have had. */
  readonly firstEpoch: () => number;
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
  /** The lease is of a former session of this node: of a process that is dead, or at rest since this one joined. */
  readonly isFormer: (lease: LeaseNote) => boolean;
  /** Orders a key that is free or whose lease is lost or former. Returns whether it waits for other writes. */
  readonly acquire: (key: string, nowMs: number, orders: Order[]) => boolean;
  readonly release: (key: string, nowMs: number, orders: Order[]) => void;
  /** The watch showed a lease: a hint, which never counts more than what the leader has said. */
  readonly noteLease: (key: string, lease: LeaseNote, nowMs: number) => void;
  /** The leader has this lease. Null when it does not answer. */
  readonly noteRead: (key: string, read: number, lease: LeaseNote | null, nowMs: number) => void;
  /** Orders reads of leases in doubt. */
  readonly orderReads: (nowMs: number, orders: Order[]) => void;
  readonly noteResult: (order: LeaseOrder, result: WriteResult, nowMs: number) => void;
  readonly setSession: (session: string) => void;
  readonly forgetRetries: () => void;
  readonly takeovers: () => Takeovers;
}

const isSame = (a: LeaseNote, b: LeaseNote): boolean =>
  a.revision === b.revision && a.epoch === b.epoch && sessionOf(a) === sessionOf(b);

const sessionOf = ({ holder }: LeaseNote): string | null =>
  holder === null || holder === 'unreadable' ? holder : holder.session;

export const makeLeaseWrites = (
  { node, lease_ms, former, firstEpoch }: LeaseWriter,
  leases: Leases,
  watched: WatchedNodes,
): LeaseWrites => {
  let session = '';
  /** Sessions of this process: it did not die of what it held. */
  const sessions = new Set<string>();
  const heldSinceMs = new Map<string, number>();
  const doubts = makeDoubts(lease_ms);
  const held = new Set<string>();
  const inFlight = new Set<string>();
  const retryMs = new Map<string, number>();
  /** Epochs whose release was ordered: it may come to pass late, so nothing runs by them. */
  const givenUp = new Map<string, number>();
  const lossSeenMs = new Map<string, number>();
  const counts = { takeovers: 0, last: 0, max: 0 };

  const isMine = ({ holder }: LeaseNote): boolean =>
    holder !== null && holder !== 'unreadable' && holder.node === node && holder.session === session;

  const isFormer = ({ holder }: LeaseNote): boolean =>
    holder !== null &&
    holder !== 'unreadable' &&
    holder.node === node &&
    (former.has(holder.session) || (sessions.has(holder.session) && holder.session !== session));

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

  /** Whether the holder of a lease that can be taken has died, or at least was silent for a lease. */
  const hasDied = ({ holder }: LeaseNote): boolean =>
    holder !== null &&
    holder !== 'unreadable' &&
    !sessions.has(holder.session) &&
    watched.documentOf(holder.node)?.previous !== holder.session;

  const countTakeover = (key: string, isHeld: boolean, nowMs: number): void => {
    const lossMs = lossSeenMs.get(key);
    lossSeenMs.delete(key);
    if (lossMs === undefined || !isHeld) return;
    counts.takeovers += 1;
    counts.last = nowMs - lossMs;
    counts.max = Math.max(counts.max, counts.last);
  };

  const put = (key: string, lease: LeaseNote, nowMs: number): void => {
    leases.put(key, lease);
    const isHeld = isMine(lease);
    held.delete(key);
    if (isHeld) held.add(key);
    if (!isHeld) heldSinceMs.delete(key);
    else if (!heldSinceMs.has(key)) heldSinceMs.set(key, nowMs);
    if (lease.holder === null || givenUp.get(key) !== lease.epoch) givenUp.delete(key);
    retryMs.delete(key);
    countTakeover(key, isHeld, nowMs);
  };

  /** The holder may be a session that the watch of the nodes has not shown yet: it is alive for a lease. */
  const noteHolder = ({ holder }: LeaseNote, nowMs: number): void => {
    if (holder !== null && holder !== 'unreadable') watched.noteSession(holder.node, holder.session, nowMs);
  };

  const noteResult: LeaseWrites['noteResult'] = (order, result, nowMs) => {
    const { key, type, epoch, deaths } = order;
    if (order.session === session) inFlight.delete(key);
    if (result.kind !== 'accepted') {
      if (result.kind === 'refused') doubts.add(key, nowMs);
      retryMs.set(key, nowMs + lease_ms / RETRIES_PER_LEASE);
      return;
    }
    const holder = type === 'release' ? null : { node, session: order.session };
    // The watch has shown a later one, or one that is no more.
    if (leases.of(key).revision > result.revision) return doubts.add(key, nowMs);
    doubts.noteTold(key, result.revision, nowMs);
    put(key, { revision: result.revision, holder, epoch, deaths }, nowMs);
  };

  return {
    isMine,
    isFormer,
    isUsable: (key) => {
      const lease = leases.of(key);
      return isMine(lease) && givenUp.get(key) !== lease.epoch;
    },
    held: () => held,
    isFull: () => inFlight.size >= MAX_IN_FLIGHT,
    isIdle: () => inFlight.size === 0,
    acquire: (key, nowMs, orders) => {
      const lease = leases.of(key);
      if (isMine(lease) || !canTake(key, lease, nowMs)) return false;
      if (!mayWrite(key, nowMs)) return inFlight.size >= MAX_IN_FLIGHT;
      inFlight.add(key);
      const isThere = lease.holder !== null || lease.epoch > 0;
      const replaces = isThere ? lease.revision : 0;
      const epoch = lease.epoch > 0 ? lease.epoch + 1 : firstEpoch();
      const deaths = lease.deaths + (hasDied(lease) ? 1 : 0);
      orders.push({ type: 'acquire', session, key, replaces, epoch, deaths });
      return false;
    },
    release: (key, nowMs, orders) => {
      if (!mayWrite(key, nowMs)) return;
      const { revision, epoch, deaths: before } = leases.of(key);
      const deaths = nowMs - (heldSinceMs.get(key) ?? nowMs) >= HARMLESS_MS ? 0 : before;
      givenUp.set(key, epoch);
      inFlight.add(key);
      orders.push({ type: 'release', session, key, replaces: revision, epoch, deaths });
    },
    noteLease: (key, lease, nowMs) => {
      const { holder } = lease;
      noteHolder(lease, nowMs);
      const known = leases.of(key);
      // Otherwise the watch is late, or servers have lost the end of the stream.
      const isExpected = lease.revision > known.revision || isSame(known, lease);
      const isThere = holder !== null || lease.epoch > 0;
      doubts.noteShown(key, isThere ? lease.revision : 0, isExpected, nowMs);
      if (lease.revision > known.revision) put(key, lease, nowMs);
    },
    noteRead: (key, read, lease, nowMs) => {
      if (!doubts.settle(key, read, lease !== null, nowMs) || lease === null) return;
      noteHolder(lease, nowMs);
      doubts.noteTold(key, lease.revision, nowMs);
      if (!isSame(leases.of(key), lease)) put(key, lease, nowMs);
    },
    orderReads: doubts.order,
    noteResult,
    setSession: (next) => {
      session = next;
      sessions.add(next);
      for (const set of [held, inFlight, retryMs, lossSeenMs, heldSinceMs]) set.clear();
    },
    forgetRetries: () => {
      retryMs.clear();
      lossSeenMs.clear();
    },
    takeovers: () => ({ takeovers: counts.takeovers, takeover_ms: { last: counts.last, max: counts.max } }),
  };
};

/**
 * Leases of which this node may believe something else than the leader of the stream has. Servers that crash together
 * can lose the end of a stream, also what they acknowledged, and a watch can be late. So the leader is asked about a
 * lease whose write was refused, of which the watch shows something unexpected, or of which it does not show within a
 * lease what the leader has accepted or told.
 */
interface Doubts {
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

const makeDoubts = (lease_ms: number): Doubts => {
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
