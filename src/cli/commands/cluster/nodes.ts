import * as E from 'fp-ts/lib/Either.js';
import { type NodeDocument, parseNode, parseOrders } from '../../../cluster/documents.js';
import { decodeToken, startupSubjectOf } from '../../../cluster/keys.js';
import { failure, type Result } from '../../../domain/errors.js';
import { isJsonObject, parsedJson } from '../../../domain/json.js';
import type { ClusterInfo } from '../../../messages/cluster.js';
import type { ClusterLink, NodeCalls } from '../../../ports/cluster.js';
import { entriesOf } from './link.js';

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
  return isJsonObject(info) && Array.isArray(info['nodes']) && Array.isArray(info['units'])
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
