import * as E from 'fp-ts/lib/Either.js';
import { type RequestError, retryableError } from '../shared/requestErrors.js';
import { type BrokerOptions, openBroker } from './broker.js';
import { type Connection, ENDED } from './connection.js';
import { brokerError, LEADER_MISSING, TOPIC_MISSING } from './protocol/errorCodes.js';
import {
  type Address,
  type MetadataReply,
  readInitProducerId,
  readMetadata,
  writeInitProducerId,
  writeMetadata,
} from './protocol/requests.js';

export interface ClusterOptions extends Omit<BrokerOptions, 'address'> {
  readonly bootstrap: readonly Address[];
  readonly topic: string;
  readonly metadata_max_age_ms: number;
  readonly connections_max_idle_ms: number;
  readonly retry_backoff_ms: number;
}

export type Topic = Pick<MetadataReply, 'nodes' | 'partitions'>;

/** Brokers and partitions of one topic, with a connection to each broker in use. */
export interface Cluster {
  /** The partitions; read again when old or outdated. */
  readonly topic: (signal: AbortSignal) => Promise<E.Either<RequestError, Topic>>;
  /** Like `topic`, for opening: waits a moment for a topic that the broker is creating. */
  readonly newTopic: (signal: AbortSignal) => Promise<E.Either<RequestError, Topic>>;
  /** Reads the metadata again before its next use. */
  readonly outdate: () => void;
  readonly connectionTo: (
    address: Address,
    signal: AbortSignal,
  ) => Promise<E.Either<RequestError, Connection>>;
  /** A producer id that no other producer uses. */
  readonly newProducer: (
    signal: AbortSignal,
  ) => Promise<E.Either<RequestError, { readonly producer_id: bigint; readonly producer_epoch: number }>>;
  readonly close: () => Promise<void>;
}

/** How often a topic that has just been created is asked for. */
const NEW_TOPIC_TRIES = 20;
/** Least pause between two of these. */
const NEW_TOPIC_PAUSE_MS = 50;

const keyOf = ({ host, port }: Address): string => `${host}:${port}`;

/** The result, or the end of the signal: shared work goes on for others. */
const orEnd = <A>(
  work: Promise<E.Either<RequestError, A>>,
  signal: AbortSignal,
): Promise<E.Either<RequestError, A>> =>
  new Promise((resolve) => {
    const stop = (): void => resolve(E.left(ENDED));
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    void work.then((result) => {
      signal.removeEventListener('abort', stop);
      resolve(result);
    });
  });

export const makeCluster = (options: ClusterOptions): Cluster => {
  const { bootstrap, topic: name, clock, metadata_max_age_ms, connections_max_idle_ms } = options;
  const closing = new AbortController();
  const connections = new Map<string, Promise<E.Either<RequestError, Connection>>>();
  const open = new Map<string, Connection>();
  let known: Topic | null = null;
  let readAt_ms = 0;
  let isOutdated = true;
  let reading: Promise<E.Either<RequestError, Topic>> | null = null;

  const isUsable = (connection: Connection): boolean => {
    const now_ms = clock.monotonicMs();
    const isIdle = connections_max_idle_ms > 0 && now_ms - connection.usedAt_ms() > connections_max_idle_ms;
    if (connection.isOpen() && (isIdle || now_ms > connection.validUntil_ms)) void connection.close();
    return connection.isOpen();
  };

  const openOne = async (address: Address): Promise<E.Either<RequestError, Connection>> => {
    const key = keyOf(address);
    const opened = await openBroker({ ...options, address }, closing.signal);
    if (E.isLeft(opened)) connections.delete(key);
    else if (closing.signal.aborted) await opened.right.close();
    else open.set(key, opened.right);
    return opened;
  };

  const connectionTo: Cluster['connectionTo'] = (address, signal) => {
    const key = keyOf(address);
    const current = open.get(key);
    if (current !== undefined && !isUsable(current)) {
      open.delete(key);
      connections.delete(key);
    }
    const opening = connections.get(key) ?? openOne(address);
    connections.set(key, opening);
    return orEnd(opening, signal);
  };

  /** Brokers to ask: those with a connection first. */
  const brokers = (): readonly Address[] => {
    const all = [...(known?.nodes.values() ?? []), ...bootstrap];
    const unique = [...new Map(all.map((address) => [keyOf(address), address])).values()];
    const isConnected = (address: Address): boolean => open.get(keyOf(address))?.isOpen() === true;
    return [...unique.filter(isConnected), ...unique.filter((address) => !isConnected(address))];
  };

  /** The first answer of a broker, or else the last error. */
  const askAny = async <A>(
    ask: (connection: Connection) => Promise<E.Either<RequestError, A>>,
    signal: AbortSignal,
  ): Promise<E.Either<RequestError, A>> => {
    let result: E.Either<RequestError, A> = E.left(retryableError('no broker is known', ''));
    for (const address of brokers()) {
      const connection = await connectionTo(address, signal);
      result = E.isLeft(connection) ? connection : await ask(connection.right);
      if (E.isRight(result) || signal.aborted) return result;
    }
    return result;
  };

  const read = async (): Promise<E.Either<RequestError, Topic>> => {
    const { signal } = closing;
    const reply = await askAny(async ({ request, versions: { metadata: version = 1 } }) => {
      const answer = await request(
        'metadata',
        { body: writeMetadata(name, version), version, signal },
        (reader) => readMetadata(reader, version),
      );
      if (E.isLeft(answer)) return answer;
      return answer.right === null ? E.left(brokerError(-1, null)) : E.right(answer.right);
    }, signal);
    if (E.isLeft(reply)) return reply;
    const { error, nodes, partitions } = reply.right;
    if (error !== 0) return E.left(brokerError(error, null));
    if (partitions.length === 0) return E.left(brokerError(LEADER_MISSING, null));
    known = { nodes, partitions };
    readAt_ms = clock.monotonicMs();
    isOutdated = false;
    return E.right(known);
  };

  const topic: Cluster['topic'] = (signal) => {
    const isOld = clock.monotonicMs() - readAt_ms >= metadata_max_age_ms;
    if (known !== null && !isOutdated && !isOld) return Promise.resolve(E.right(known));
    reading ??= read().finally(() => {
      reading = null;
    });
    return orEnd(reading, signal);
  };

  return {
    topic,
    newTopic: async (signal) => {
      let result = await topic(signal);
      for (let tries = 1; tries < NEW_TOPIC_TRIES && E.isLeft(result); tries++) {
        const { code } = result.left;
        if ((code !== TOPIC_MISSING && code !== LEADER_MISSING) || signal.aborted) return result;
        await clock.sleepMs(Math.max(options.retry_backoff_ms, NEW_TOPIC_PAUSE_MS), signal);
        result = await topic(signal);
      }
      return result;
    },
    outdate: () => {
      isOutdated = true;
    },
    connectionTo,
    newProducer: (signal) =>
      askAny(async ({ request, versions: { initProducerId: version } }) => {
        if (version === undefined) return E.left(brokerError(35, null));
        const body = writeInitProducerId(null, 0x7fff_ffff);
        const reply = await request('initProducerId', { body, version, signal }, readInitProducerId);
        if (E.isLeft(reply)) return reply;
        const { error, ...producer } = reply.right ?? { error: -1, producer_id: -1n, producer_epoch: -1 };
        return error === 0 ? E.right(producer) : E.left(brokerError(error, null));
      }, signal),
    close: async () => {
      closing.abort();
      await Promise.all([...open.values()].map((connection) => connection.close()));
      await Promise.all(connections.values());
      open.clear();
      connections.clear();
    },
  };
};
