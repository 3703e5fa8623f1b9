import { connect, type NodeConnectionOptions } from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../domain/errors.js';
import type { ClusterLink } from '../../ports/cluster.js';
import { contentSubject, metaOf, natsArchives } from './archives.js';
import { natsBucket, type OperationCount } from './bucket.js';
import { nodeCalls } from './calls.js';
import { tooOld, unavailable } from './natsErrors.js';
import { type ClusterOptions, securityOf } from './options.js';
import { openReader } from './reader.js';
import { type NatsSession, sessionOf } from './session.js';
import { type KeyedStream, type KvEntry, keyedStream, kvEntries } from './streams.js';

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
    ? 'Check `credentials`, `token`, `user` and `password`, or `nkey`.'
    : /certificate|self-signed|tls|ssl/i.test(reason)
      ? 'Check `tls`.'
      : 'Check `servers`, and that one of them runs and is reachable.';
  return failure('unavailable', `cannot connect to NATS at ${servers}: ${reason}. ${remedy}`);
};

const clientOptions = (options: ClusterOptions): NodeConnectionOptions => ({
  name: `spate ${options.name}`,
  servers: [...options.servers],
  timeout: DIAL_TIMEOUT_MS,
  maxReconnectAttempts: -1,
  reconnectDelayHandler: () => RECONNECT_BASE_MS + Math.floor(Math.random() * RECONNECT_JITTER_MS),
  // A server that starts may refuse users that it takes later.
  ignoreAuthErrorAbort: true,
  ignoreClusterUpdates: options.discovers_servers === false,
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
      if (isFinal || left_ms <= 0) return E.left(connectError(options.servers.join(', '), thrown));
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
  let reads = 0;
  let writes = 0;
  const count: OperationCount = {
    read: () => {
      reads += 1;
    },
    write: () => {
      writes += 1;
    },
  };
  const values = (part: string) => keyedStream(session, `spate-${name}-${part}`, 'values', replicas);
  const streams = {
    nodes: values('nodes'),
    startup: values('startup'),
    leases: values('leases'),
    globals: values('globals'),
    checkpoints: values('checkpoints'),
  };
  const configs = keyedStream(session, `spate-${name}-configs`, 'objects', replicas);
  void startSweep(session, Object.values(streams), configs);
  const calls = nodeCalls(session, name);
  return E.right({
    nodes: natsBucket(session, streams.nodes, count),
    startup: natsBucket(session, streams.startup, count),
    leases: natsBucket(session, streams.leases, count),
    globals: natsBucket(session, streams.globals, count),
    checkpoints: natsBucket(session, streams.checkpoints, count),
    configs: natsArchives(session, configs, count),
    calls: calls.calls,
    isConnected: session.isConnected,
    denied: session.denied,
    operations: () => ({ reads, writes }),
    close: async () => {
      calls.close();
      await session.close();
    },
  });
};

const SWEEP_MS = 3_600_000;
const LISTING_LIMIT_MS = 60_000;

/** KV entries of a stream at this moment, without their values. */
const listed = (
  session: NatsSession,
  { stream, bucket }: KeyedStream,
  filter: string,
): Promise<Result<readonly KvEntry[]>> =>
  new Promise((resolve) => {
    const entries: KvEntry[] = [];
    const place = `sweep of bucket ${bucket}`;
    const limit = new AbortController();
    let stop = (): void => {};
    const finish = (result: Result<readonly KvEntry[]>): void => {
      limit.abort();
      stop();
      resolve(result);
    };
    const giveUp = (): void => finish(E.left(unavailable(place, 'it was cut off', 'The next one goes on.')));
    const listener = {
      onEntry: (entry: KvEntry) => void entries.push(entry),
      onCurrent: () => finish(E.right(entries)),
      onLost: giveUp,
    };
    void session.clock.sleepMs(LISTING_LIMIT_MS, limit.signal).then(giveUp);
    void openReader(
      session,
      { stream, filter, headersOnly: true, last: Number.POSITIVE_INFINITY, place },
      listener,
    ).then((reader) => {
      if (E.isLeft(reader)) finish(reader);
      else if (limit.signal.aborted) reader.right();
      else stop = reader.right;
    });
  });

/** Removes what two sweeps in a row found. */
interface Sweep {
  /** Does one round. After an error, the rest waits for the next round. */
  readonly round: () => Promise<Result<null>>;
}

/**
 * Removes markers of removed keys. They must outlive the moment, since watchers learn of removals from them; one that a
 * sweep has found before is at least `SWEEP_MS` old by the clock of this node.
 */
const markerSweep = (session: NatsSession, keyed: KeyedStream, filter: string): Sweep => {
  let before: ReadonlySet<number> = new Set();
  return {
    round: async () => {
      const found = await listed(session, keyed, filter);
      if (E.isLeft(found)) return found;
      const markers = found.right.filter(({ isMarker }) => isMarker).map(({ revision }) => revision);
      const due = markers.filter((revision) => before.has(revision));
      before = new Set(markers);
      for (const revision of due) {
        // By revision: a value that took its place stays.
        await session.run(keyed.bucket, () =>
          session.manager.streams.deleteMessage(keyed.stream, revision, false),
        );
      }
      return E.right(null);
    },
  };
};

/** Removes contents that no archive refers to: writers left them that were cut off. */
const contentSweep = (session: NatsSession, keyed: KeyedStream): Sweep => {
  const prefix = contentSubject(keyed.bucket, '');
  const entries = kvEntries(session, keyed);
  let before: ReadonlySet<string> = new Set();
  return {
    round: async () => {
      const info = await session.run(keyed.bucket, () =>
        session.manager.streams.info(keyed.stream, { subjects_filter: `${prefix}>` }),
      );
      if (E.isLeft(info)) return info;
      const used = new Set<string | undefined>();
      for (let from = 1; ; ) {
        const entry = await entries.next(keyed.bucket, `$O.${keyed.bucket}.M.>`, from);
        if (E.isLeft(entry)) return entry;
        if (entry.right === null) break;
        used.add(metaOf(entry.right)?.content);
        from = entry.right.revision + 1;
      }
      const contents = Object.keys(info.right.state.subjects ?? {}).map((one) => one.slice(prefix.length));
      const loose = contents.filter((content) => !used.has(content));
      const due = loose.filter((content) => before.has(content));
      before = new Set(loose);
      for (const content of due) {
        await session.run(keyed.bucket, () =>
          session.manager.streams.purge(keyed.stream, { filter: prefix + content }),
        );
      }
      return E.right(null);
    },
  };
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
    await session.clock.sleepMs(SWEEP_MS * (0.75 + session.random() / 2), session.closing);
    for (const { round } of sweeps) {
      if (session.closing.aborted) return;
      const done = await round();
      if (E.isLeft(done)) session.log.write('debug', done.left.message);
    }
  }
};
