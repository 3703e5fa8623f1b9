import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import * as E from 'fp-ts/lib/Either.js';
import type { Result, SpateError } from '../../../domain/errors.js';
import type { EventBatch } from '../../../domain/events/eventBatch.js';
import type { Micros } from '../../../domain/time/micros.js';
import type { Clock } from '../../../ports/clock.js';
import type { Written } from '../../kit.js';

/** One write. */
interface Member {
  readonly draft: Draft;
  readonly bytes: Uint8Array;
  /** Attempts it has taken part in. */
  tries: number;
}

/** An attempt to store a draft, for all its writes. */
interface Attempt {
  /** Bytes of the object. */
  readonly result: Promise<Result<number>>;
  readonly ending: AbortController;
  /** Writes that wait for it. */
  waiting: number;
}

/** An object to be: its writes and key stay the same in each attempt. */
interface Draft {
  readonly key: string;
  readonly members: Set<Member>;
  /** Resolves when it takes no more writes. */
  readonly complete: Promise<void>;
  readonly finish: () => void;
  readonly attempts: Attempt[];
  bytes: number;
  /** Content, once complete. */
  content: Promise<Pieces> | null;
  /** Bytes of the stored object. Null until it is stored. */
  stored: number | null;
}

export interface DraftOptions {
  readonly store: (key: string, pieces: Pieces, signal: AbortSignal) => Promise<Result<void>>;
  readonly newKey: (now: Micros) => string;
  readonly separator: string;
  readonly isCompressed: boolean;
  readonly roll_bytes: number;
  readonly roll_ms: number;
  readonly clock: Clock;
  /** The attempt ended before the object was stored. */
  readonly stopped: () => SpateError;
}

/** Joins writes into objects. Each write ends with the attempt to store its object. */
interface ObjectDrafts {
  readonly write: (batch: EventBatch, signal: AbortSignal) => Promise<Result<Written>>;
  readonly onBackPressure: (isHeldBack: boolean) => void;
  /** Stores what is collected; resolves when no attempt is under way. */
  readonly flush: () => Promise<void>;
  /** Ends all attempts. */
  readonly end: () => void;
}

export const makeDrafts = (options: DraftOptions): ObjectDrafts => {
  const { store, newKey, separator, isCompressed, roll_bytes, roll_ms, clock, stopped } = options;
  /** Writes that may come again: a retry is the same batch. */
  const members = new WeakMap<EventBatch, Member>();
  const underWay = new Set<Attempt>();
  let open: Draft | null = null;
  let stopTimer = (): void => {};
  let isHeldBack = true;

  const finishOpen = (): void => {
    const draft = open;
    if (draft === null) return;
    open = null;
    stopTimer();
    draft.attempts.push(start(draft));
    draft.finish();
  };

  /** An attempt under way frees the generator when it ends: until then, writes may still come. */
  const settle = (): void => {
    if (isHeldBack && underWay.size === 0) finishOpen();
  };

  const newDraft = (): Draft => {
    let finish = (): void => {};
    const complete = new Promise<void>((resolve) => {
      finish = resolve;
    });
    stopTimer = clock.after(roll_ms, finishOpen);
    const key = newKey(clock.now());
    return { key, members: new Set(), complete, finish, attempts: [], bytes: 0, content: null, stored: null };
  };

  const join = (batch: EventBatch): Member => {
    const bytes = batch.bytes(separator);
    if (open !== null && open.bytes + bytes.byteLength > roll_bytes) finishOpen();
    open ??= newDraft();
    const draft = open;
    const member: Member = { draft, bytes, tries: 0 };
    draft.members.add(member);
    draft.bytes += bytes.byteLength;
    members.set(batch, member);
    if (draft.bytes >= roll_bytes || roll_ms === 0) finishOpen();
    else settle();
    return member;
  };

  /** A write that ends before its draft is complete leaves it. */
  const leaveOpen = (batch: EventBatch, member: Member): void => {
    const { draft } = member;
    if (draft !== open) return;
    members.delete(batch);
    draft.members.delete(member);
    draft.bytes -= member.bytes.byteLength;
    if (draft.members.size > 0) return;
    open = null;
    stopTimer();
  };

  const run = async (draft: Draft, signal: AbortSignal): Promise<Result<number>> => {
    const pieces = [...draft.members].map(({ bytes }) => bytes);
    draft.content ??= isCompressed ? compressedBody(pieces) : Promise.resolve(pieces);
    const content = await draft.content;
    const result = await store(draft.key, content, signal);
    if (E.isLeft(result)) return result;
    draft.stored = bodySizeOf(content);
    draft.content = null;
    return E.right(draft.stored);
  };

  const start = (draft: Draft): Attempt => {
    const ending = new AbortController();
    const result = run(draft, ending.signal);
    const attempt: Attempt = { result, ending, waiting: 0 };
    underWay.add(attempt);
    const onEnd = async (): Promise<void> => {
      underWay.delete(attempt);
      // The generator gets to know first: it may have room for more writes.
      await clock.yieldTurn();
      settle();
    };
    void result.then(onEnd, onEnd);
    return attempt;
  };

  /** The bytes of the object, shared among its writes. */
  const writtenBy = (member: Member, count: number, stored: number): Written => {
    let before = 0;
    for (const other of member.draft.members) {
      if (other === member) break;
      before += other.bytes.byteLength;
    }
    const total = Math.max(1, member.draft.bytes);
    const upTo = (bytes: number): number => Math.floor((stored * bytes) / total);
    return { written: count, failed: 0, bytes: upTo(before + member.bytes.byteLength) - upTo(before) };
  };

  /** All writes of a draft take part in each attempt: the first to come back starts it. */
  const share = async (member: Member, turn: number, signal: AbortSignal): Promise<Result<number>> => {
    const { draft } = member;
    await draft.complete;
    if (draft.stored !== null) return E.right(draft.stored);
    if (signal.aborted) return E.left(stopped());
    draft.attempts[turn] ??= start(draft);
    const attempt = draft.attempts[turn];
    attempt.waiting++;
    const leave = (): void => {
      attempt.waiting--;
      if (attempt.waiting === 0) attempt.ending.abort();
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await attempt.result;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  };

  return {
    write: async (batch, signal) => {
      if (signal.aborted) return E.left(stopped());
      const member = members.get(batch) ?? join(batch);
      const turn = member.tries++;
      let end = (): void => {};
      const ended = new Promise<Result<number>>((resolve) => {
        end = () => {
          leaveOpen(batch, member);
          resolve(E.left(stopped()));
        };
      });
      signal.addEventListener('abort', end, { once: true });
      const result = await Promise.race([share(member, turn, signal), ended]);
      signal.removeEventListener('abort', end);
      if (E.isLeft(result)) return result;
      members.delete(batch);
      return E.right(writtenBy(member, batch.count, result.right));
    },
    onBackPressure: (now) => {
      isHeldBack = now;
      settle();
    },
    flush: async () => {
      finishOpen();
      await Promise.allSettled([...underWay].map(({ result }) => result));
    },
    end: () => {
      for (const { ending } of underWay) ending.abort();
    },
  };
};

/** Bytes of an object, in pieces that are not copied. */
export type Pieces = readonly Uint8Array[];

interface Hashes {
  /** In hex. */
  readonly sha256: string;
  /** In base 64. Null when it was not asked for. */
  readonly md5: string | null;
}

const gzip = promisify(zlib.gzip);
const GZIP_LEVEL = 1;

/** Bytes to hash before other work of the thread runs: a few milliseconds. */
const STEP_BYTES = 2 * 1024 * 1024;

export const bodySizeOf = (pieces: Pieces): number =>
  pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);

/** One gzip member: some readers stop after the first. */
const compressedBody = async (pieces: Pieces): Promise<Pieces> => [
  await gzip(Buffer.concat(pieces), { level: GZIP_LEVEL }),
];

/** The bytes `from <= i < to`. */
export const cutBody = (pieces: Pieces, from: number, to: number): Pieces => {
  const found: Uint8Array[] = [];
  let start = 0;
  for (const piece of pieces) {
    const end = start + piece.byteLength;
    if (end > from && start < to) {
      found.push(piece.subarray(Math.max(0, from - start), Math.min(piece.byteLength, to - start)));
    }
    start = end;
  }
  return found;
};

/** Hashes in steps, between which other work of the thread runs. */
export const hashesOf = async (pieces: Pieces, hasMd5: boolean, clock: Clock): Promise<Hashes> => {
  const sha256 = createHash('sha256');
  const md5 = hasMd5 ? createHash('md5') : null;
  let since = 0;
  for (const piece of pieces) {
    for (let at = 0; at < piece.byteLength; at += STEP_BYTES) {
      const step = piece.subarray(at, at + STEP_BYTES);
      if (since + step.byteLength > STEP_BYTES) {
        await clock.yieldTurn();
        since = 0;
      }
      since += step.byteLength;
      sha256.update(step);
      md5?.update(step);
    }
  }
  return { sha256: sha256.digest('hex'), md5: md5?.digest('base64') ?? null };
};

export const base64Of = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');
