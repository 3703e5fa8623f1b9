import type { Refusals } from './documents.js';
import type { LeaseWriter } from './leaseWrites.js';
import type { Order, WriteResult } from './orders.js';
import { BEATS_PER_LEASE, type NodeNote, STEADY_BEATS } from './watchedNodes.js';

/** What a beat tells beside the session; `refused` is the same list until it changes. */
interface Told {
  readonly draining: boolean;
  readonly refused: readonly Refusals[];
}

interface Options extends Pick<LeaseWriter, 'node' | 'lease_ms' | 'former' | 'watched'> {
  /** Random text. */
  readonly newSession: () => string;
}

/** Before the deadline generators drain for this part of a lease: what they did last is kept. */
const CLOSING_SHARE = 0.045;

/** This node as the cluster sees it: its session, and the beats that tell of it and keep it valid. */
export const makePresence = ({ node, lease_ms, former, watched, newSession }: Options) => {
  const beat_ms = lease_ms / BEATS_PER_LEASE;
  let session = newSession();
  let previous: string | null = null;
  let follows: string | null = null;
  let isNameTaken = false;
  let revision = 0;
  let number = 0;
  /** Document of another daemon of this name; it is replaced when it has not changed for a lease. */
  let foreign: { readonly revision: number; readonly sinceMs: number } | null = null;
  let inFlight: number | null = null;
  let hasFailed = false;
  let lastSentMs = Number.NEGATIVE_INFINITY;
  let lastTold: Told | null = null;
  let acceptedMs: number | null = null;
  /** Times at which beats were sent that the watch has not delivered. */
  const sent = new Map<number, number>();

  const isLive = (): boolean => acceptedMs !== null;
  const isOwn = (other: string): boolean => other === session || other === previous;

  const accept = (beat: number): number | null => {
    const sentMs = sent.get(beat) ?? null;
    if (sentMs !== null) acceptedMs = Math.max(acceptedMs ?? sentMs, sentMs);
    if (inFlight === beat) inFlight = null;
    return sentMs;
  };

  const findNameTaken = (nowMs: number): boolean => {
    if (isLive()) return false;
    const other = watched.documentOf(node)?.session;
    if (other !== undefined && (isOwn(other) || former.has(other))) return false;
    const sight = watched.sightOf(node);
    return sight.revision > 0 && revision > 0 && nowMs - sight.seenMs < lease_ms;
  };

  /** A process that died within three beats of its start must leave its tasks to the others, if there are any. */
  const followed = (): string | null => {
    const document = watched.documentOf(node);
    if (document === null) return null;
    if (document.session === previous) return previous;
    const isAlone = [...watched.documents()].length === 1;
    return former.has(document.session) && (isAlone || document.beat > STEADY_BEATS)
      ? document.session
      : null;
  };

  /** Whether a beat is due. A changed content is due at once. */
  const isDue = (nowMs: number, { draining, refused }: Told): boolean => {
    const isHurried = hasFailed || draining !== lastTold?.draining || refused !== lastTold.refused;
    if (inFlight !== null || nowMs - lastSentMs < (isHurried ? beat_ms / 4 : beat_ms)) return false;
    return foreign === null || nowMs - foreign.sinceMs >= lease_ms;
  };

  return {
    session: () => session,
    isLive,
    /** Seen for three beats in its session, or in the one that it follows. */
    isSteady: () => watched.isSteady(node) && watched.documentOf(node)?.session === session,
    /** Another live daemon has the name of this node. */
    isNameTaken: () => isNameTaken,
    /** Its session follows a former one of this node, at rest now, and takes the place of that one at once. */
    isFollowing: () => follows !== null,
    /** Last known revision of the node's key, 0: there is none of this session. */
    revision: () => (isLive() ? revision : 0),
    /**
     * Returns when the session is no longer known to be valid: two thirds of a lease after the last accepted beat was
     * sent. Null when no beat was accepted.
     */
    deadlineMs: () => (acceptedMs === null ? null : acceptedMs + (lease_ms * 2) / 3),
    closingMs: () => (acceptedMs ?? Number.POSITIVE_INFINITY) + lease_ms * (2 / 3 - CLOSING_SHARE),
    /** `mayJoin`: what ran by the last session is at rest. */
    beat: (nowMs: number, told: Told, mayJoin: boolean, orders: Order[]): void => {
      isNameTaken = findNameTaken(nowMs);
      if (isNameTaken || !(isLive() || mayJoin) || !isDue(nowMs, told)) return;
      if (foreign !== null) revision = foreign.revision;
      foreign = null;
      number += 1;
      inFlight = number;
      hasFailed = false;
      lastSentMs = nowMs;
      lastTold = told;
      sent.set(number, nowMs);
      if (!isLive()) follows = followed();
      orders.push({ type: 'beat', session, beat: number, follows, previous, replaces: revision, ...told });
    },
    noteResult: (beat: number, of: string, result: WriteResult, nowMs: number): void => {
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
      const { found } = result;
      if (found.session === null || isOwn(found.session)) revision = found.revision;
      else foreign = { revision: found.revision, sinceMs: nowMs };
    },
    /** The watch delivered the node's document. Returns whether another daemon has taken the name. */
    noteSeen: (note: NodeNote, seen: number, nowMs: number): boolean => {
      const isNew = seen > revision;
      if (seen >= revision) revision = note === null ? 0 : seen;
      if (note === null) return false;
      if (note === 'unreadable' || !isOwn(note.session)) return isNew && isLive();
      if (note.session !== session) return false;
      const sentMs = accept(note.beat);
      for (const beat of sent.keys()) if (beat <= note.beat) sent.delete(beat);
      if (sentMs !== null) watched.noteOwnBeat(sentMs, nowMs);
      return false;
    },
    /** Its session is over: it joins anew. */
    renew: (): void => {
      previous = session;
      session = newSession();
      follows = null;
      number = 0;
      inFlight = null;
      hasFailed = true;
      acceptedMs = null;
      sent.clear();
    },
  };
};
