import { leaseSubjectOf } from '../../../cluster/keys.js';
import type { ClusterInfo, ClusterNodeInfo, ClusterUnit } from '../../../messages/cluster.js';
import { plural, showCount, showRough } from '../../arguments/numbers.js';
import { escapeControls } from '../../terminal/escape.js';
import type { StoredNode } from './nodes.js';
import { alignedLines } from './table.js';

/** Generators named per unit. */
const MAX_NAMED = 4;
const MS_PER_SECOND = 1_000;

const listText = (names: readonly string[]): string => {
  const rest = names.length - MAX_NAMED;
  const named = names.slice(0, MAX_NAMED).join(', ');
  return rest > 0 ? `${named} and ${showCount(rest)} more` : named;
};

/** `scenario shop: orders, fulfilment` or `generator web-nginx` */
export const unitName = ({ scenarios, generator_ids, name }: ClusterUnit): string => {
  if (scenarios.length > 0)
    return `scenario ${listText(scenarios)}${generator_ids.length > 0 ? `: ${listText(generator_ids)}` : ''}`;
  const kind = leaseSubjectOf(name)?.kind === 'partition' ? 'partition' : 'generator';
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
  ...refused.map(({ reason, units }) => `${name} refuses ${plural(units.length, 'unit')}: ${reason}`),
];

const versionLines = (nodes: readonly ClusterNodeInfo[]): readonly string[] =>
  new Set(nodes.map(({ version }) => version)).size > 1
    ? [`versions differ: ${nodes.map(({ name, version }) => `${name} ${version}`).join(', ')}`]
    : [];

const unitCells = (unit: ClusterUnit): readonly string[] => [
  unitName(unit),
  unit.node ?? '-',
  unit.since ?? '-',
  unit.problem ?? '',
];

const counterLine = ({ node, counters }: ClusterInfo): string => {
  const { takeovers, last_takeover_ms, moves, isolations, bucket_reads, bucket_writes } = counters;
  const last = takeovers > 0 ? ` (last in ${showRough(last_takeover_ms / MS_PER_SECOND)} s)` : '';
  return (
    `${node} since its start: ${plural(takeovers, 'takeover')}${last}, ${plural(moves, 'move')}, ${plural(isolations, 'isolation')}; ` +
    `${plural(bucket_reads, 'read')} and ${plural(bucket_writes, 'write')} of buckets`
  );
};

/** Nodes, units and counters, as a node answered. */
export const statusText = (info: ClusterInfo, program: string): string => {
  const { nodes, units } = info;
  const held = units.filter(({ node }) => node !== null).length;
  const lines = [
    `cluster ${info.name}: ${plural(nodes.length, 'node')}, ${showCount(held)} of ${plural(units.length, 'unit')} held, ` +
      `lease ${info.lease_seconds} s; answered by ${info.node}${info.is_connected ? '' : `, which lost NATS ${showCount(info.state_age_seconds)} s ago`}`,
    '',
    ...alignedLines([NODE_COLUMNS, ...nodes.map(nodeCells)], NODE_NUMBERS),
    ...nodes.flatMap(troubleLines),
    ...versionLines(nodes),
    '',
    ...(units.length === 0
      ? [`no generators: fill the cluster with ${program} cluster push`]
      : alignedLines([['unit', 'node', 'since', 'problem'], ...units.map(unitCells)])),
    '',
    counterLine(info),
  ];
  return lines.map((line) => `${escapeControls(line)}\n`).join('');
};

/** A lease in NATS. */
export interface StoredLease {
  readonly key: string;
  readonly node: string;
  readonly since: string;
}

const leaseName = (key: string): string => {
  const subject = leaseSubjectOf(key);
  if (subject === null) return key;
  if (subject.kind === 'scenario') return `scenario ${subject.name}`;
  return subject.kind === 'partition'
    ? `partition ${subject.index} of ${subject.id}`
    : `generator ${subject.id}`;
};

/** What NATS stores, where no node answers. */
export const storedText = (
  name: string,
  nodes: readonly StoredNode[],
  leases: readonly StoredLease[],
): string => {
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
