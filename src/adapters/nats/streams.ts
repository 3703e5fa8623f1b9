import { jetstream, type StreamInfo } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { Objm } from '@nats-io/obj';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import { isMissingStream } from './natsErrors.js';
import type { Session } from './session.js';

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
  { client }: Session,
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
  { quick, insist }: Session,
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
export const keyedStream = (session: Session, bucket: string, kind: Kind, replicas: number): KeyedStream => {
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
