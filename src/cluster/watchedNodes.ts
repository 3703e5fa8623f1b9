import { type Labels, LEASE_FORMAT, MAX_REFUSED_TASKS, type NodeDocument } from './documents.js';
import type { Order } from './orders.js';
import type { PlacementNode } from './placement.js';

/** Beats without a gap after which a node is steady. */
export const STEADY_BEATS = 3;
/** A longer silence is a gap. */
const GAP_BEATS = 2;
/** Beats in a lease. */
export const BEATS_PER_LEASE = 5;

/**
 * A node's document. `unreadable` is one of a newer format, or a damaged one. Null when it was removed, so its session
 * has ended.
 */
export type NodeNote = NodeDocument | 'unreadable' | null;

/** How a node looks to its observer. */
export interface NodeSight {
  /** Last revision of the node's key; 0 when it was never seen. */
  readonly revision: number;
  readonly seenMs: number;
  /** Silence until the last beat of the observer that came back. */
  readonly silentMs: number;
  /** Silent for a lease. */
  readonly isLost: boolean;
  readonly isSteady: boolean;
}

interface Watched {
  revision: number;
  document: NodeDocument | null;
  /** Its session is unknown: all its leases are valid while its key changes. */
  isUnreadable: boolean;
  seenMs: number;
  /** When the current run without a gap began. */
  runSinceMs: number;
  isSteady: boolean;
  /** Other sessions by the time they were first seen, `ENDED`: over. */
  readonly others: Map<string, number>;
}

const ENDED = Number.NEGATIVE_INFINITY;
const MAX_OTHER_SESSIONS = 32;

/**
 * Liveness of nodes by the observer's monotonic clock. The bucket's watch delivers in order, so when it delivers the
 * observer's own beat, everything that was written before that beat has been seen. Silence is therefore measured up to
 * the time at which the observer sent its last beat that came back: a slow watch or a frozen observer loses no node.
 */
export type WatchedNodes = ReturnType<typeof makeWatchedNodes>;

export const makeWatchedNodes = (lease_ms: number) => {
  const nodes = new Map<string, Watched>();
  const gap_ms = (lease_ms / BEATS_PER_LEASE) * GAP_BEATS;
  const steady_ms = (lease_ms / BEATS_PER_LEASE) * STEADY_BEATS;
  let observedMs = Number.NEGATIVE_INFINITY;

  const isRecent = (seenMs: number): boolean => seenMs !== ENDED && observedMs - seenMs < lease_ms;

  const nodeFor = (node: string, nowMs: number): Watched => {
    const found = nodes.get(node);
    if (found !== undefined) return found;
    const made: Watched = {
      revision: 0,
      document: null,
      isUnreadable: false,
      seenMs: nowMs,
      runSinceMs: nowMs,
      isSteady: false,
      others: new Map(),
    };
    nodes.set(node, made);
    return made;
  };

  const startRun = (watched: Watched, nowMs: number): void => {
    watched.runSinceMs = nowMs;
    watched.isSteady = false;
  };

  /** Drops the oldest sessions that are over. */
  const forgetOthers = ({ others }: Watched): void => {
    for (const [session, seenMs] of others) {
      if (others.size <= MAX_OTHER_SESSIONS) return;
      if (!isRecent(seenMs)) others.delete(session);
    }
  };

  const endSession = (watched: Watched): void => {
    if (watched.document === null) return;
    watched.others.set(watched.document.session, ENDED);
    forgetOthers(watched);
  };

  /** A change of the bucket `nodes`, in the order of the watch. Returns false for a change that is known. */
  const noteDocument = (node: string, note: NodeNote, revision: number, nowMs: number): boolean => {
    const document = note === 'unreadable' ? null : note;
    const watched = nodeFor(node, nowMs);
    // The watch delivers in order: a lower revision comes after servers have lost the end of the stream.
    if (revision === watched.revision) return false;
    const isSame = document !== null && watched.document?.session === document.session;
    // A node that restarts within its lease keeps its tasks.
    const isBack =
      !isSame && document !== null && document.follows === watched.document?.session && watched.isSteady;
    if (!isSame) endSession(watched);
    if (isBack && isRecent(watched.seenMs)) watched.runSinceMs = nowMs;
    else if (!isSame || !isRecent(watched.seenMs)) startRun(watched, nowMs);
    else if (nowMs - watched.seenMs > gap_ms) watched.runSinceMs = nowMs;
    else if (nowMs - watched.runSinceMs >= steady_ms) watched.isSteady = true;
    watched.revision = revision;
    watched.document = document;
    watched.isUnreadable = note === 'unreadable';
    watched.seenMs = nowMs;
    if (document !== null) watched.others.delete(document.session);
    return true;
  };

  /** A lease names this session: it may be newer than what the watch of the nodes has delivered. */
  const noteSession = (node: string, session: string, nowMs: number): void => {
    const watched = nodeFor(node, nowMs);
    if (watched.document?.session !== session && !watched.others.has(session)) {
      watched.others.set(session, nowMs);
      forgetOthers(watched);
    }
  };

  const beginAnew = (nowMs: number): void => {
    for (const watched of nodes.values()) {
      watched.seenMs = nowMs;
      for (const [session, seenMs] of watched.others)
        if (seenMs !== ENDED) watched.others.set(session, nowMs);
    }
  };

  /** False: the leases of the session are lost. */
  const isAlive = (node: string, session: string): boolean => {
    const watched = nodes.get(node);
    if (watched === undefined) return false;
    if (watched.isUnreadable) return isRecent(watched.seenMs);
    return isRecent(
      watched.document?.session === session ? watched.seenMs : (watched.others.get(session) ?? ENDED),
    );
  };

  /**
   * Alive, and once seen for three beats without a gap in this session or the one that it follows. It stays steady until
   * it is lost, so a node that flaps never becomes steady, and one that is late keeps its tasks.
   */
  const isSteady = (node: string): boolean => {
    const watched = nodes.get(node);
    if (watched === undefined || watched.document === null) return false;
    return watched.isSteady && isRecent(watched.seenMs);
  };

  return {
    noteDocument,
    noteSession,
    /** The watch delivered an own beat. After a gap between own beats all observations begin anew. */
    noteOwnBeat: (sentMs: number, nowMs: number): void => {
      if (sentMs <= observedMs) return;
      if (sentMs - observedMs > gap_ms) beginAnew(nowMs);
      observedMs = sentMs;
    },
    isAlive,
    isSteady,
    documents: function* (): Generator<readonly [node: string, document: NodeDocument]> {
      for (const [node, { document }] of nodes) if (document !== null) yield [node, document];
    },
    documentOf: (node: string): NodeDocument | null => nodes.get(node)?.document ?? null,
    sightOf: (node: string): NodeSight => {
      const { revision, seenMs } = nodes.get(node) ?? { revision: 0, seenMs: ENDED };
      return {
        revision,
        seenMs,
        silentMs: observedMs - seenMs,
        isLost: !isRecent(seenMs),
        isSteady: isSteady(node),
      };
    },
  };
};

const isOpen = ({ refused }: PlacementNode): boolean => refused.length <= MAX_REFUSED_TASKS;

/** Steps look at the same document until the next beat. */
const made = new WeakMap<NodeDocument, PlacementNode>();

const placed = (node: string, document: NodeDocument): PlacementNode => {
  const { capacity, labels, refused } = document;
  const found = made.get(document) ?? {
    node,
    capacity,
    labels,
    refused: refused.flatMap(({ tasks }) => tasks),
  };
  made.set(document, found);
  return found;
};

/** Nodes that may own tasks, as this one sees them; `own`: this one, `null` when it takes none. */
export const candidatesOf = (
  watched: WatchedNodes,
  node: string,
  own: { readonly capacity: number; readonly labels: Labels; readonly refused: readonly string[] } | null,
): readonly PlacementNode[] => {
  const found: PlacementNode[] = own === null ? [] : [{ node, ...own }];
  for (const [name, document] of watched.documents()) {
    // One of a version without epochs would not take what another one gave back.
    if (name === node || document.format < LEASE_FORMAT) continue;
    if (!document.draining && watched.isSteady(name)) found.push(placed(name, document));
  }
  return found.filter(isOpen);
};

/** Removes nodes that were lost for long. The first steady node by name does it, by revision: one that beats again stays. */
export const orderForgetting = (
  watched: WatchedNodes,
  node: string,
  forget_ms: number,
  orders: Order[],
): void => {
  const names = [...watched.documents()].map(([name]) => name);
  if (names.some((name) => name < node && watched.isSteady(name))) return;
  for (const name of names) {
    const { silentMs, revision } = watched.sightOf(name);
    if (name !== node && silentMs >= forget_ms)
      orders.push({ type: 'forget', node: name, replaces: revision });
  }
};
