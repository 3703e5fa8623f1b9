import * as E from 'fp-ts/lib/Either.js';
import { type RequestError, retryableError } from '../shared/errors.js';
import { CONNECTION_ENDED, connect, type KafkaConnection, type KafkaConnectOptions } from './connection.js';
import { brokerError, LEADER_MISSING, TOPIC_MISSING } from './protocol/errorCodes.js';
import {
  type KafkaAddress,
  type MetadataReply,
  readApiVersions,
  readInitProducerId,
  readMetadata,
  readSaslAuthenticate,
  readSaslHandshake,
  writeInitProducerId,
  writeMetadata,
  writeSaslAuthenticate,
  writeSaslHandshake,
} from './protocol/requests.js';
import { conversationOf, type Login } from './sasl.js';

export interface KafkaClusterOptions extends Omit<BrokerOptions, 'address'> {
  readonly bootstrap: readonly KafkaAddress[];
  readonly topic: string;
  readonly metadata_max_age_ms: number;
  readonly connections_max_idle_ms: number;
  readonly retry_backoff_ms: number;
}

export type Topic = Pick<MetadataReply, 'nodes' | 'partitions'>;

/** Brokers and partitions of one topic, with a connection to each broker in use. */
export interface KafkaCluster {
  /** The partitions; read again when old or outdated. */
  readonly topic: (signal: AbortSignal) => Promise<E.Either<RequestError, Topic>>;
  /** Like `topic`, for opening: waits a moment for a topic that the broker is creating. */
  readonly newTopic: (signal: AbortSignal) => Promise<E.Either<RequestError, Topic>>;
  /** Reads the metadata again before its next use. */
  readonly outdate: () => void;
  readonly connectionTo: (
    address: KafkaAddress,
    signal: AbortSignal,
  ) => Promise<E.Either<RequestError, KafkaConnection>>;
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

const keyOf = ({ host, port }: KafkaAddress): string => `${host}:${port}`;

/** The result, or the end of the signal: shared work goes on for others. */
const orEnd = <A>(
  work: Promise<E.Either<RequestError, A>>,
  signal: AbortSignal,
): Promise<E.Either<RequestError, A>> =>
  new Promise((resolve) => {
    const stop = (): void => resolve(E.left(CONNECTION_ENDED));
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    void work.then((result) => {
      signal.removeEventListener('abort', stop);
      resolve(result);
    });
  });

export const makeCluster = (options: KafkaClusterOptions): KafkaCluster => {
  const { bootstrap, topic: name, clock, metadata_max_age_ms, connections_max_idle_ms } = options;
  const closing = new AbortController();
  const connections = new Map<string, Promise<E.Either<RequestError, KafkaConnection>>>();
  const open = new Map<string, KafkaConnection>();
  let known: Topic | null = null;
  let readAt_ms = 0;
  let isOutdated = true;
  let reading: Promise<E.Either<RequestError, Topic>> | null = null;

  const isUsable = (connection: KafkaConnection): boolean => {
    const now_ms = clock.monotonicMs();
    const isIdle = connections_max_idle_ms > 0 && now_ms - connection.usedAt_ms() > connections_max_idle_ms;
    if (connection.isOpen() && (isIdle || now_ms > connection.validUntil_ms)) void connection.close();
    return connection.isOpen();
  };

  const openOne = async (address: KafkaAddress): Promise<E.Either<RequestError, KafkaConnection>> => {
    const key = keyOf(address);
    const opened = await openBroker({ ...options, address }, closing.signal);
    if (E.isLeft(opened)) connections.delete(key);
    else if (closing.signal.aborted) await opened.right.close();
    else open.set(key, opened.right);
    return opened;
  };

  const connectionTo: KafkaCluster['connectionTo'] = (address, signal) => {
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
  const brokers = (): readonly KafkaAddress[] => {
    const all = [...(known?.nodes.values() ?? []), ...bootstrap];
    const unique = [...new Map(all.map((address) => [keyOf(address), address])).values()];
    const isConnected = (address: KafkaAddress): boolean => open.get(keyOf(address))?.isOpen() === true;
    return [...unique.filter(isConnected), ...unique.filter((address) => !isConnected(address))];
  };

  /** The first answer of a broker, or else the last error. */
  const askAny = async <A>(
    ask: (connection: KafkaConnection) => Promise<E.Either<RequestError, A>>,
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

  const topic: KafkaCluster['topic'] = (signal) => {
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

interface BrokerOptions extends KafkaConnectOptions {
  readonly login: Login | null;
}

const NOTHING = Buffer.alloc(0);
/** Share of the login's lifetime after which a new connection takes over. */
const LIFETIME_SHARE = 0.8;
/** PLAIN takes one step, SCRAM two. */
const MAX_STEPS = 4;

const refusal = (what: string, remedy: string): RequestError => ({
  ...retryableError(what, remedy),
  isRetryable: false,
});

const logIn = async (
  connection: KafkaConnection,
  { login, address, clock }: BrokerOptions,
  signal: AbortSignal,
): Promise<RequestError | null> => {
  if (login === null) return null;
  const { saslHandshake, saslAuthenticate } = connection.versions;
  if (saslHandshake === undefined || saslAuthenticate === undefined) {
    return refusal('the broker offers no SASL login', 'Check `security_protocol`.');
  }
  const body = writeSaslHandshake(login.mechanism);
  const hands = await connection.request(
    'saslHandshake',
    { body, version: saslHandshake, signal },
    readSaslHandshake,
  );
  if (E.isLeft(hands)) return hands.left;
  if (hands.right !== null && hands.right.error !== 0) {
    const { error, mechanisms } = hands.right;
    return brokerError(error, `it offers ${mechanisms.join(', ')}`);
  }
  const conversation = conversationOf(login);
  let token: Buffer | null = conversation.first;
  for (let step = 0; token !== null && step < MAX_STEPS; step++) {
    const reply: E.Either<RequestError, ReturnType<typeof readSaslAuthenticate> | null> =
      await connection.request(
        'saslAuthenticate',
        { body: writeSaslAuthenticate(token), version: saslAuthenticate, signal },
        (reader) => readSaslAuthenticate(reader, saslAuthenticate),
      );
    if (E.isLeft(reply)) return reply.left;
    if (reply.right === null) return retryableError('the broker sent no reply to the login', '');
    const { error, message, token: answer, lifetime_ms } = reply.right;
    if (error !== 0) return brokerError(error, message);
    const next: E.Either<string, Buffer | null> = await conversation.next(answer);
    if (E.isLeft(next)) {
      return refusal(`broker ${address.host}:${address.port}: ${next.left}`, 'Check `bootstrap_servers`.');
    }
    token = next.right;
    if (lifetime_ms > 0) connection.validUntil_ms = clock.monotonicMs() + lifetime_ms * LIFETIME_SHARE;
  }
  return null;
};

/** A connection that is logged in and knows the versions of its broker. */
const openBroker = async (
  options: BrokerOptions,
  signal: AbortSignal,
): Promise<E.Either<RequestError, KafkaConnection>> => {
  const connected = await connect(options, signal);
  if (E.isLeft(connected)) return connected;
  const connection = connected.right;
  const fail = async (error: RequestError): Promise<E.Either<RequestError, KafkaConnection>> => {
    await connection.close();
    return E.left(error);
  };
  const versions = await connection.request(
    'apiVersions',
    { body: NOTHING, version: 0, signal },
    readApiVersions,
  );
  if (E.isLeft(versions)) return fail(versions.left);
  if (versions.right === null || versions.right.error !== 0) {
    return fail(brokerError(versions.right?.error ?? -1, null));
  }
  connection.versions = versions.right.versions;
  const { produce, metadata } = connection.versions;
  if (produce === undefined || metadata === undefined) {
    return fail(refusal('the broker is older than Kafka 0.11', 'Update it.'));
  }
  const error = await logIn(connection, options, signal);
  return error === null ? E.right(connection) : fail(error);
};
