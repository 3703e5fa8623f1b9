import { connect, type NodeConnectionOptions } from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../domain/errors.js';
import type { Bucket, BucketEntry, ClusterLink } from '../../ports/cluster.js';
import { contentSubject, metaOf, natsArchives } from './archives.js';
import { nodeCalls } from './calls.js';
import { conflict, tooOld, valueTooLarge } from './natsErrors.js';
import { type ClusterOptions, securityOf } from './options.js';
import { type NatsSession, sessionOf } from './session.js';
import { type KeyedStream, type KvEntry, keyedStream } from './streams.js';
import { watchStream } from './watch.js';

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
  const streamOf = (part: string, kind: 'values' | 'objects' = 'values') =>
    keyedStream(session, `spate-${name}-${part}`, kind, replicas);
  const [nodes, startup, configs] = [streamOf('nodes'), streamOf('startup'), streamOf('configs', 'objects')];
  const bucket = (keyed: KeyedStream) => natsBucket(session, keyed);
  void startSweep(session, [
    // Nothing but nodes, orders to them and archives is ever removed.
    markerSweep(session, nodes, `$KV.${nodes.bucket}.>`),
    markerSweep(session, startup, `$KV.${startup.bucket}.orders.>`),
    markerSweep(session, configs, `$O.${configs.bucket}.M.>`),
    contentSweep(session, configs),
  ]);
  return E.right({
    nodes: bucket(nodes),
    startup: bucket(startup),
    leases: bucket(streamOf('leases')),
    globals: bucket(streamOf('globals')),
    checkpoints: bucket(streamOf('checkpoints')),
    configs: natsArchives(session, configs),
    calls: nodeCalls(session, name),
    isConnected: session.isConnected,
    denied: session.denied,
    operations: () => ({ ...session.operations }),
    close: session.close,
  });
};

/** Room for subject and headers of a message. */
const OVERHEAD_BYTES = 1024;

const isRemoved = (entry: KvEntry): boolean => entry.isMarker;

/** A bucket on a stream. */
const natsBucket = (session: NatsSession, keyed: KeyedStream): Bucket => {
  const prefix = `$KV.${keyed.bucket}.`;
  const placeOf = (key: string): string => `bucket ${keyed.bucket}, key ${key}`;
  const find = (key: string) => keyed.read(placeOf(key), prefix + key);
  const entryOf = ({ subject, data, revision }: KvEntry): BucketEntry => ({
    key: subject.slice(prefix.length),
    value: data,
    revision,
  });
  return {
    read: async (key) => {
      const found = await find(key);
      if (E.isLeft(found)) return found;
      return E.right(found.right === null || found.right.isMarker ? null : entryOf(found.right));
    },
    write: async (key, value, replaces) => {
      const limit = session.maxPayload() - OVERHEAD_BYTES - prefix.length - key.length;
      if (value.length > limit) return E.left(valueTooLarge(placeOf(key), value.length, limit));
      const write = { subject: prefix + key, data: value };
      if (replaces !== 0) return keyed.write(placeOf(key), { ...write, expects: replaces });
      // A write that servers refuse costs them more than a look. A marker counts as no value.
      const found = await find(key);
      if (E.isLeft(found)) return found;
      if (found.right?.isMarker === false) return E.left(conflict(placeOf(key)));
      return keyed.write(placeOf(key), { ...write, expects: found.right?.revision ?? 0 });
    },
    remove: async (key, replaces) => {
      const marker = { subject: prefix + key, data: new Uint8Array(0), isMarker: true, expects: replaces };
      return E.map(() => null)(await keyed.write(placeOf(key), marker));
    },
    watch: (onChange, signal) =>
      watchStream(
        { session, keyed, filter: `${prefix}>`, isRemoved },
        {
          onPut: (entry) => onChange(entryOf(entry)),
          onRemoved: (subject, revision) =>
            onChange({ key: subject.slice(prefix.length), value: null, revision }),
        },
        signal,
      ),
  };
};

const SWEEP_MS = 3_600_000;

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
    async () => {
      const entries = await keyed.all(`sweep of bucket ${keyed.bucket}`, filter);
      if (E.isLeft(entries)) return entries;
      return E.right(entries.right.filter(({ isMarker }) => isMarker).map(({ revision }) => revision));
    },
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

/** Sweeps each hour, until the link closes. */
const startSweep = async (session: NatsSession, sweeps: readonly Sweep[]): Promise<void> => {
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
