import * as E from 'fp-ts/lib/Either.js';
import { streamLog } from '../../../adapters/logs/streamLog.js';
import { connectCluster } from '../../../adapters/nats/link.js';
import { systemClock } from '../../../adapters/systemClock.js';
import type { ClusterFile } from '../../../config/cluster/cluster.js';
import { linkOptions } from '../../../daemon/cluster/linkOptions.js';
import { failure, type Result } from '../../../domain/errors.js';
import type { Bucket, BucketChange, BucketEntry, ClusterLink } from '../../../ports/cluster.js';
import { CLUSTER_VARIABLE, clusterFileOf } from '../../arguments/clusterOption.js';
import { readClusterFile } from '../../files/cluster.js';
import { reportError, usageError } from '../../report.js';
import type { Io } from '../../terminal/io.js';

export interface LinkedCluster {
  readonly file: ClusterFile;
  readonly link: ClusterLink;
}

/** Connects, works, disconnects. Returns the exit code of `work`, or that of the error it reports. */
export const withCluster = async (
  { name, given, io }: { readonly name: string; readonly given: string | undefined; readonly io: Io },
  work: (cluster: LinkedCluster) => Promise<number>,
): Promise<number> => {
  const path = clusterFileOf(given, io);
  if (path === null) return usageError(io, name, `give --cluster FILE or set ${CLUSTER_VARIABLE}`);
  const file = await readClusterFile(path);
  if (E.isLeft(file)) return reportError(io, file.left);
  const log = streamLog({ level: 'warning', format: 'plain', write: io.stderr.write });
  const reach = await linkOptions(file.right, log);
  if (E.isLeft(reach)) return reportError(io, reach.left);
  const link = await connectCluster(reach.right);
  if (E.isLeft(link)) return reportError(io, link.left);
  try {
    return await work({ file: file.right, link: link.right });
  } finally {
    await link.right.close();
  }
};

const LISTING_MS = 3_000;
const LISTINGS = 3;

const listOnce = (bucket: Bucket): Promise<Result<readonly BucketEntry[]> | null> =>
  new Promise((resolve) => {
    const found = new Map<string, BucketEntry>();
    const done = new AbortController();
    const finish = (result: Result<readonly BucketEntry[]> | null): void => {
      stopTimer();
      done.abort();
      resolve(result);
    };
    const stopTimer = systemClock.after(LISTING_MS, () => finish(null));
    const listener = {
      onChange: ({ key, value, revision }: BucketChange) => {
        if (value === null) found.delete(key);
        else found.set(key, { key, value, revision });
      },
      onCurrent: () => finish(E.right([...found.values()])),
    };
    void bucket.watch(listener, done.signal).then((begun) => E.isLeft(begun) && finish(begun));
  });

/** Returns the entries of a bucket at this moment, or also the error `timed_out` when the servers do not list them. */
export const entriesOf = async (bucket: Bucket): Promise<Result<readonly BucketEntry[]>> => {
  for (let attempt = 1; attempt <= LISTINGS; attempt += 1) {
    const listed = await listOnce(bucket);
    if (listed !== null) return listed;
  }
  const seconds = (LISTINGS * LISTING_MS) / 1_000;
  return E.left(failure('timed_out', `NATS did not list a bucket within ${seconds} s. Check its servers.`));
};
