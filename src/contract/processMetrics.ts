import type { ProcessLoad } from '../domain/stats/machine.js';
import type { ClusterInfo, NodePhase } from '../messages/cluster.js';
import { family, labelText } from './exposition.js';

export interface ProcessFigures {
  readonly version: string;
  readonly node_version: string;
  readonly load: ProcessLoad;
  readonly streams: Readonly<Record<string, number>>;
  /** State of the cluster. Null when the service runs alone. */
  readonly cluster: ClusterInfo | null;
}

export const processMetrics = (figures: ProcessFigures): string => {
  const { version, node_version, load, streams, cluster } = figures;
  const { loop_delay_seconds: delay } = load;
  return [
    family('spate_build_info', 'gauge', 'Always 1; the labels describe the program.', [
      [labelText({ version, node_version }), 1],
    ]),
    family('process_cpu_seconds_total', 'counter', 'CPU time of all threads.', [
      ['', load.cpu_user_seconds + load.cpu_system_seconds],
    ]),
    family('process_cpu_user_seconds_total', 'counter', 'CPU time of all threads in user mode.', [
      ['', load.cpu_user_seconds],
    ]),
    family('process_cpu_system_seconds_total', 'counter', 'CPU time of all threads in the kernel.', [
      ['', load.cpu_system_seconds],
    ]),
    family('process_resident_memory_bytes', 'gauge', 'Resident memory.', [['', load.resident_bytes]]),
    family('process_start_time_seconds', 'gauge', 'Unix time of the start of the process.', [
      ['', load.started_at_seconds],
    ]),
    family('nodejs_heap_size_used_bytes', 'gauge', 'Used heap of the main thread.', [
      ['', load.heap_used_bytes],
    ]),
    family(
      'spate_event_loop_delay_seconds',
      'gauge',
      'Delay of the event loop of the main thread since the last scrape.',
      [
        [labelText({ stat: 'p50' }), delay.p50],
        [labelText({ stat: 'p99' }), delay.p99],
        [labelText({ stat: 'max' }), delay.max],
      ],
    ),
    family(
      'spate_http_streams',
      'gauge',
      'Open streams.',
      Object.entries(streams).map(([kind, count]) => [labelText({ kind }), count] as const),
    ),
    cluster === null ? '' : clusterMetrics(cluster),
  ].join('');
};

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
const clusterMetrics = (info: ClusterInfo): string => {
  const { node, nodes, tasks, counters, lease_seconds, is_connected } = info;
  const alone = (value: number) => [['', value]] as const;
  const phases = PHASES.map(
    (phase) => [labelText({ phase }), nodes.filter((one) => one.phase === phase).length] as const,
  );
  const held = tasks.filter((task) => task.node === node).length;
  const without = tasks.filter((task) => task.node === null).length;
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
    family('spate_cluster_tasks_held', 'gauge', 'Tasks that this node holds.', alone(held)),
    family(
      'spate_cluster_tasks_without_node',
      'gauge',
      'Tasks that no node holds, as this node sees them.',
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
      'Tasks that this node gave to other nodes.',
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
