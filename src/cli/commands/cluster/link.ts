import * as E from 'fp-ts/lib/Either.js';
import { streamLog } from '../../../adapters/logs/streamLog.js';
import { connectCluster } from '../../../adapters/nats/link.js';
import { systemClock } from '../../../adapters/systemClock.js';
import { type NodeDocument, parseNode, parseOrders } from '../../../cluster/documents.js';
import { decodeToken, startupSubjectOf } from '../../../cluster/keys.js';
import type { ClusterFile } from '../../../config/cluster.js';
import { readClusterFile } from '../../../daemon/cluster/clusterFile.js';
import { failure, type Result } from '../../../domain/errors.js';
import { isJsonObject, parsedJson } from '../../../domain/json.js';
import type { ClusterInfo } from '../../../messages/cluster.js';
import type { Bucket, BucketChange, BucketEntry, ClusterLink, NodeCalls } from '../../../ports/cluster.js';
import { CLUSTER_VARIABLE, clusterFileOf } from '../../arguments/sharedOptions.js';
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
  const link = await connectCluster({ ...file.right, clock: systemClock, log });
  if (E.isLeft(link)) return reportError(io, link.left);
  try {
    return await work({ file: file.right, link: link.right });
  } finally {
    await link.right.close();
  }
};

const LISTING_MS = 3_000;
const LISTINGS = 3;

/** Returns null when it takes too long. */
const listOnce = async (bucket: Bucket): Promise<Result<readonly BucketEntry[]> | null> => {
  const found = new Map<string, BucketEntry>();
  const done = new AbortController();
  const onChange = ({ key, value, revision }: BucketChange): void => {
    if (value === null) found.delete(key);
    else found.set(key, { key, value, revision });
  };
  const late = systemClock.sleepMs(LISTING_MS, done.signal).then(() => null);
  const listed = await Promise.race([bucket.watch(onChange, done.signal), late]);
  done.abort();
  return listed === null ? null : E.map(() => [...found.values()])(listed);
};

/** Returns the entries of a bucket at this moment, or also the error `timed_out` when the servers do not list them. */
export const entriesOf = async (bucket: Bucket): Promise<Result<readonly BucketEntry[]>> => {
  for (let attempt = 1; attempt <= LISTINGS; attempt += 1) {
    const listed = await listOnce(bucket);
    if (listed !== null) return listed;
  }
  const seconds = (LISTINGS * LISTING_MS) / 1_000;
  return E.left(failure('timed_out', `NATS did not list a bucket within ${seconds} s. Check its servers.`));
};

export interface StoredNode {
  readonly name: string;
  /** Document of the node. Null when this version cannot read it. */
  readonly document: NodeDocument | null;
}

/** Nodes that have not left, by name; some of them may be lost. */
export const storedNodes = async ({
  nodes,
}: Pick<ClusterLink, 'nodes'>): Promise<Result<readonly StoredNode[]>> =>
  E.map((entries: readonly { readonly key: string; readonly value: Uint8Array }[]) =>
    entries
      .map(({ key, value }): StoredNode => {
        const parsed = parseNode(value);
        return { name: decodeToken(key) ?? key, document: parsed.kind === 'valid' ? parsed.document : null };
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  )(await entriesOf(nodes));

/** Names of drained nodes; they may be stopped. */
export const drainedNodes = async ({
  startup,
}: Pick<ClusterLink, 'startup'>): Promise<Result<readonly string[]>> =>
  E.map((entries: readonly { readonly key: string; readonly value: Uint8Array }[]) =>
    entries.flatMap(({ key, value }) => {
      const subject = startupSubjectOf(key);
      if (subject?.kind !== 'orders') return [];
      const parsed = parseOrders(value);
      return parsed.kind === 'valid' && parsed.document.drain ? [subject.name] : [];
    }),
  )(await entriesOf(startup));

/** Far below the timeout of requests between nodes: a frozen node must not hold up the others. */
export const ANSWER_MS = 5_000;

const REQUEST = new TextEncoder().encode(JSON.stringify({ type: 'cluster.read', payload: null }));

const infoIn = (head: Uint8Array): ClusterInfo | null => {
  const answer = parsedJson(new TextDecoder().decode(head));
  const info = isJsonObject(answer) ? answer['right'] : undefined;
  return isJsonObject(info) && Array.isArray(info['nodes']) && Array.isArray(info['tasks'])
    ? (info as unknown as ClusterInfo)
    : null;
};

const askNodeAbout = async (calls: NodeCalls, node: string): Promise<Result<ClusterInfo>> => {
  const called = await calls.call(node, REQUEST, ANSWER_MS);
  if (E.isLeft(called)) return called;
  const info = infoIn(called.right.head);
  return info === null
    ? E.left(failure('unavailable', `node ${node} sent no status. Run the same version on all nodes.`))
    : E.right(info);
};

/** Returns the cluster as the first node that answers sees it, or why each of them does not answer. */
export const askAnyNode = async (
  calls: NodeCalls,
  names: readonly string[],
): Promise<E.Either<readonly string[], ClusterInfo>> => {
  const reasons: string[] = [];
  for (const name of names) {
    const answer = await askNodeAbout(calls, name);
    if (E.isRight(answer)) return answer;
    reasons.push(answer.left.message);
  }
  return E.left(reasons);
};
