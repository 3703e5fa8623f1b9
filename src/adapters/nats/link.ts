import { connect, type NodeConnectionOptions } from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../domain/errors.js';
import type { ClusterLink } from '../../ports/cluster.js';
import { contentSubject, metaOf, natsArchives } from './archives.js';
import { natsBucket } from './bucket.js';
import { nodeCalls } from './calls.js';
import { tooOld, unavailable } from './natsErrors.js';
import { type ClusterOptions, securityOf } from './options.js';
import { openReader } from './reader.js';
import { type NatsSession, sessionOf } from './session.js';
import { type KeyedStream, type KvEntry, keyedStream } from './streams.js';

export type { ClusterOptions } from './options.js';

const CONNECT_TIMEOUT_MS = 10_000;
const DIAL_TIMEOUT_MS = 3_000;
/** A silent connection is closed after three of these. */
const PING_INTERVAL_MS = 2_500;
const RECONNECT_BASE_MS = 250;
const RECONNECT_JITTER_MS = 750;

const REFUSED = /authorization violation|authentication (expired|timeout|revoked)/i;

/** Why no server took the connection, and what to do. */
const connectError = (servers: string, thrown: unknown) => {
  const reason = reasonOf(thrown).replace(/\.$/, '');
  const remedy = REFUSED.test(reason)
    ? 'Check `credentials_file`, `token_file`, `username` and `password_file`, or `nkey_file`.'
    : /certificate|self-signed|tls|ssl/i.test(reason)
      ? 'Check `tls`.'
      : 'Check `servers`, and that one of them runs and is reachable.';
  return failure('unavailable', `cannot connect to NATS at ${servers}: ${reason}. ${remedy}`);
};

const clientOptions = ({ name, nats }: ClusterOptions): NodeConnectionOptions => ({
  name: `spate ${name}`,
  servers: [...nats.servers],
  timeout: DIAL_TIMEOUT_MS,
  maxReconnectAttempts: -1,
  reconnectDelayHandler: () => RECONNECT_BASE_MS + Math.floor(Math.random() * RECONNECT_JITTER_MS),
  // A server that starts may refuse users that it takes later.
  ignoreAuthErrorAbort: true,
  ignoreClusterUpdates: !nats.discovers_servers,
  pingInterval: PING_INTERVAL_MS,
  maxPingOut: 2,
  noAsyncTraces: true,
});

/** Connects to one of the servers. Returns `unavailable`, `wrong_state` (it is too old), or the error of an option. */
const openSession = async (options: ClusterOptions): Promise<Result<NatsSession>> => {
  const security = await securityOf(options);
  if (E.isLeft(security)) return security;
  const { clock } = options;
  const until = clock.monotonicMs() + (options.connect_timeout_ms ?? CONNECT_TIMEOUT_MS);
  const wait = new AbortController();
  for (;;) {
    try {
      const client = await connect({ ...clientOptions(options), ...security.right });
      const refusal = tooOld(client);
      if (refusal === null) return E.right(await sessionOf(client, clock, options.log));
      await client.close();
      return E.left(refusal);
    } catch (thrown) {
      const left_ms = until - clock.monotonicMs();
      const isFinal = REFUSED.test(reasonOf(thrown));
      if (isFinal || left_ms <= 0) return E.left(connectError(options.nats.servers.join(', '), thrown));
      await clock.sleepMs(Math.min(left_ms, RECONNECT_BASE_MS), wait.signal);
    }
  }
};

/**
 * Links this node to its cluster on NATS. Buckets are created at first use. Returns the error `unavailable` (no server
 * takes the connection within `connect_timeout_ms`), `wrong_state` (a server is too old), or `unreadable` or `invalid`
 * (an option).
 */
export const connectCluster = async (options: ClusterOptions): Promise<Result<ClusterLink>> => {
  const opened = await openSession(options);
  if (E.isLeft(opened)) return opened;
  const session = opened.right;
  const { name, replicas } = options;
  const counts = { reads: 0, writes: 0 };
  const values: KeyedStream[] = [];
  const bucket = (part: string) => {
    const keyed = keyedStream(session, `spate-${name}-${part}`, 'values', replicas);
    values.push(keyed);
    return natsBucket(session, keyed, counts);
  };
  const configs = keyedStream(session, `spate-${name}-configs`, 'objects', replicas);
  const calls = nodeCalls(session, name);
  const link: ClusterLink = {
    nodes: bucket('nodes'),
    startup: bucket('startup'),
    leases: bucket('leases'),
    globals: bucket('globals'),
    checkpoints: bucket('checkpoints'),
    configs: natsArchives(session, configs, counts),
    calls: calls.calls,
    isConnected: session.isConnected,
    denied: session.denied,
    operations: () => ({ ...counts }),
    close: async () => {
      calls.close();
      await session.close();
    },
  };
  void startSweep(session, values, configs);
  return E.right(link);
};

const SWEEP_MS = 3_600_000;
const LISTING_LIMIT_MS = 60_000;

/** KV entries of a stream at this moment, without their values. */
const listed = async (
  session: NatsSession,
  { stream, bucket }: KeyedStream,
  filter: string,
): Promise<Result<readonly KvEntry[]>> => {
  const entries: KvEntry[] = [];
  const place = `sweep of bucket ${bucket}`;
  const limit = new AbortController();
  let finish = (_isWhole: boolean): void => {};
  const finished = new Promise<boolean>((resolve) => {
    finish = resolve;
  });
  const reader = await openReader(
    session,
    { stream, filter, headersOnly: true, last: Number.POSITIVE_INFINITY, place },
    {
      onEntry: (entry) => void entries.push(entry),
      onCurrent: () => finish(true),
      onLost: () => finish(false),
    },
  );
  if (E.isLeft(reader)) return reader;
  void session.clock.sleepMs(LISTING_LIMIT_MS, limit.signal).then(() => finish(false));
  const isWhole = await finished;
  limit.abort();
  reader.right();
  return isWhole ? E.right(entries) : E.left(unavailable(place, 'it was cut off', 'The next one goes on.'));
};

/** Does one round. After an error, the rest waits for the next round. */
type Sweep = () => Promise<Result<null>>;

/** Removes what this round and the one before it found. */
const foundTwice = <A>(
  find: () => Promise<Result<readonly A[]>>,
  remove: (found: A) => Promise<unknown>,
): Sweep => {
  let before: ReadonlySet<A> = new Set();
  return async () => {
    const found = await find();
    if (E.isLeft(found)) return found;
    const due = found.right.filter((one) => before.has(one));
    before = new Set(found.right);
    for (const one of due) await remove(one);
    return E.right(null);
  };
};

/**
 * Removes markers of removed keys. They must outlive the moment, since watchers learn of removals from them; one that a
 * sweep has found before is at least `SWEEP_MS` old by the clock of this node.
 */
const markerSweep = (session: NatsSession, keyed: KeyedStream, filter: string): Sweep =>
  foundTwice(
    async () =>
      E.map((entries: readonly KvEntry[]) =>
        entries.filter(({ isMarker }) => isMarker).map(({ revision }) => revision),
      )(await listed(session, keyed, filter)),
    // By revision: a value that took its place stays.
    (revision) =>
      session.run(keyed.bucket, () => session.manager.streams.deleteMessage(keyed.stream, revision, false)),
  );

/** Removes contents that no archive refers to: writers left them that were cut off. */
const contentSweep = (session: NatsSession, { bucket, stream, all }: KeyedStream): Sweep => {
  const { streams } = session.manager;
  const prefix = contentSubject(bucket, '');
  return foundTwice(
    async () => {
      const info = await session.run(bucket, () => streams.info(stream, { subjects_filter: `${prefix}>` }));
      if (E.isLeft(info)) return info;
      const entries = await all(bucket, `$O.${bucket}.M.>`);
      if (E.isLeft(entries)) return entries;
      const used = new Set(entries.right.map((entry) => metaOf(entry)?.content));
      const contents = Object.keys(info.right.state.subjects ?? {}).map((one) => one.slice(prefix.length));
      return E.right(contents.filter((content) => !used.has(content)));
    },
    (content) => session.run(bucket, () => streams.purge(stream, { filter: prefix + content })),
  );
};

/** Sweeps all streams each hour, until the link closes. */
const startSweep = async (
  session: NatsSession,
  values: readonly KeyedStream[],
  objects: KeyedStream,
): Promise<void> => {
  const sweeps = [
    ...values.map((keyed) => markerSweep(session, keyed, `$KV.${keyed.bucket}.>`)),
    markerSweep(session, objects, `$O.${objects.bucket}.M.>`),
    contentSweep(session, objects),
  ];
  for (;;) {
    // Nodes that start at once sweep at different times.
    await session.clock.sleepMs(SWEEP_MS * (0.75 + Math.random() / 2), session.closing);
    for (const round of sweeps) {
      if (session.closing.aborted) return;
      const done = await round();
      if (E.isLeft(done)) session.log.write('debug', done.left.message);
    }
  }
};
