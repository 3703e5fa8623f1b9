import { gunzipSync, gzipSync } from 'node:zlib';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../domain/errors.js';
import { isJsonObject, type Json } from '../../domain/json.js';
import type { Bucket } from '../../ports/cluster.js';

/** Larger values are compressed: servers refuse values above their `max_payload`, 1 MB unless configured. */
const MAX_PLAIN_BYTES = 4_096;
const FORMAT = 1;

interface Stored {
  readonly epoch: number;
  readonly text: string;
  /** Process that wrote it; null when it does not say. */
  readonly writer: string | null;
}

const encode = ({ epoch, text, writer }: Stored): Uint8Array => {
  const body = Buffer.from(text);
  const isPacked = body.length > MAX_PLAIN_BYTES;
  const head = `${JSON.stringify({ format: FORMAT, epoch, gzip: isPacked, ...(writer !== null && { writer }) })}\n`;
  return Buffer.concat([Buffer.from(head), isPacked ? gzipSync(body) : body]);
};

const headOf = (line: string): (Omit<Stored, 'text'> & { readonly gzip: boolean }) | string => {
  const head = JSON.parse(line) as Json;
  if (!isJsonObject(head)) return 'its head is no object';
  const { format, epoch, gzip, writer } = head;
  if (format !== FORMAT)
    return `its format is ${JSON.stringify(format)}, and this version knows ${FORMAT} only`;
  if (!Number.isSafeInteger(epoch)) return 'its epoch is no number';
  return { epoch: epoch as number, gzip: gzip === true, writer: typeof writer === 'string' ? writer : null };
};

const decode = (key: string, value: Uint8Array): Result<Stored> => {
  const unusable = (why: string): Result<never> =>
    E.left(failure('unreadable', `the value "${key}" of the cluster cannot be used: ${why}`));
  const bytes = Buffer.from(value);
  try {
    const end = bytes.indexOf(0x0a);
    const head = headOf(bytes.toString('utf8', 0, end));
    if (typeof head === 'string') return unusable(head);
    const body = bytes.subarray(end + 1);
    const { epoch, gzip, writer } = head;
    return E.right({ epoch, writer, text: (gzip ? gunzipSync(body) : body).toString('utf8') });
  } catch (thrown) {
    return unusable(reasonOf(thrown));
  }
};

const replaced = (key: string): Result<never> =>
  E.left(failure('unavailable', `another node holds "${key}" by now: this one may not write it`));

const UNANSWERED: Result<never> = E.left(
  failure('unavailable', 'the cluster has not answered, and this node soon stops what runs by its leases'),
);
const OVERTAKEN: Result<never> = E.left(failure('unavailable', 'a later write was made meanwhile'));

/**
 * Values that only the current holder of a lease may write. Each holds the epoch of its writer's
 * lease, and is written by compare-and-set: a holder that was replaced cannot set back the one after it.
 *
 * `epochOf` returns the epoch of the lease with which this node may write a key, or null when it may not. `writer` is
 * the name of this process, unlike any other; with it a claim answers the own last value, also one that did not arrive,
 * when nobody else held the key since. With null, what the cluster has counts in any case.
 */
export const fencedValues = (
  bucket: Bucket,
  epochOf: (key: string) => number | null,
  writer: string | null = null,
) => {
  const revisions = new Map<string, number>();
  const own = new Map<string, { readonly epoch: number; readonly text: string }>();
  /** Last write or claim of a key: an earlier one that is still under way must not replace what it wrote. */
  const turns = new Map<string, number>();
  const waiting = new Set<() => void>();
  let isHurried = false;

  const remember = (key: string, epoch: number, text: string): void => {
    if (writer !== null) own.set(key, { epoch, text });
  };

  /**
   * Each holder raises the epoch by one. Servers that lost acknowledged leases can give an epoch twice: so the value
   * must be by this process, too.
   */
  const newest = (key: string, epoch: number, stored: Stored): string => {
    const mine = own.get(key);
    const isNext = mine !== undefined && (epoch === mine.epoch || epoch === mine.epoch + 1);
    return isNext && stored.writer === writer ? mine.text : stored.text;
  };

  const write = async (key: string, epoch: number, text: string, replaces: number): Promise<Result<null>> => {
    const written = await bucket.write(key, encode({ epoch, text, writer }), replaces);
    if (E.isLeft(written)) return written;
    revisions.set(key, written.right);
    return E.right(null);
  };

  const beginTurn = (key: string): number => {
    const turn = (turns.get(key) ?? 0) + 1;
    turns.set(key, turn);
    return turn;
  };

  const replace = async (key: string, epoch: number, text: string): Promise<Result<null>> => {
    const turn = beginTurn(key);
    const known = revisions.get(key);
    if (known !== undefined) {
      const written = await write(key, epoch, text, known);
      if (E.isRight(written) || written.left.code !== 'precondition_failed') return written;
    }
    // An earlier write of this node whose answer was lost, or a later holder: the epoch tells.
    const found = await current(key, epoch);
    if (E.isLeft(found)) return found;
    return turns.get(key) === turn ? write(key, epoch, text, found.right.revision) : OVERTAKEN;
  };

  /** Returns the value and its revision now, or an error when a later holder wrote it. */
  const current = async (key: string, epoch: number) => {
    const entry = await bucket.read(key);
    if (E.isLeft(entry)) return entry;
    if (entry.right === null) return E.right({ stored: null, revision: 0 });
    const stored = decode(key, entry.right.value);
    if (E.isLeft(stored)) return stored;
    if (stored.right.epoch > epoch) return replaced(key);
    return E.right({ stored: stored.right, revision: entry.right.revision });
  };

  /** A write that raced with the last one of the former holder is repeated with what that one left. */
  const claim = async (key: string, epoch: number): Promise<Result<string | null>> => {
    beginTurn(key);
    for (;;) {
      const found = await current(key, epoch);
      if (E.isLeft(found)) return found;
      const { stored, revision } = found.right;
      revisions.set(key, revision);
      if (stored === null) {
        own.delete(key);
        return E.right(null);
      }
      const text = newest(key, epoch, stored);
      remember(key, epoch, text);
      const written = await write(key, epoch, text, revision);
      if (E.isRight(written)) return E.right(text);
      if (written.left.code !== 'precondition_failed') return written;
    }
  };

  /** The result of a write, or that it has none yet once writes are hurried. */
  const answerOf = (written: Promise<Result<null>>): Promise<Result<null>> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => resolve(UNANSWERED);
      waiting.add(giveUp);
      written.then(resolve, reject).finally(() => waiting.delete(giveUp));
      if (isHurried) giveUp();
    });

  return {
    /** Takes the value over: from now on a former holder can write it no more. Returns null when there is none yet. */
    claim: async (key: string): Promise<Result<string | null>> => {
      const epoch = epochOf(key);
      return epoch === null ? replaced(key) : claim(key, epoch);
    },
    /** Replaces the value. Returns the error `unavailable` when another node holds it by now. */
    write: async (key: string, text: string): Promise<Result<null>> => {
      const epoch = epochOf(key);
      // The lease is over, and the run that stops made its last events by it.
      const ranBy = epoch ?? own.get(key)?.epoch;
      if (ranBy !== undefined) remember(key, ranBy, text);
      if (epoch === null) return replaced(key);
      return answerOf(replace(key, epoch, text));
    },
    /** Whether writes, also those under way, no longer wait for the cluster: what they write is known as an own value. */
    hurry: (is: boolean): void => {
      isHurried = is;
      if (is) for (const giveUp of waiting) giveUp();
    },
    /** Another node has had the key by this epoch: an own value from before it no longer counts. */
    forget: (key: string, epoch: number): void => {
      if (epoch > (own.get(key)?.epoch ?? 0)) own.delete(key);
    },
  };
};

/** The write permit of a node: extended with each accepted beat. */
export const nodePermit = () => {
  const listeners: ((until_ms: number) => void)[] = [];
  let until = 0;
  return {
    until_ms: () => until,
    onExtended: (listener: (until_ms: number) => void): void => void listeners.push(listener),
    /** Sets until when outputs may write. Null when nothing runs by leases. */
    set: (next: number | null): void => {
      if (next === null || next === until) return;
      until = next;
      for (const listener of listeners) listener(next);
    },
  };
};
