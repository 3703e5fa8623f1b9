import type { Refusals } from './documents.js';
import { type Heartbeat, makeHeartbeat } from './heartbeat.js';
import type { Order } from './orders.js';
import { type NodeNote, STEADY_BEATS, type WatchedNodes } from './watchedNodes.js';

/** This node as the cluster sees it: its session, and the beats that tell of it. */
export interface Presence extends Pick<Heartbeat, 'session' | 'deadlineMs' | 'closingMs' | 'noteResult'> {
  readonly isLive: () => boolean;
  /** Seen for three beats in its session, or in the one that it follows. */
  readonly isSteady: () => boolean;
  /** Another live daemon has the name of this node. */
  readonly isNameTaken: () => boolean;
  /** Its session follows a former one of this node, at rest now, and takes the place of that one at once. */
  readonly isFollowing: () => boolean;
  readonly revision: () => number;
  /** `mayJoin`: what ran by the last session is at rest. */
  readonly beat: (nowMs: number, told: Told, mayJoin: boolean, orders: Order[]) => void;
  /** The watch delivered the node's document. Returns whether another daemon has taken the name. */
  readonly noteSeen: (note: NodeNote, revision: number, nowMs: number) => boolean;
  /** Its session is over: it joins anew. */
  readonly renew: () => void;
}

/** What a beat tells beside the session; `version` rises with each change of the refusals. */
interface Told {
  readonly draining: boolean;
  readonly refused: readonly Refusals[];
  readonly version: number;
}

interface Options {
  readonly node: string;
  readonly lease_ms: number;
  /** Sessions of this node whose process is dead. */
  readonly former: readonly string[];
  /** Random text. */
  readonly newSession: () => string;
}

export const makePresence = (
  { node, lease_ms, former, newSession }: Options,
  watched: WatchedNodes,
): Presence => {
  const heartbeat = makeHeartbeat(lease_ms, newSession);
  let isNameTaken = false;
  let follows: string | null = null;
  const isLive = (): boolean => heartbeat.deadlineMs() !== null;

  const findNameTaken = (nowMs: number): boolean => {
    if (isLive()) return false;
    const { session } = watched.documentOf(node) ?? {};
    if (session === heartbeat.session() || session === heartbeat.previous()) return false;
    if (session !== undefined && former.includes(session)) return false;
    const { revision, seenMs } = watched.sightOf(node);
    return revision > 0 && heartbeat.revision() > 0 && nowMs - seenMs < lease_ms;
  };

  /** A node that dies again within three beats must leave its units to the others, if there are any. */
  const followed = (): string | null => {
    const document = watched.documentOf(node);
    if (document === null) return null;
    if (!former.includes(document.session) && document.session !== heartbeat.previous()) return null;
    const isAlone = [...watched.documents()].length === 1;
    return isAlone || document.beat > STEADY_BEATS ? document.session : null;
  };

  return {
    session: heartbeat.session,
    deadlineMs: heartbeat.deadlineMs,
    closingMs: heartbeat.closingMs,
    noteResult: heartbeat.noteResult,
    isLive,
    isSteady: () => watched.isSteady(node) && watched.documentOf(node)?.session === heartbeat.session(),
    isNameTaken: () => isNameTaken,
    isFollowing: () => follows !== null,
    revision: () => (isLive() ? heartbeat.revision() : 0),
    beat: (nowMs, { version, ...told }, mayJoin, orders) => {
      isNameTaken = findNameTaken(nowMs);
      if (isNameTaken || (!isLive() && !mayJoin)) return;
      const due = heartbeat.next(nowMs, `${told.draining} ${version}`);
      if (due === null) return;
      if (!isLive()) follows = followed();
      orders.push({ type: 'beat', session: heartbeat.session(), follows, ...due, ...told });
    },
    noteSeen: (note, revision, nowMs) => {
      const found = note === null || note === 'unreadable' ? null : note;
      const isForeign =
        note === 'unreadable' ||
        (found !== null && found.session !== heartbeat.session() && found.session !== heartbeat.previous());
      const isNew = revision > heartbeat.revision();
      const sentMs = heartbeat.noteSeen(revision, note === 'unreadable' ? { session: '', beat: 0 } : found);
      if (sentMs !== null) watched.noteOwnBeat(sentMs, nowMs);
      return isForeign && isNew && isLive();
    },
    renew: () => {
      heartbeat.renew();
      follows = null;
    },
  };
};
