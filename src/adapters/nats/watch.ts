import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import { backoffMs } from '../../domain/waiting.js';
import { unavailable } from './natsErrors.js';
import { openReader, type ReadEntry } from './reader.js';
import type { NatsSession } from './session.js';
import type { KeyedStream, KvEntry } from './streams.js';

interface WatchOptions {
  readonly session: NatsSession;
  readonly keyed: KeyedStream;
  /** Subjects to watch, with a wildcard. */
  readonly filter: string;
  readonly isRemoved: (entry: KvEntry) => boolean;
}

interface WatchListener {
  readonly onPut: (entry: KvEntry) => void;
  /** `isWiped`: nobody removed it; the servers have lost the whole stream, and there is a new one. */
  readonly onRemoved: (subject: string, revision: number, isWiped: boolean) => void;
}

const RETRY = { base_ms: 100, cap_ms: 5_000 };
/** A server that has just started may not answer. */
const FIRST_ATTEMPTS = 3;
const CHECKS_AT_ONCE = 50;
/**
 * A quiet reader is compared with its stream this often. After a crash of all servers the copy of one of them can stand
 * still for long (nats-server 2.10.27, once in some fifty crashes), and its readers with it.
 */
const LOOK_EVERY_MS = 2_000;

/** Returns the subjects that neither the last listing nor the leader has, or an error when it cannot tell. */
const removedOf = async (
  { keyed, isRemoved }: WatchOptions,
  candidates: readonly string[],
): Promise<Result<readonly string[]>> => {
  const removed: string[] = [];
  for (let from = 0; from < candidates.length; from += CHECKS_AT_ONCE) {
    const part = candidates.slice(from, from + CHECKS_AT_ONCE);
    const found = await Promise.all(part.map((subject) => keyed.read(`bucket ${keyed.bucket}`, subject)));
    for (const [index, one] of found.entries()) {
      if (E.isLeft(one)) return one;
      if (one.right === null || isRemoved(one.right)) removed.push(part[index] ?? '');
    }
  }
  return E.right(removed);
};

/**
 * Watches subjects for ever. A reader that is lost is replaced by a new one, which lists everything again; the changes
 * since then are found by their revisions. So removals are seen also when their markers are gone. Resolves when what was
 * there is told, or to an error when the watch cannot begin.
 */
export const watchStream = async (
  options: WatchOptions,
  listener: WatchListener,
  signal: AbortSignal,
): Promise<Result<null>> => {
  const { session, keyed, filter, isRemoved } = options;
  const place = `watch of bucket ${keyed.bucket}`;
  /** Which entry each subject has that was delivered with a value; null: one of a stream that is gone. */
  const seen = new Map<string, string | null>();
  /** Everything up to this revision was delivered. */
  let floor = 0;
  /** When the stream was created; another time: it is another stream, with other revisions. */
  let createdAt = '';
  /** The stream is another one than the last that was listed whole. */
  let isWiped = false;
  const over = AbortSignal.any([signal, session.closing]);
  let attempt = 0;
  let announce = (): void => {};
  const current = new Promise<Result<null>>((resolve) => {
    announce = () => resolve(E.right(null));
  });

  const deliver = (entry: ReadEntry, isListing: boolean): void => {
    if (over.aborted) return;
    const { subject, revision, stored } = entry;
    const identity = `${revision} ${stored}`;
    // A listing may have older revisions than those seen, or the same ones of other entries: servers that crash can lose
    // the end of the stream.
    if (isListing ? seen.get(subject) === identity : revision <= floor) return;
    floor = Math.max(floor, revision);
    if (!isRemoved(entry)) {
      seen.set(subject, identity);
      listener.onPut(entry);
    } else if (seen.delete(subject)) listener.onRemoved(subject, revision, false);
  };
  /** Asks the leader for the state of the stream. Returns its last revision. */
  const identify = async (): Promise<Result<number>> => {
    const ready = await keyed.ensure();
    if (E.isLeft(ready)) return ready;
    const info = await session.insist(place, true, () => session.quick.streams.info(keyed.stream));
    if (E.isLeft(info)) {
      keyed.forget();
      return info;
    }
    const { created, state } = info.right;
    // Another stream, or one that lost its end in a crash: revisions begin anew.
    if (created !== createdAt || state.last_seq < floor) {
      if (created !== createdAt && createdAt !== '') {
        isWiped = true;
        // A revision of the new stream may have the same number.
        for (const subject of seen.keys()) seen.set(subject, null);
      }
      createdAt = created;
      floor = 0;
    }
    return E.right(state.last_seq);
  };
  const settle = async (listed: ReadonlySet<string>, last: number): Promise<Result<null>> => {
    const missing = [...seen].filter(([subject]) => !listed.has(subject));
    const removed = await removedOf(
      options,
      missing.map(([subject]) => subject),
    );
    if (E.isLeft(removed)) return removed;
    floor = Math.max(floor, last);
    const before = new Map(missing);
    for (const subject of removed.right) {
      if (over.aborted) break;
      // It may be there again meanwhile.
      if (seen.get(subject) !== before.get(subject)) continue;
      seen.delete(subject);
      listener.onRemoved(subject, Math.max(last, floor), isWiped);
    }
    isWiped = false;
    if (!over.aborted) announce();
    return E.right(null);
  };
  /** Loses a reader that stands still although its stream goes on. */
  const lookAfter = async (isOpen: () => boolean, lose: (reason: string) => void): Promise<void> => {
    for (let before = -1; ; before = floor) {
      await session.clock.sleepMs(LOOK_EVERY_MS, over);
      if (over.aborted || !isOpen()) return;
      if (floor !== before) continue;
      const info = await session.run(place, () => session.quick.streams.info(keyed.stream));
      if (floor === before && E.isRight(info) && info.right.state.last_seq > before)
        return lose('it stands still');
    }
  };
  /**
   * Resolves to why a listing that ended at a revision is not all that was there, or to null. The copy of a server that
   * has just started can be behind, and its readers with it.
   */
  const whyIncomplete = async (reached: number, last: number): Promise<string | null> => {
    if (reached >= last) return null;
    const next = await keyed.next(place, filter, reached + 1);
    if (E.isLeft(next)) return next.left.message;
    return next.right !== null && next.right.revision <= last ? 'the copy of its server is behind' : null;
  };
  /** Returns an error when nothing was begun. */
  const begin = async (): Promise<Result<null>> => {
    const last = await identify();
    if (E.isLeft(last)) return last;
    const listed = new Set<string>();
    let reached = 0;
    let isListing = true;
    let isOpen = false;
    const losses: string[] = [];
    let stop = (): void => {};
    const lost = (reason: string): void => {
      if (losses.push(reason) > 1) return;
      stop();
      over.removeEventListener('abort', stop);
      if (over.aborted || !isOpen) return;
      session.log.write('debug', `${place} begins anew: ${reason}`);
      void retry();
    };
    const onCurrent = async (): Promise<void> => {
      isListing = false;
      const reason = await whyIncomplete(reached, last.right);
      if (reason !== null) return lost(reason);
      attempt = 0;
      const settled = await settle(listed, last.right);
      if (E.isLeft(settled)) lost(settled.left.message);
    };
    const onEntry = (entry: ReadEntry): void => {
      if (isListing) {
        listed.add(entry.subject);
        reached = Math.max(reached, entry.revision);
      }
      deliver(entry, isListing);
    };
    const reader = await openReader(
      session,
      { stream: keyed.stream, filter, last: last.right, place },
      { onEntry, onCurrent: () => void onCurrent(), onLost: lost },
    );
    if (E.isLeft(reader)) return reader;
    const [lostFor] = losses;
    if (lostFor !== undefined) {
      reader.right();
      return E.left(unavailable(place, lostFor, 'Check the NATS servers.'));
    }
    isOpen = true;
    stop = reader.right;
    if (over.aborted) stop();
    else over.addEventListener('abort', stop, { once: true });
    void lookAfter(() => losses.length === 0, lost);
    return E.right(null);
  };
  const retry = async (): Promise<void> => {
    for (;;) {
      attempt += 1;
      await session.clock.sleepMs(backoffMs(RETRY, attempt, Math.random()), over);
      if (over.aborted) return;
      const begun = await begin();
      if (E.isRight(begun)) return;
      session.log.write('debug', `${place}: ${begun.left.message}`);
    }
  };
  for (let tried = 1; ; tried += 1) {
    const begun = await begin();
    if (E.isRight(begun)) return current;
    if (tried === FIRST_ATTEMPTS || !session.isConnected()) return begun;
  }
};
