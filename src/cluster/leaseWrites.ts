import type { LeaseOrder, Order, WriteResult } from './orders.js';
import type { WatchedNodes } from './watchedNodes.js';

/** Who holds a lease. `unreadable` is a document of a newer format, or a damaged one. Null when the key is free. */
type Holder = { readonly node: string; readonly session: string } | 'unreadable' | null;

export interface LeaseNote {
  readonly revision: number;
  readonly holder: Holder;
  /** Epoch of the last holder. 0 when it is unknown. */
  readonly epoch: number;
  /** Nodes in a row that were lost while they held it. */
  readonly deaths: number;
}

/** A lease that nobody has had. */
const FREE: LeaseNote = { revision: 0, holder: null, epoch: 0, deaths: 0 };

/** Who holds a lease, as far as this version can read it. */
export const holderOf = ({ holder }: LeaseNote): Exclude<Holder, 'unreadable'> =>
  holder === 'unreadable' ? null : holder;

/** Lease writes of a node that wait for their answer. */
const MAX_IN_FLIGHT = 32;
/** A refused or unanswered lease write is repeated after a beat / 3, or when another revision is known. */
const RETRIES_PER_LEASE = 15;
/** A node that gives back what it held for so long was not harmed by it. */
const HARMLESS_MS = 600_000;

export interface LeaseWriter {
  readonly node: string;
  readonly lease_ms: number;
  readonly watched: WatchedNodes;
  /** Sessions of this node whose process is dead. */
  readonly former: ReadonlySet<string>;
  /** For a key without a lease: above every epoch that an earlier lease of it can have had. */
  readonly firstEpoch: () => number;
}

const isSame = (a: LeaseNote, b: LeaseNote): boolean =>
  a.revision === b.revision && a.epoch === b.epoch && sessionOf(a) === sessionOf(b);

const sessionOf = ({ holder }: LeaseNote): string | null =>
  holder === null || holder === 'unreadable' ? holder : holder.session;

/** The revision that a write replaces. 0 when there is no document, but perhaps the marker of one that was removed. */
const replacedRevision = ({ holder, epoch, revision }: LeaseNote): number =>
  holder !== null || epoch > 0 ? revision : 0;

/** Leases of one node: which it holds, takes and gives back. */
export const makeLeaseWrites = (options: LeaseWriter) => {
  const { node, lease_ms, watched, former, firstEpoch } = options;
  let session = '';
  /** Last known leases by key. What the leader of the stream said counts whatever was known before. */
  const leases = new Map<string, LeaseNote>();
  /** Sessions of this process: it did not die of what it held. */
  const sessions = new Set<string>();
  const doubts = makeDoubts(lease_ms);
  /** Since when each key is held. */
  const held = new Map<string, number>();
  const inFlight = new Set<string>();
  const retryMs = new Map<string, number>();
  /** Epochs whose release was ordered: it may come to pass late, so nothing runs by them. */
  const givenUp = new Map<string, number>();
  const lossSeenMs = new Map<string, number>();
  /** Leases taken from lost sessions. */
  let takeovers = 0;
  /** From the loss being seen to the key being held. */
  let takeover_ms = { last: 0, max: 0 };

  const leaseOf = (key: string): LeaseNote => leases.get(key) ?? FREE;

  const isMine = (key: string): boolean => {
    const holder = holderOf(leaseOf(key));
    return holder?.node === node && holder.session === session;
  };

  const isFormer = (key: string): boolean => {
    const holder = holderOf(leaseOf(key));
    if (holder?.node !== node || holder.session === session) return false;
    return former.has(holder.session) || sessions.has(holder.session);
  };

  const isFull = (): boolean => inFlight.size >= MAX_IN_FLIGHT;

  const mayWrite = (key: string, nowMs: number): boolean =>
    !isFull() && !inFlight.has(key) && nowMs >= (retryMs.get(key) ?? Number.NEGATIVE_INFINITY);

  /** Whether the key is free or its lease is lost. */
  const canTake = (key: string, lease: LeaseNote, nowMs: number): boolean => {
    const { holder } = lease;
    if (holder === null || isFormer(key)) return true;
    if (holder === 'unreadable' || watched.isAlive(holder.node, holder.session)) return false;
    if (!lossSeenMs.has(key)) lossSeenMs.set(key, nowMs);
    return true;
  };

  /** Whether the holder of a lease that can be taken has died, or at least was silent for a lease. */
  const hasDied = (lease: LeaseNote): boolean => {
    const holder = holderOf(lease);
    if (holder === null || sessions.has(holder.session)) return false;
    return watched.documentOf(holder.node)?.previous !== holder.session;
  };

  const countTakeover = (key: string, isHeld: boolean, nowMs: number): void => {
    const lossMs = lossSeenMs.get(key);
    lossSeenMs.delete(key);
    if (lossMs === undefined || !isHeld) return;
    takeovers += 1;
    takeover_ms = { last: nowMs - lossMs, max: Math.max(takeover_ms.max, nowMs - lossMs) };
  };

  const put = (key: string, lease: LeaseNote, nowMs: number): void => {
    leases.set(key, lease);
    const isHeld = isMine(key);
    if (!isHeld) held.delete(key);
    else if (!held.has(key)) held.set(key, nowMs);
    if (lease.holder === null || givenUp.get(key) !== lease.epoch) givenUp.delete(key);
    retryMs.delete(key);
    countTakeover(key, isHeld, nowMs);
  };

  /** The holder may be a session that the watch of the nodes has not shown yet: it is alive for a lease. */
  const noteHolder = (lease: LeaseNote, nowMs: number): void => {
    const holder = holderOf(lease);
    if (holder !== null) watched.noteSession(holder.node, holder.session, nowMs);
  };

  const noteResult = (order: LeaseOrder, result: WriteResult, nowMs: number): void => {
    const { key, type, epoch, deaths } = order;
    if (order.session === session) inFlight.delete(key);
    if (result.kind !== 'accepted') {
      if (result.kind === 'refused') doubts.add(key, nowMs);
      retryMs.set(key, nowMs + lease_ms / RETRIES_PER_LEASE);
      return;
    }
    const holder = type === 'release' ? null : { node, session: order.session };
    // The watch has shown a later one, or one that is no more.
    if (leaseOf(key).revision > result.revision) return doubts.add(key, nowMs);
    doubts.noteTold(key, result.revision, nowMs);
    put(key, { revision: result.revision, holder, epoch, deaths }, nowMs);
  };

  return {
    leaseOf,
    /** The lease is of this node and session. */
    isMine,
    /** The lease is of a former session of this node: of a process that is dead, or at rest since this one joined. */
    isFormer,
    /** Generators may run by the lease: it is mine and was not given back. */
    isUsable: (key: string): boolean => isMine(key) && givenUp.get(key) !== leaseOf(key).epoch,
    held: (): ReadonlyMap<string, number> => held,
    isFull,
    isIdle: (): boolean => inFlight.size === 0,
    /** Orders a key that is free or whose lease is lost or former. Returns whether it waits for other writes. */
    acquire: (key: string, nowMs: number, orders: Order[]): boolean => {
      const lease = leaseOf(key);
      if (isMine(key) || !canTake(key, lease, nowMs)) return false;
      if (!mayWrite(key, nowMs)) return isFull();
      inFlight.add(key);
      const epoch = lease.epoch > 0 ? lease.epoch + 1 : firstEpoch();
      const deaths = lease.deaths + (hasDied(lease) ? 1 : 0);
      orders.push({ type: 'acquire', session, key, replaces: replacedRevision(lease), epoch, deaths });
      return false;
    },
    release: (key: string, nowMs: number, orders: Order[]): void => {
      if (!mayWrite(key, nowMs)) return;
      const { revision, epoch, deaths: before } = leaseOf(key);
      const deaths = nowMs - (held.get(key) ?? nowMs) >= HARMLESS_MS ? 0 : before;
      givenUp.set(key, epoch);
      inFlight.add(key);
      orders.push({ type: 'release', session, key, replaces: revision, epoch, deaths });
    },
    /** The watch showed a lease: a hint, which never counts more than what the leader has said. */
    noteLease: (key: string, lease: LeaseNote, nowMs: number): void => {
      noteHolder(lease, nowMs);
      const known = leaseOf(key);
      // Otherwise the watch is late, or servers have lost the end of the stream.
      const isExpected = lease.revision > known.revision || isSame(known, lease);
      doubts.noteShown(key, replacedRevision(lease), isExpected, nowMs);
      if (lease.revision > known.revision) put(key, lease, nowMs);
    },
    /** The leader has this lease. Null when it does not answer. */
    noteRead: (key: string, read: number, lease: LeaseNote | null, nowMs: number): void => {
      if (!doubts.settle(key, read, lease !== null, nowMs) || lease === null) return;
      noteHolder(lease, nowMs);
      doubts.noteTold(key, lease.revision, nowMs);
      if (!isSame(leaseOf(key), lease)) put(key, lease, nowMs);
    },
    /** Orders reads of leases in doubt. */
    orderReads: doubts.order,
    noteResult,
    setSession: (next: string): void => {
      session = next;
      sessions.add(next);
      for (const set of [held, inFlight, retryMs, lossSeenMs]) set.clear();
    },
    forgetRetries: (): void => {
      retryMs.clear();
      lossSeenMs.clear();
    },
    takeovers: () => ({ takeovers, takeover_ms }),
  };
};

/**
 * Leases of which this node may believe something else than the leader of the stream has. Servers that crash together
 * can lose the end of a stream, also what they acknowledged, and a watch can be late. So the leader is asked about a
 * lease whose write was refused, of which the watch shows something unexpected, or of which it does not show within a
 * lease what the leader has accepted or told.
 */
const makeDoubts = (lease_ms: number) => {
  const shown = new Map<string, number>();
  /** When the leader is asked, by key. */
  const dueMs = new Map<string, number>();
  /** Number of the last read of a key that was ordered. */
  const asked = new Map<string, number>();
  let reads = 0;

  return {
    /** The leader is asked in the next step. */
    add: (key: string, nowMs: number): void => void dueMs.set(key, nowMs),
    /** The leader has accepted or told this revision, 0: none. */
    noteTold: (key: string, revision: number, nowMs: number): void => {
      asked.delete(key);
      if ((shown.get(key) ?? 0) === revision) dueMs.delete(key);
      else dueMs.set(key, nowMs + lease_ms);
    },
    /** The watch has shown this revision, 0: none. `isExpected`: what is believed is no newer. */
    noteShown: (key: string, revision: number, isExpected: boolean, nowMs: number): void => {
      shown.set(key, revision);
      asked.delete(key);
      if (isExpected) dueMs.delete(key);
      else dueMs.set(key, nowMs);
    },
    order: (nowMs: number, orders: Order[]): void => {
      for (const [key, due] of dueMs) {
        if (nowMs < due) continue;
        dueMs.delete(key);
        reads += 1;
        asked.set(key, reads);
        orders.push({ type: 'read', key, read: reads });
      }
    },
    /**
     * The leader answered a read, or did not: then it is asked again. Returns whether the answer counts: since the
     * read was ordered, no write was accepted and the watch has shown nothing. Otherwise it may be older than those.
     */
    settle: (key: string, read: number, isAnswered: boolean, nowMs: number): boolean => {
      if (asked.get(key) !== read) return false;
      asked.delete(key);
      if (!isAnswered) dueMs.set(key, nowMs + lease_ms / RETRIES_PER_LEASE);
      return isAnswered;
    },
  };
};
