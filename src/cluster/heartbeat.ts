import type { Refusals } from './documents.js';
import type { Order } from './orders.js';
import { BEATS_PER_LEASE, type NodeNote, STEADY_BEATS, type WatchedNodes } from './watchedNodes.js';

/**
 * Result of a write. `refused`: another revision is there; `found`: of a beat, what the leader of the stream has there;
 * `unknown`: no answer, so it may come to pass later.
 */
export type WriteResult =
  | { readonly kind: 'accepted'; readonly revision: number }
  | { readonly kind: 'refused'; readonly found: Found | null }
  | { readonly kind: 'unknown' };

/** A node's document; `session` `null`, revision 0: there is none. */
export interface Found {
  readonly revision: number;
  readonly session: string | null;
}

/** Session of a node and the beats that keep it valid. */
interface Heartbeat {
  readonly session: () => string;
  /** Returns the session before this one, or null when there was none. */
  readonly previous: () => string | null;
  /**
   * Returns when the session is no longer known to be valid: two thirds of a lease after the last accepted beat was
   * sent. Null when no beat was accepted.
   */
  readonly deadlineMs: () => number | null;
  readonly closingMs: () => number;
  /** Last known revision of the node's key, 0: there is none. */
  readonly revision: () => number;
  /** The next beat, when one is due. A changed content is due at once. */
  readonly next: (
    nowMs: number,
    content: string,
  ) => { readonly beat: number; readonly replaces: number; readonly previous: string | null } | null;
  readonly noteResult: (beat: number, session: string, result: WriteResult, nowMs: number) => void;
  /**
   * The watch delivered the node's key. Returns when the beat was sent, or null when it is not of this session or was
   * delivered before.
   */
  readonly noteSeen: (
    revision: number,
    found: { readonly session: string; readonly beat: number } | null,
  ) => number | null;
  /** Starts a new session. */
  readonly renew: () => void;
}

/** Before the deadline generators drain for this part of a lease: what they did last is kept. */
const CLOSING_SHARE = 0.045;

const makeHeartbeat = (lease_ms: number, newSession: () => string): Heartbeat => {
  const beat_ms = lease_ms / BEATS_PER_LEASE;
  let session = newSession();
  let previous: string | null = null;
  let revision = 0;
  let number = 0;
  /** Document of another daemon of this name; it is replaced when it has not changed for a lease. */
  let foreign: { readonly revision: number; readonly sinceMs: number } | null = null;
  let inFlight: number | null = null;
  let hasFailed = false;
  let lastSentMs = Number.NEGATIVE_INFINITY;
  let lastContent = '';
  let acceptedMs: number | null = null;
  /** Times at which beats were sent that the watch has not delivered. */
  const sent = new Map<number, number>();

  const accept = (beat: number): number | null => {
    const sentMs = sent.get(beat) ?? null;
    if (sentMs !== null) acceptedMs = Math.max(acceptedMs ?? sentMs, sentMs);
    if (inFlight === beat) inFlight = null;
    return sentMs;
  };

  const isOwn = (other: string | null): boolean => other === null || other === session || other === previous;

  return {
    session: () => session,
    previous: () => previous,
    deadlineMs: () => (acceptedMs === null ? null : acceptedMs + (lease_ms * 2) / 3),
    closingMs: () => (acceptedMs ?? Number.POSITIVE_INFINITY) + lease_ms * (2 / 3 - CLOSING_SHARE),
    revision: () => revision,
    next: (nowMs, content) => {
      const isHurried = hasFailed || content !== lastContent;
      if (inFlight !== null || nowMs - lastSentMs < (isHurried ? beat_ms / 4 : beat_ms)) return null;
      if (foreign !== null) {
        if (nowMs - foreign.sinceMs < lease_ms) return null;
        revision = foreign.revision;
        foreign = null;
      }
      number += 1;
      inFlight = number;
      hasFailed = false;
      lastSentMs = nowMs;
      lastContent = content;
      sent.set(number, nowMs);
      return { beat: number, replaces: revision, previous };
    },
    noteResult: (beat, of, result, nowMs) => {
      if (of !== session) return;
      if (result.kind === 'accepted') {
        revision = Math.max(revision, result.revision);
        accept(beat);
        return;
      }
      if (inFlight !== beat) return;
      inFlight = null;
      hasFailed = true;
      if (result.kind !== 'refused' || result.found === null) return;
      if (isOwn(result.found.session)) revision = result.found.revision;
      else foreign = { revision: result.found.revision, sinceMs: nowMs };
    },
    noteSeen: (seen, found) => {
      if (seen >= revision) revision = found === null ? 0 : seen;
      if (found === null || found.session !== session) return null;
      const sentMs = accept(found.beat);
      for (const beat of sent.keys()) if (beat <= found.beat) sent.delete(beat);
      return sentMs;
    },
    renew: () => {
      previous = session;
      session = newSession();
      number = 0;
      inFlight = null;
      hasFailed = true;
      acceptedMs = null;
      sent.clear();
    },
  };
};

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

  /** A process that died within three beats of its start must leave its tasks to the others, if there are any. */
  const followed = (): string | null => {
    const document = watched.documentOf(node);
    if (document === null) return null;
    if (document.session === heartbeat.previous()) return document.session;
    if (!former.includes(document.session)) return null;
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
