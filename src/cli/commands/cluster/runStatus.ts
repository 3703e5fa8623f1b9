import * as E from 'fp-ts/lib/Either.js';
import { parseLease } from '../../../cluster/documents.js';
import { leaseSubjectOf } from '../../../cluster/keys.js';
import type { Result } from '../../../domain/errors.js';
import { partitionOf } from '../../../domain/partitions.js';
import { plural, showCount } from '../../../domain/text/shown.js';
import type { ClusterInfo, ClusterNodeInfo, ClusterTask } from '../../../messages/cluster.js';
import type { ClusterLink } from '../../../ports/cluster.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { reportError } from '../../report.js';
import { EXIT, type Io } from '../../terminal/io.js';
import { alignedLines, escapeControls, showRough } from '../../terminal/text.js';
import type { statusOptions } from './cluster.js';
import {
  askAnyNode,
  entriesOf,
  type LinkedCluster,
  type StoredNode,
  storedNodes,
  withCluster,
} from './link.js';

const storedLeases = async ({
  leases,
}: Pick<ClusterLink, 'leases'>): Promise<Result<readonly StoredLease[]>> =>
  E.map((entries: readonly { readonly key: string; readonly value: Uint8Array }[]) =>
    entries.flatMap(({ key, value }): readonly StoredLease[] => {
      const parsed = parseLease(value);
      if (parsed.kind !== 'valid') return [];
      const { node, since } = parsed.document;
      return node === null ? [] : [{ key, node, since }];
    }),
  )(await entriesOf(leases));

const showStored = async (
  { file, link }: LinkedCluster,
  nodes: readonly StoredNode[],
  isJson: boolean,
  io: Io,
): Promise<number> => {
  const leases = await storedLeases(link);
  if (E.isLeft(leases)) return reportError(io, leases.left);
  const { name } = file;
  io.stdout.write(
    isJson
      ? `${JSON.stringify({ name, node: null, nodes, leases: leases.right }, null, 2)}\n`
      : storedText(name, nodes, leases.right),
  );
  return EXIT.failed;
};

/** Resolves to the exit code of `spate cluster status`. */
export const runStatus = (
  { options }: Given<typeof statusOptions>,
  { io }: CommandContext,
): Promise<number> =>
  withCluster({ name: 'cluster status', given: options.cluster, io }, async (cluster) => {
    const nodes = await storedNodes(cluster.link);
    if (E.isLeft(nodes)) return reportError(io, nodes.left);
    const info = await askAnyNode(
      cluster.link.calls,
      nodes.right.map(({ name }) => name),
    );
    const isJson = options.json === true;
    if (E.isRight(info)) {
      io.stdout.write(
        isJson ? `${JSON.stringify(info.right, null, 2)}\n` : statusText(info.right, io.program),
      );
      return EXIT.ok;
    }
    for (const reason of info.left) io.stderr.write(`spate: ${reason}\n`);
    return showStored(cluster, nodes.right, isJson, io);
  });

/** Generators named per task. */
const MAX_NAMED = 4;
const MS_PER_SECOND = 1_000;

const listText = (names: readonly string[]): string => {
  const rest = names.length - MAX_NAMED;
  const named = names.slice(0, MAX_NAMED).join(', ');
  return rest > 0 ? `${named} and ${showCount(rest)} more` : named;
};

/** `scenario shop: orders, fulfilment` or `generator web-nginx` */
export const taskName = ({ scenarios, generator_ids }: ClusterTask): string => {
  if (scenarios.length > 0)
    return `scenario ${listText(scenarios)}${generator_ids.length > 0 ? `: ${listText(generator_ids)}` : ''}`;
  const kind = generator_ids.some((id) => partitionOf(id) !== null) ? 'partition' : 'generator';
  return `${kind} ${listText(generator_ids)}`;
};

const labelsText = (labels: ClusterNodeInfo['labels']): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');

const NODE_COLUMNS = ['node', 'state', 'generators', 'events/s', 'cores', 'capacity', 'seen', 'labels'];
const NODE_NUMBERS = new Set([2, 3, 4, 5]);

const nodeCells = (node: ClusterNodeInfo): readonly string[] => [
  node.name,
  node.is_drained && node.phase === 'member' ? 'draining' : node.phase,
  showCount(node.generators),
  showRough(node.events_per_second),
  showRough(node.cpu),
  String(node.capacity),
  `${showCount(node.seen_seconds_ago)} s ago`,
  labelsText(node.labels),
];

/** A former version sends no problems. */
const troubleLines = ({ name, refused, problems = [] }: ClusterNodeInfo): readonly string[] => [
  ...problems.map((problem) => `${name}: ${problem}`),
  ...refused.map(({ reason, tasks }) => `${name} refuses ${plural(tasks.length, 'task')}: ${reason}`),
];

const versionLines = (nodes: readonly ClusterNodeInfo[]): readonly string[] =>
  new Set(nodes.map(({ version }) => version)).size > 1
    ? [`versions differ: ${nodes.map(({ name, version }) => `${name} ${version}`).join(', ')}`]
    : [];

const taskCells = (task: ClusterTask): readonly string[] => [
  taskName(task),
  task.node ?? '-',
  task.since ?? '-',
  task.problem ?? '',
];

const counterLine = ({ node, counters }: ClusterInfo): string => {
  const { takeovers, last_takeover_ms, moves, isolations, bucket_reads, bucket_writes } = counters;
  const last = takeovers > 0 ? ` (last in ${showRough(last_takeover_ms / MS_PER_SECOND)} s)` : '';
  return (
    `${node} since its start: ${plural(takeovers, 'takeover')}${last}, ${plural(moves, 'move')}, ${plural(isolations, 'isolation')}; ` +
    `${plural(bucket_reads, 'read')} and ${plural(bucket_writes, 'write')} of buckets`
  );
};

/** Nodes, tasks and counters, as a node answered. */
export const statusText = (info: ClusterInfo, program: string): string => {
  const { nodes, tasks } = info;
  const held = tasks.filter(({ node }) => node !== null).length;
  const lines = [
    `cluster ${info.name}: ${plural(nodes.length, 'node')}, ${showCount(held)} of ${plural(tasks.length, 'task')} held, ` +
      `lease ${info.lease_seconds} s; answered by ${info.node}${info.is_connected ? '' : `, which lost NATS ${showCount(info.state_age_seconds)} s ago`}`,
    '',
    ...alignedLines([NODE_COLUMNS, ...nodes.map(nodeCells)], NODE_NUMBERS),
    ...nodes.flatMap(troubleLines),
    ...versionLines(nodes),
    '',
    ...(tasks.length === 0
      ? [`no generators: fill the cluster with ${program} cluster push`]
      : alignedLines([['task', 'node', 'since', 'problem'], ...tasks.map(taskCells)])),
    '',
    counterLine(info),
  ];
  return lines.map((line) => `${escapeControls(line)}\n`).join('');
};

/** A lease in NATS. */
interface StoredLease {
  readonly key: string;
  readonly node: string;
  readonly since: string;
}

const leaseName = (key: string): string => {
  const subject = leaseSubjectOf(key);
  if (subject === null) return key;
  const partition = subject.kind === 'generator' ? partitionOf(subject.name) : null;
  return partition === null
    ? `${subject.kind} ${subject.name}`
    : `partition ${partition.index} of ${partition.id}`;
};

/** What NATS stores, where no node answers. */
const storedText = (name: string, nodes: readonly StoredNode[], leases: readonly StoredLease[]): string => {
  const nodeRows = nodes.map(({ name: node, document }) => [
    node,
    document?.version ?? 'unknown',
    document?.api ?? '-',
    document === null ? '-' : showCount(document.load.generators),
  ]);
  const lines = [
    `cluster ${name}: no node answers. NATS stores ${plural(nodes.length, 'node')} and ${plural(leases.length, 'lease')}.`,
    ...(nodes.length === 0
      ? []
      : ['', ...alignedLines([['node', 'version', 'address', 'generators'], ...nodeRows])]),
    ...(leases.length === 0
      ? []
      : [
          '',
          ...alignedLines([
            ['lease', 'node', 'since'],
            ...leases.map(({ key, node, since }) => [leaseName(key), node, since]),
          ]),
        ]),
  ];
  return lines.map((line) => `${escapeControls(line)}\n`).join('');
};
