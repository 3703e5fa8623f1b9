import { jetstream, type StoredMsg, type StreamInfo } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { Objm } from '@nats-io/obj';
import { headers } from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import type { NatsSession } from './session.js';

type Kind = 'values' | 'objects';

interface StreamOptions {
  readonly bucket: string;
  readonly stream: string;
  readonly kind: Kind;
  readonly replicas: number;
}

/** A server may not answer when several nodes create a stream at once; the next attempt finds it. */
const ANSWER_TIMEOUT_MS = 2_000;
const OPEN_MS = 5_000;
const RETRY_MS = 200;

/** Opens a stream, and creates it if it is missing. */
const open = async (
  { client }: NatsSession,
  { bucket, kind, replicas }: StreamOptions,
): Promise<StreamInfo> => {
  const js = jetstream(client, { timeout: ANSWER_TIMEOUT_MS, checkAPI: false });
  if (kind === 'values') {
    const store = await new Kvm(js).create(bucket, { history: 1, replicas, allow_direct: false });
    return (await store.status()).streamInfo;
  }
  return (await (await new Objm(js).create(bucket, { replicas })).status()).streamInfo;
};

/** Tries for some seconds: a stream may have no leader, and of nodes that create it at once all but one may fail. */
const opener = (session: NatsSession, options: StreamOptions): (() => Promise<Result<null>>) => {
  const { bucket, stream, replicas } = options;
  const place = `bucket ${bucket}`;
  let hasWarned = false;
  return async () => {
    const until = session.clock.monotonicMs() + OPEN_MS;
    for (;;) {
      const opened = await session.run(place, () => open(session, options));
      if (E.isRight(opened)) {
        const there = opened.right.config.num_replicas;
        if (there !== replicas && !hasWarned) {
          hasWarned = true;
          session.log.write(
            'warning',
            `${place} has ${there} replicas, not ${replicas}. To change it: nats stream edit ${stream} --replicas ${replicas}`,
          );
        }
        return E.right(null);
      }
      if (session.clock.monotonicMs() >= until || !session.isConnected()) return opened;
      await session.clock.sleepMs(RETRY_MS * (1 + Math.random()), session.closing);
    }
  };
};

/** The last message of a subject. */
export interface KvEntry {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly revision: number;
  readonly isMarker: boolean;
}

interface Write {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Expected revision of the last message of the subject. 0 for no message, null for whatever is there. */
  readonly expects: number | null;
  readonly isMarker?: boolean;
  /** Whether it replaces all messages of the subject. Buckets do so without. */
  readonly rollsUp?: boolean;
}

const OPERATION = 'KV-Operation';

const headersOf = ({ isMarker: removes, rollsUp }: Write) => {
  if (removes !== true && rollsUp !== true) return {};
  const made = headers();
  if (removes === true) made.set(OPERATION, 'DEL');
  if (rollsUp === true) made.set('Nats-Rollup', 'sub');
  return { headers: made };
};

/** Whether a message with these headers is a marker. */
export const isMarker = (found: { readonly get: (name: string) => string } | undefined): boolean => {
  const operation = found?.get(OPERATION) ?? '';
  return operation === 'DEL' || operation === 'PURGE';
};

const kvEntryOf = ({ subject, data, seq, header }: StoredMsg): KvEntry => {
  return { subject, data, revision: seq, isMarker: isMarker(header) };
};

/**
 * The stream behind a bucket or an object store, created at first use: last messages of its subjects, changed by
 * compare-and-set. Reads are answered by its leader.
 */
export type KeyedStream = ReturnType<typeof keyedStream>;

/** The stream of a bucket; `kind` decides its layout, which the tools of NATS understand. */
export const keyedStream = (session: NatsSession, bucket: string, kind: Kind, replicas: number) => {
  const stream = `${kind === 'values' ? 'KV' : 'OBJ'}_${bucket}`;
  let ready: Promise<Result<null>> | null = null;
  const openAgain = opener(session, { bucket, stream, kind, replicas });
  /** Creates it if it is missing. */
  const ensure = async (): Promise<Result<null>> => {
    ready ??= openAgain();
    const current = ready;
    const opened = await current;
    if (E.isLeft(opened) && ready === current) ready = null;
    return opened;
  };
  /** The next `ensure` looks again. */
  const forget = (): void => {
    ready = null;
  };
  const attempt = async <A>(
    place: string,
    isRead: boolean,
    operation: () => Promise<A>,
  ): Promise<Result<A>> => {
    session.operations[isRead ? 'reads' : 'writes'] += 1;
    const there = await ensure();
    if (E.isLeft(there)) return there;
    const done = await session.insist(place, isRead, operation);
    // Someone may have removed the stream.
    if (E.isLeft(done) && done.left.code === 'unavailable' && session.isConnected()) forget();
    return done;
  };
  const get = (place: string, query: { last_by_subj: string }): Promise<Result<KvEntry | null>> =>
    attempt(place, true, async () => {
      const found = await session.quick.streams.getMessage(stream, query);
      return found === null ? null : kvEntryOf(found);
    });
  /** The first message from `from` on whose subject matches, wildcards allowed. */
  const next = (place: string, subject: string, from: number): Promise<Result<KvEntry | null>> =>
    // The types of the client lack this query.
    get(place, { seq: from, next_by_subj: subject } as unknown as { last_by_subj: string });
  return {
    /** Name of the bucket, for messages. */
    bucket,
    stream,
    ensure,
    forget,
    read: (place: string, subject: string) => get(place, { last_by_subj: subject }),
    next,
    /** All messages whose subject matches, one after the other. */
    all: async (place: string, subject: string): Promise<Result<readonly KvEntry[]>> => {
      const found: KvEntry[] = [];
      for (let from = 1; ; from = (found.at(-1)?.revision ?? 0) + 1) {
        const entry = await next(place, subject, from);
        if (E.isLeft(entry)) return entry;
        if (entry.right === null) return E.right(found);
        found.push(entry.right);
      }
    },
    /** Returns the revision, or the error `precondition_failed`, `too_large` or `unavailable`. */
    write: (place: string, write: Write): Promise<Result<number>> =>
      attempt(place, false, async () => {
        const { subject, data, expects } = write;
        const acknowledged = await session.js.publish(subject, data, {
          ...(expects === null ? {} : { expect: { lastSubjectSequence: expects } }),
          ...headersOf(write),
        });
        return acknowledged.seq;
      }),
  };
};
