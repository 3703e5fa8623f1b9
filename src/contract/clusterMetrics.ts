import type { ClusterInfo, NodePhase } from '../messages/cluster.js';
import { family, labelText } from './exposition.js';

const PHASES: readonly NodePhase[] = [
  'waiting',
  'joining',
  'member',
  'draining',
  'isolated',
  'leaving',
  'lost',
];

/** Metrics of a node of a cluster. Each node counts what it holds: sums over all nodes are those of the cluster. */
export const clusterMetrics = (info: ClusterInfo): string => {
  const { node, nodes, units, counters, lease_seconds, is_connected } = info;
  const alone = (value: number) => [['', value]] as const;
  const phases = PHASES.map(
    (phase) => [labelText({ phase }), nodes.filter((one) => one.phase === phase).length] as const,
  );
  const held = units.filter((unit) => unit.node === node).length;
  const without = units.filter((unit) => unit.node === null).length;
  const seen = nodes.find(({ name }) => name === node)?.seen_seconds_ago;
  return [
    family('spate_cluster_nodes', 'gauge', 'Nodes of the cluster by phase, as this node sees them.', phases),
    family(
      'spate_cluster_connected',
      'gauge',
      '1 while this node reaches the NATS servers.',
      alone(is_connected ? 1 : 0),
    ),
    family(
      'spate_cluster_beat_age_seconds',
      'gauge',
      'Time since this node last saw its own beat come back.',
      seen === undefined ? [] : alone(seen),
    ),
    family(
      'spate_cluster_lease_seconds',
      'gauge',
      'Silence after which a node has lost its generators.',
      alone(lease_seconds),
    ),
    family('spate_cluster_units_held', 'gauge', 'Units that this node holds.', alone(held)),
    family(
      'spate_cluster_units_without_node',
      'gauge',
      'Units that no node holds, as this node sees them.',
      alone(without),
    ),
    family(
      'spate_cluster_takeovers_total',
      'counter',
      'Leases that this node took from lost nodes.',
      alone(counters.takeovers),
    ),
    family(
      'spate_cluster_moves_total',
      'counter',
      'Units that this node gave to other nodes.',
      alone(counters.moves),
    ),
    family(
      'spate_cluster_isolations_total',
      'counter',
      'Times that this node lost the cluster for two thirds of a lease.',
      alone(counters.isolations),
    ),
    family(
      'spate_cluster_bucket_reads_total',
      'counter',
      'Reads of this node from the buckets of the cluster.',
      alone(counters.bucket_reads),
    ),
    family(
      'spate_cluster_bucket_writes_total',
      'counter',
      'Writes of this node to the buckets of the cluster.',
      alone(counters.bucket_writes),
    ),
  ].join('');
};
