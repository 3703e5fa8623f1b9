import { connect, type NodeConnectionOptions } from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../domain/errors.js';
import type { ClusterLink } from '../../ports/cluster.js';
import { natsArchives } from './archives.js';
import { natsBucket, type OperationCount } from './bucket.js';
import { nodeCalls } from './calls/calls.js';
import { tooOld } from './natsErrors.js';
import { type ClusterOptions, securityOf } from './options.js';
import { type Session, sessionOf } from './session.js';
import { keyedStream } from './streams.js';
import { startSweep } from './sweep.js';

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
const openSession = async (options: ClusterOptions): Promise<Result<Session>> => {
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
