import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import type { ClusterLink } from '../../ports/cluster.js';
import { natsArchives } from './archives.js';
import { natsBucket, type OperationCount } from './bucket.js';
import { nodeCalls } from './calls/calls.js';
import { openSession } from './open.js';
import type { ClusterOptions } from './options.js';
import { keyedStream } from './streams.js';
import { startSweep } from './sweep.js';

export type { ClusterOptions } from './options.js';

/**
 * Links this node to its cluster on NATS. Buckets are created at first use. Left: `unavailable` (no server takes the
 * connection within `connect_timeout_ms`), `wrong_state` (a server is too old), `unreadable` or `invalid` (an option).
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
