import type { ProcessLoad } from '../domain/machine.js';
import type { ClusterInfo } from '../messages/cluster.js';
import { clusterMetrics } from './clusterMetrics.js';
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
