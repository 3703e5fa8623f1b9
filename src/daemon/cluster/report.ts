import * as E from 'fp-ts/lib/Either.js';
import type { LocalAnswers } from '../../../actors/ask.js';
import { machineMs } from '../../adapters/systemClock.js';
import { MAX_REFUSED_TASKS } from '../../cluster/documents.js';
import { encodeToken, leaseSubjectOf, ordersKey } from '../../cluster/keys.js';
import type { Task } from '../../cluster/tasks.js';
import type { ClusterFile } from '../../config/cluster.js';
import { failure, type Result, type SpateError } from '../../domain/errors.js';
import type { ClusterInfo, ClusterNodeInfo, ClusterTask, NodePhase } from '../../messages/cluster.js';
import type { GeneratorListItem, GeneratorStatus } from '../../messages/generators.js';
import type { ClusterLink } from '../../ports/cluster.js';
import type { ClusterNode } from './node.js';
import { deniedTexts, quarantineOf } from './view.js';

/** What a report is made of. */
export type ReportedNode = Pick<ClusterNode, 'view' | 'member' | 'wanted'> & {
  readonly link: Pick<ClusterLink, 'isConnected' | 'operations' | 'denied' | 'nodes' | 'startup'>;
};

const MS_PER_SECOND = 1_000;
/** Nodes named for a reason. */
const MAX_NAMED = 5;

const ownPhase = ({ link, member }: ReportedNode): NodePhase => {
  if (!link.isConnected()) return 'isolated';
  const { phase } = member.report();
  return phase === 'gone' ? 'leaving' : phase;
};

/** Seconds since this node last saw a beat of any node, its own included. */
export const stateAge = ({ view, member }: Pick<ReportedNode, 'view' | 'member'>): number => {
  const seen = [...view.nodes.keys()].map((name) => member.sightOf(name).seenMs);
  return seen.length === 0 ? 0 : Math.max(0, Math.round((machineMs() - Math.max(...seen)) / MS_PER_SECOND));
};

const ownProblems = ({ link, view, member }: ReportedNode): readonly string[] => [
  ...(member.report().isNameTaken
    ? [
        `another daemon has the name "${view.node}", or had it less than a lease ago: this one waits. If it stays so, stop one of them, or set another \`node\` in its cluster file.`,
      ]
    : []),
  ...deniedTexts(link),
];

/** In place of a document that is not there, or not readable. */
const NO_DOCUMENT = {
  ...{ api: null, version: 'unknown', capacity: 0, labels: {}, draining: false, refused: [], problems: [] },
  load: { generators: 0, events_per_second: 0, cpu: 0 },
};

/** Nodes as this one sees them; one that was silent for a lease is lost. */
const nodeInfos = (node: ReportedNode): readonly ClusterNodeInfo[] => {
  const { view, member } = node;
  const own = ownProblems(node);
  const infoOf = (name: string): ClusterNodeInfo => {
    const document = view.nodes.get(name) ?? NO_DOCUMENT;
    const { api, version, capacity, labels, load, draining, refused } = document;
    const { isLost, isSteady, seenMs } = member.sightOf(name);
    const why = view.unreadable.nodes.get(name);
    const phase = draining ? 'draining' : isSteady || why !== undefined ? 'member' : 'joining';
    return {
      name,
      phase: name === view.node ? ownPhase(node) : isLost ? 'lost' : phase,
      ...{ api, version, capacity, labels, ...load },
      seen_seconds_ago: Number.isFinite(seenMs) ? Math.round((machineMs() - seenMs) / MS_PER_SECOND) : 0,
      is_drained: view.drained.has(name),
      refused,
      problems: [
        ...(why === undefined ? [] : [`its document ${why}. Update node "${view.node}".`]),
        ...(name === view.node ? own : document.problems),
      ],
    };
  };
  // A node that may not write its document is in no bucket.
  const names = [
    ...view.nodes.keys(),
    ...view.unreadable.nodes.keys(),
    ...(own.length > 0 ? [view.node] : []),
  ];
  return [...new Set(names)].sort().map(infoOf);
};

const labelsText = (labels: readonly (readonly [string, string])[]): string =>
  labels.map(([key, value]) => `${key}=${value}`).join(', ');

const lackingLabels = ({ runs_on }: Task, { labels }: ClusterNodeInfo) =>
  Object.entries(runs_on).filter(([key, value]) => labels[key] !== value);

/** Why a node does not take a task. */
const whyNot = (task: Task, node: ClusterNodeInfo): string => {
  const { phase, capacity, refused, problems, is_drained } = node;
  const lacking = lackingLabels(task, node);
  if (lacking.length > 0) return `without label ${labelsText(lacking)}`;
  if (phase === 'lost' || is_drained) return phase === 'lost' ? phase : 'drained';
  const names = new Set([task.name, ...task.keys]);
  const refusal = refused.find(({ tasks }) => tasks.some((one) => names.has(one)));
  if (refusal !== undefined) return `refuses it: ${refusal.reason}`;
  if (refused.reduce((sum, { tasks }) => sum + tasks.length, 0) > MAX_REFUSED_TASKS)
    return `refuses more than ${MAX_REFUSED_TASKS} tasks, so it takes none`;
  return problems[0] ?? (capacity === 0 ? 'capacity 0' : phase);
};

/** Why none of the nodes takes a task: each reason with its nodes. */
const whyNone = (task: Task, nodes: readonly ClusterNodeInfo[]): string => {
  const labels = Object.entries(task.runs_on);
  if (labels.length > 0 && nodes.every((node) => lackingLabels(task, node).length > 0)) {
    const missing = labels.filter(([key, value]) => !nodes.some((node) => node.labels[key] === value));
    const what =
      missing.length === 0 ? `all of the labels ${labelsText(labels)}` : `label ${labelsText(missing)}`;
    return `no node has ${what}, which it runs on. Give a node this label in its cluster file, or change \`runs_on\`.`;
  }
  const byReason = new Map<string, string[]>();
  for (const node of nodes) {
    const reason = whyNot(task, node);
    byReason.set(reason, [...(byReason.get(reason) ?? []), node.name]);
  }
  const texts = [...byReason].map(([reason, names]) => {
    const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
    return `${names.slice(0, MAX_NAMED).join(', ')}${more}: ${reason}`;
  });
  return `no node can take it (${texts.join('; ')})`;
};

const problemOf = (
  { view, member }: ReportedNode,
  task: Task,
  nodes: readonly ClusterNodeInfo[],
): string | null => {
  if (task.problem !== null) return task.problem;
  const quarantine = task.generators.flatMap(({ id }) => quarantineOf(view, id) ?? [])[0];
  if (quarantine !== undefined) return quarantine;
  const unreadable = task.keys.find((key) => view.unreadable.leases.has(key));
  if (unreadable !== undefined)
    return `its lease ${unreadable} ${view.unreadable.leases.get(unreadable)}. Update node "${view.node}".`;
  if (member.holderOf(task.name) !== null) return null;
  const owner = member.ownerOf(task.name);
  if (owner === null) return whyNone(task, nodes);
  const trouble = nodes.find(({ name }) => name === owner)?.problems[0];
  return `node "${owner}" is about to take it${trouble === undefined ? '' : `, but ${trouble}`}`;
};

/** Why no node holds them, by the id of a generator or partition. */
export const problemsById = (node: ReportedNode): ReadonlyMap<string, string> => {
  const nodes = nodeInfos(node);
  return new Map(
    node.view.tasks.flatMap((task) => {
      const problem = problemOf(node, task, nodes);
      return problem === null ? [] : task.generators.map(({ id }) => [id, problem] as const);
    }),
  );
};

export const clusterInfo = (file: Pick<ClusterFile, 'name' | 'lease'>, node: ReportedNode): ClusterInfo => {
  const { link, view, member } = node;
  const { takeovers, takeover_ms, moves, isolations } = member.report();
  const { reads, writes } = link.operations();
  const nodes = nodeInfos(node);
  const taskInfo = (task: Task): ClusterTask => {
    const holder = member.holderOf(task.name);
    return {
      name: task.name,
      generator_ids: task.generators.map(({ id }) => id),
      scenarios: task.keys.map(leaseSubjectOf).flatMap((one) => (one?.kind === 'scenario' ? [one.name] : [])),
      node: holder,
      owner: member.ownerOf(task.name),
      since: holder === null ? null : (view.leases.get(task.name)?.since ?? null),
      problem: problemOf(node, task, nodes),
    };
  };
  return {
    name: file.name,
    node: view.node,
    phase: ownPhase(node),
    is_connected: link.isConnected(),
    state_age_seconds: stateAge(node),
    lease_seconds: file.lease,
    nodes,
    tasks: view.tasks.map(taskInfo),
    counters: {
      takeovers,
      last_takeover_ms: Math.round(takeover_ms.last),
      moves,
      isolations,
      bucket_reads: reads,
      bucket_writes: writes,
    },
  };
};

/** Removes the document of a lost node by the revision that was silent for a lease, and its order to drain. */
const removeNode = async (
  { link, view, member, wanted }: ReportedNode,
  name: string,
): Promise<Result<null>> => {
  const { isLost, revision, silentMs } = member.sightOf(name);
  const isThere = view.nodes.has(name) || view.unreadable.nodes.has(name);
  if (name === view.node || (isThere && !isLost)) {
    const seen =
      name === view.node
        ? 'it answers'
        : `it was heard ${Math.round(Math.max(0, silentMs) / MS_PER_SECOND)} s ago`;
    return E.left(
      failure('wrong_state', `node "${name}" is not lost: ${seen}. Stop it, and it leaves by itself.`),
    );
  }
  if (isThere) {
    const removed = await link.nodes.remove(encodeToken(name), revision);
    if (E.isLeft(removed) && removed.left.code === 'precondition_failed')
      return E.left(failure('wrong_state', `node "${name}" is not lost: it was heard just now`));
    if (E.isLeft(removed)) return removed;
  }
  const forgotten = await link.startup.remove(ordersKey(name), null);
  if (E.isRight(forgotten)) wanted.note({ key: ordersKey(name), value: null });
  return forgotten;
};

/** Answers of a node. */
export const clusterAnswers = (
  file: ClusterFile,
  node: ReportedNode,
): Pick<LocalAnswers, 'cluster.read' | 'cluster.drain' | 'cluster.remove'> => {
  const known = (): ReadonlySet<string> =>
    new Set([...node.view.nodes.keys(), ...node.view.unreadable.nodes.keys(), ...node.view.drained]);
  const unknown = (name: string): Result<null> =>
    E.left(
      failure('not_found', `there is no node "${name}"; the cluster has ${[...known()].sort().join(', ')}`),
    );
  return {
    'cluster.read': () => E.right(clusterInfo(file, node)),
    'cluster.drain': async ({ node: name, drain }) =>
      known().has(name) ? node.wanted.setDrained(name, drain) : unknown(name),
    'cluster.remove': async ({ node: name }) => (known().has(name) ? removeNode(node, name) : unknown(name)),
  };
};

/** Status of a generator that no node runs at the moment, or whose node does not answer. */
export const absentStatus = (reason: string): GeneratorStatus => ({
  is_initializing: false,
  is_running: false,
  is_ended_up: false,
  is_ended_up_successfully: false,
  is_stopping: false,
  phase: 'idle',
  reason,
  error_code: null,
  restarts: 0,
  health: 'failing',
  health_reason: reason,
  remedy: 'Look at the nodes with spate cluster status.',
});

/** Status of a generator in quarantine, wherever it is held. */
export const quarantinedStatus = (status: GeneratorStatus, reason: string): GeneratorStatus => ({
  ...status,
  phase: 'failed',
  is_ended_up: true,
  is_ended_up_successfully: false,
  reason,
  error_code: 'host_crashed',
  health: 'failing',
  health_reason: reason,
  remedy: 'Correct it, then start it: a start ends the quarantine.',
});

export const absentItem = (
  known: Pick<GeneratorListItem, 'id' | 'path' | 'scenarios'>,
  reason: string,
  node: string | null,
): GeneratorListItem => ({ ...known, status: absentStatus(reason), start_time: null, node });

export const noNode = (what: string, reason: string): SpateError =>
  failure('unavailable', `${what}: ${reason}`);
