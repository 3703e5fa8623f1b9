import { jetstream, type StoredMsg, type StreamInfo } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { Objm } from '@nats-io/obj';
import { headers } from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import { conflict, isMissingStream } from './natsErrors.js';
import type { NatsSession } from './session.js';

/** A stream behind a bucket or an object store, created at first use. */
export interface KeyedStream {
  /** Name of the bucket, for messages. */
  readonly bucket: string;
  readonly stream: string;
  /** Creates it if it is missing. */
  readonly ensure: () => Promise<Result<null>>;
  /** The next `ensure` looks again. */
  readonly forget: () => void;
}

type Kind = 'values' | 'objects';

/** A server may not answer when several nodes create a stream at once; the next look finds it. */
const CREATE_TIMEOUT_MS = 2_000;

const ATTEMPTS = 4;

const RETRY_MS = 200;

const create = async (
  { client }: NatsSession,
  bucket: string,
  kind: Kind,
  replicas: number,
): Promise<StreamInfo> => {
  const js = jetstream(client, { timeout: CREATE_TIMEOUT_MS });
  if (kind === 'values') {
    const store = await new Kvm(js).create(bucket, { history: 1, replicas, allow_direct: false });
    return (await store.status()).streamInfo;
  }
  return (await (await new Objm(js).create(bucket, { replicas })).status()).streamInfo;
};

/** Returns the stream as it is, or null when it is missing. */
const look = (
  { quick, insist }: NatsSession,
  place: string,
  stream: string,
): Promise<Result<StreamInfo | null>> =>
  insist(place, true, async () => {
    try {
      return await quick.streams.info(stream);
    } catch (thrown) {
      if (isMissingStream(thrown)) return null;
      throw thrown;
    }
  });

/** The stream of a bucket; `kind` decides its layout, which the tools of NATS understand. */
export const keyedStream = (
  session: NatsSession,
  bucket: string,
  kind: Kind,
  replicas: number,
): KeyedStream => {
  const stream = `${kind === 'values' ? 'KV' : 'OBJ'}_${bucket}`;
  const place = `bucket ${bucket}`;
  let ready: Promise<Result<null>> | null = null;
  let hasWarned = false;
  const open = async (): Promise<Result<null>> => {
    for (let attempt = 1; ; attempt += 1) {
      const found = await look(session, place, stream);
      if (E.isLeft(found)) return found;
      const made =
        found.right === null
          ? await session.run(place, () => create(session, bucket, kind, replicas))
          : E.right(found.right);
      if (E.isRight(made)) {
        const there = made.right.config.num_replicas;
        if (there !== replicas && !hasWarned) {
          hasWarned = true;
          session.log.write(
            'warning',
            `${place} has ${there} replicas, not ${replicas}. To change it: nats stream edit ${stream} --replicas ${replicas}`,
          );
        }
        return E.right(null);
      }
      // Nodes that start at once create it at once; all but one may fail.
      if (attempt === ATTEMPTS || !session.isConnected()) return made;
      await session.clock.sleepMs(RETRY_MS * (1 + session.random()), session.closing);
    }
  };
  const ensure = async (): Promise<Result<null>> => {
    ready ??= open();
    const current = ready;
    const opened = await current;
    if (E.isLeft(opened) && ready === current) ready = null;
    return opened;
  };
  return {
    bucket,
    stream,
    ensure,
    forget: () => {
      ready = null;
    },
  };
};

/** The last message of a subject. */
export interface KvEntry {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly revision: number;
  readonly isMarker: boolean;
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

const kvEntryOf = (message: StoredMsg | null): KvEntry | null =>
  message === null
    ? null
    : {
        subject: message.subject,
        data: message.data,
        revision: message.seq,
        isMarker: isMarker(message.header),
      };

interface Write {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Expected revision of the last message of the subject. 0 for no message, null for whatever is there. */
  readonly expects: number | null;
  readonly isMarker?: boolean;
  /** Whether it replaces all messages of the subject. Buckets do so without. */
  readonly rollsUp?: boolean;
}

/** Last messages of the subjects of a stream, changed by compare-and-set. Reads are answered by its leader. */
export interface KvEntries {
  readonly read: (place: string, subject: string) => Promise<Result<KvEntry | null>>;
  /** The first message from `from` on whose subject matches, wildcards allowed. */
  readonly next: (place: string, subject: string, from: number) => Promise<Result<KvEntry | null>>;
  /** Returns the revision, or the error `precondition_failed`, `too_large` or `unavailable`. */
  readonly write: (place: string, write: Write) => Promise<Result<number>>;
}

/** Reads and changes the entries of a stream, which is made at first use. */
export const kvEntries = (session: NatsSession, keyed: KeyedStream): KvEntries => {
  const { quick, js } = session;
  const { stream } = keyed;
  const attempt = async <A>(
    place: string,
    isRead: boolean,
    operation: () => Promise<A>,
  ): Promise<Result<A>> => {
    const ready = await keyed.ensure();
    if (E.isLeft(ready)) return ready;
    const done = await session.insist(place, isRead, operation);
    // Someone may have removed the stream.
    if (E.isLeft(done) && done.left.code === 'unavailable' && session.isConnected()) keyed.forget();
    return done;
  };
  const get = async (place: string, query: { last_by_subj: string }): Promise<Result<KvEntry | null>> => {
    const found = await attempt(place, true, () => quick.streams.getMessage(stream, query));
    return E.isLeft(found) ? found : E.right(kvEntryOf(found.right));
  };
  return {
    read: (place, subject) => get(place, { last_by_subj: subject }),
    // The types of the client lack this query.
    next: (place, subject, from) =>
      get(place, { seq: from, next_by_subj: subject } as unknown as { last_by_subj: string }),
    write: (place, write) =>
      attempt(place, false, async () => {
        const { subject, data, expects } = write;
        const acknowledged = await js.publish(subject, data, {
          ...(expects === null ? {} : { expect: { lastSubjectSequence: expects } }),
          ...headersOf(write),
        });
        return acknowledged.seq;
      }),
  };
};

/**
 * Writes where there must be no value; a marker counts as none. It looks first: a write that servers refuse costs them
 * more than one that they take. Returns `precondition_failed` when there is a value, or `unavailable`.
 */
export const writeNew = async (
  entries: KvEntries,
  place: string,
  write: Omit<Write, 'expects'>,
): Promise<Result<number>> => {
  const found = await entries.read(place, write.subject);
  if (E.isLeft(found)) return found;
  if (found.right !== null && !found.right.isMarker) return E.left(conflict(place));
  return entries.write(place, { ...write, expects: found.right?.revision ?? 0 });
};
