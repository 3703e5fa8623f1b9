import type { ClusterNodeInfo, NodePhase } from '../../../messages/cluster.js';
import { counted, shownCount, shownSeconds } from '../../parts/numbers.js';
import type { ClusterState } from '../../parts/useCluster.js';

export interface NodeLook {
  readonly word: string;
  readonly color: string;
  readonly meaning: string;
}

/** `unknown`: the node that answers has lost the cluster, and hears of no other. */
type ShownPhase = NodePhase | 'unknown';

/** A node as the page shows it. */
export type ShownNode = Omit<ClusterNodeInfo, 'phase'> & { readonly phase: ShownPhase };

const LOOKS: Readonly<Record<ShownPhase, NodeLook>> = {
  unknown: { word: 'unknown', color: 'gray', meaning: 'This node hears nothing of it.' },
  waiting: { word: 'waiting', color: 'gray', meaning: 'It takes no generators yet.' },
  joining: { word: 'joining', color: 'blue', meaning: 'It takes generators in some seconds.' },
  member: { word: 'member', color: 'teal', meaning: 'It takes generators.' },
  draining: { word: 'draining', color: 'yellow', meaning: 'It gives its generators to other nodes.' },
  isolated: { word: 'isolated', color: 'red', meaning: 'It has lost the cluster.' },
  leaving: { word: 'leaving', color: 'orange', meaning: 'It stops and gives its generators back.' },
  lost: { word: 'lost', color: 'red', meaning: 'It is not heard of. Other nodes run its generators.' },
};

const DRAINED: NodeLook = {
  word: 'drained',
  color: 'gray',
  meaning: 'It takes no generators until you resume it.',
};

const IS_HERE: ReadonlySet<ShownPhase> = new Set(['waiting', 'joining', 'member']);

/** Word, color and meaning of the state of a node. */
export const nodeLookOf = ({ phase, is_drained, generators }: ShownNode): NodeLook => {
  const isThere = IS_HERE.has(phase) || phase === 'draining';
  if (!is_drained || !isThere) return LOOKS[phase];
  return generators === 0 ? DRAINED : LOOKS.draining;
};

/** True for a node that takes generators, or will in some seconds. */
const isTaking = ({ phase, is_drained, capacity }: ShownNode): boolean =>
  IS_HERE.has(phase) && !is_drained && capacity > 0;

const takenShare = (share: number): string =>
  share > 0 && share < 0.01 ? 'under 1 %' : `${Math.round(100 * share)} %`;

/** Returns the part of the cluster that a node takes, or null when it takes none. */
export const nodeShareOf = (node: ShownNode, nodes: readonly ShownNode[]): string | null => {
  if (!isTaking(node)) return null;
  const total = nodes.filter(isTaking).reduce((sum, { capacity }) => sum + capacity, 0);
  return takenShare(node.capacity / total);
};

/** What draining a node does. */
export const drainWords = (node: ShownNode, nodes: readonly ShownNode[]): string => {
  const others = nodes.filter((one) => one.name !== node.name && isTaking(one)).length;
  const held = node.generators === 1 ? 'generator' : `${shownCount(node.generators)} generators`;
  const moves =
    others === 0
      ? `No other node takes generators now. If you drain ${node.name}, its ${held} stop until one does.`
      : `${node.name} gives its ${held} to ${counted(others, 'other node')}. Each stops, delivers its events in flight, and starts there.`;
  const first = node.generators === 0 ? '' : `${moves} `;
  return `${first}${node.name} takes no generators until you resume it, also after a restart.`;
};

/** What resuming a node does. */
export const resumeWords = (node: ShownNode, nodes: readonly ShownNode[]): string => {
  const isDraining = node.phase === 'draining';
  const resumed: ShownNode = { ...node, phase: isDraining ? 'member' : node.phase, is_drained: false };
  const share = nodeShareOf(
    resumed,
    nodes.map((one) => (one.name === node.name ? resumed : one)),
  );
  const takes = share === null ? 'its part' : `about ${share}`;
  return `${node.name} takes ${takes} of the cluster again. Generators that move stop, deliver their events in flight, and start there.`;
};

/** What removing a lost node does. */
export const removeWords = (name: string): string =>
  `${name} leaves the list of nodes now instead of after a day. Generators that were made on it by the API are forgotten. If it comes back, it joins again.`;

export interface LostCluster {
  readonly title: string;
  readonly words: string;
}

const isLost = ({ phase, is_connected }: ClusterState): boolean => !is_connected || phase === 'isolated';

/** The nodes of a cluster; one that has lost it knows only that of itself, and nothing of the others. */
export const nodesOf = (cluster: ClusterState): readonly ShownNode[] =>
  isLost(cluster)
    ? cluster.nodes.map((one) => ({ ...one, phase: one.name === cluster.node ? 'isolated' : 'unknown' }))
    : cluster.nodes;

/** Returns what a page says of a node that has lost its cluster, or null when it has not. */
export const lostCluster = (cluster: ClusterState): LostCluster | null => {
  if (!isLost(cluster)) return null;
  const { node, lease_seconds, nodes } = cluster;
  const age = nodes.find(({ name }) => name === node)?.seen_seconds_ago;
  const patience = (2 * lease_seconds) / 3;
  const stops =
    age !== undefined && age < patience
      ? `${shownSeconds(patience)} after the loss it stops its generators`
      : 'It has stopped its generators';
  return {
    title: `Node ${node} has lost the cluster`,
    words:
      `What you see is ${age === undefined ? 'old' : `${shownSeconds(age)} old`}. The node does not reach the NATS servers. ` +
      `${stops}, and nodes that reach the servers start them. It joins again by itself.`,
  };
};
