import * as E from 'fp-ts/lib/Either.js';
import { encodeToken, ordersKey } from '../../../cluster/keys.js';
import { askNode } from '../../../daemon/cluster/calls.js';
import { wantedIn } from '../../../daemon/cluster/view.js';
import { failure, type Result } from '../../../domain/errors.js';
import { plural } from '../../../domain/text/shown.js';
import type { ClusterTask } from '../../../messages/cluster.js';
import type { ClusterLink } from '../../../ports/cluster.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { reportError } from '../../report.js';
import { EXIT, type Io } from '../../terminal/io.js';
import { statusLine } from '../../terminal/progress.js';
import { escapeControls } from '../../terminal/text.js';
import { DEFAULT_DRAIN_SECONDS } from '../limits.js';
import type { clusterRemove, clusterResume, drainOptions } from './cluster.js';
import { ANSWER_MS, askAnyNode, drainedNodes, type LinkedCluster, storedNodes, withCluster } from './link.js';
import { taskName } from './runStatus.js';

const POLL_MS = 1_000;
/** Tasks named at the timeout. */
const MAX_NAMED = 20;

/** Names of the nodes. Returns `not_found` when `node` is neither one of them nor drained already. */
const namesWith = async (link: ClusterLink, node: string): Promise<Result<readonly string[]>> => {
  const nodes = await storedNodes(link);
  if (E.isLeft(nodes)) return nodes;
  const drained = await drainedNodes(link);
  if (E.isLeft(drained)) return drained;
  const known = [...new Set([...nodes.right.map(({ name }) => name), ...drained.right])].sort();
  if (!known.includes(node)) {
    const has = known.length === 0 ? 'has no nodes' : `has ${known.join(', ')}`;
    return E.left(failure('not_found', `there is no node "${node}": the cluster ${has}`));
  }
  return E.right(nodes.right.map(({ name }) => name));
};

/** Stores the order. */
const setDrained = async (link: ClusterLink, node: string, drain: boolean): Promise<Result<null>> => {
  const names = await namesWith(link, node);
  if (E.isLeft(names)) return names;
  return wantedIn(link.startup, { wanted: new Map(), drained: new Set() }).setDrained(node, drain);
};

/** Removes a node whose document does not change for a lease. */
const removeSilent = async (
  { file, link }: LinkedCluster,
  node: string,
  { services: { clock } }: CommandContext,
): Promise<Result<null>> => {
  const key = encodeToken(node);
  const before = await link.nodes.read(key);
  if (E.isLeft(before)) return before;
  if (before.right !== null) {
    await clock.sleepMs(file.lease * 1_000, new AbortController().signal);
    const removed = await link.nodes.remove(key, before.right.revision);
    if (E.isLeft(removed) && removed.left.code === 'precondition_failed')
      return E.left(failure('wrong_state', `node "${node}" is not lost: it has just been heard`));
    if (E.isLeft(removed)) return removed;
  }
  return link.startup.remove(ordersKey(node), null);
};

const NO_ANSWER: ReadonlySet<string> = new Set(['unavailable', 'timed_out']);

/** The first node that answers removes it: it knows who is lost. */
const removeNode = async (
  cluster: LinkedCluster,
  node: string,
  context: CommandContext,
): Promise<Result<null>> => {
  const { link } = cluster;
  const names = await namesWith(link, node);
  if (E.isLeft(names)) return names;
  for (const name of [...names.right.filter((one) => one !== node), node]) {
    const removed = await askNode(link.calls)(name, 'cluster.remove', { node }, ANSWER_MS);
    if (E.isRight(removed) || !NO_ANSWER.has(removed.left.code)) return removed;
  }
  return removeSilent(cluster, node, context);
};

/** Returns the tasks, asking other nodes first, or null when no node answers at the moment. */
const tasksNow = async (link: ClusterLink, node: string): Promise<Result<readonly ClusterTask[] | null>> => {
  const nodes = await storedNodes(link);
  if (E.isLeft(nodes)) return nodes;
  const names = nodes.right.map(({ name }) => name);
  // Others first: they answer for the moves, also if this one is frozen.
  const order = [...names.filter((name) => name !== node), ...names.filter((name) => name === node)];
  const info = await askAnyNode(link.calls, order);
  if (E.isRight(info)) return E.right(info.right.tasks);
  return E.right(names.length === 0 ? [] : null);
};

const taskLines = (tasks: readonly ClusterTask[]): readonly string[] => {
  const rest = tasks.length - MAX_NAMED;
  const lines = tasks.slice(0, MAX_NAMED).map((task) => {
    const why = task.owner === null && task.problem !== null ? ` (${task.problem})` : '';
    return `  ${escapeControls(`${taskName(task)}${why}`)}`;
  });
  return rest > 0 ? [...lines, `  and ${plural(rest, 'more task')}`] : lines;
};

const report = (io: Io, message: string, tasks: readonly ClusterTask[]): void => {
  io.stderr.write([`spate: ${message}`, ...taskLines(tasks)].map((line) => `${line}\n`).join(''));
};

/** Tasks that no node can run, also without the drained one. */
const stranded = (tasks: readonly ClusterTask[]): readonly ClusterTask[] =>
  tasks.filter(({ node, owner }) => node === null && owner === null);

const reportEmpty = (io: Io, node: string, tasks: readonly ClusterTask[]): number => {
  io.stdout.write(`Node "${node}" is empty.\n`);
  const left = stranded(tasks);
  if (left.length > 0) report(io, `no node runs ${plural(left.length, 'task')}:`, left);
  return EXIT.ok;
};

const reportTimeout = (
  io: Io,
  node: string,
  seconds: number,
  held: readonly ClusterTask[] | null,
): number => {
  const what =
    held === null ? 'no node says what it holds' : `it still holds ${plural(held.length, 'task')}:`;
  report(io, `node "${node}" is not empty after ${seconds} s: ${what}`, held ?? []);
  return EXIT.failed;
};

const waitUntilEmpty = async (
  link: ClusterLink,
  node: string,
  timeout_seconds: number,
  { io, services: { clock } }: CommandContext,
): Promise<number> => {
  const line = statusLine(io.stderr);
  const untilMs = clock.monotonicMs() + timeout_seconds * 1_000;
  const forever = new AbortController().signal;
  for (;;) {
    const answer = await tasksNow(link, node);
    // A moment without NATS ends the wait no sooner than the timeout does.
    const tasks = E.isRight(answer) ? answer.right : null;
    const held = tasks?.filter((task) => task.node === node) ?? null;
    const remainingMs = untilMs - clock.monotonicMs();
    if (held?.length === 0 || remainingMs <= 0) {
      line.clear();
      return held?.length === 0
        ? reportEmpty(io, node, tasks ?? [])
        : reportTimeout(io, node, timeout_seconds, held);
    }
    const progress = held === null ? 'no node answers' : `${plural(held.length, 'task')} left`;
    if (io.stderr.isTerminal) line.show(`draining ${node}: ${progress}`);
    await clock.sleepMs(Math.min(POLL_MS, remainingMs), forever);
  }
};

/** Resolves to the exit code of `spate cluster drain`. */
export const runDrain = (
  { options, positionals: [node = ''] }: Given<typeof drainOptions>,
  context: CommandContext,
): Promise<number> =>
  withCluster({ name: 'cluster drain', given: options.cluster, io: context.io }, async ({ link }) => {
    const { io } = context;
    const stored = await setDrained(link, node, true);
    if (E.isLeft(stored)) return reportError(io, stored.left);
    if (options['no-wait'] === true) {
      io.stdout.write(`Node "${node}" drains. See ${io.program} cluster status.\n`);
      return EXIT.ok;
    }
    return waitUntilEmpty(link, node, options.timeout ?? DEFAULT_DRAIN_SECONDS, context);
  });

/** Resolves to the exit code of `spate cluster resume`. */
export const runResume = (
  { options, positionals: [node = ''] }: Given<(typeof clusterResume)['options']>,
  { io }: CommandContext,
): Promise<number> =>
  withCluster({ name: 'cluster resume', given: options.cluster, io }, async ({ link }) => {
    const stored = await setDrained(link, node, false);
    if (E.isLeft(stored)) return reportError(io, stored.left);
    io.stdout.write(`Node "${node}" takes generators again.\n`);
    return EXIT.ok;
  });

/** Resolves to the exit code of `spate cluster remove`. */
export const runRemove = (
  { options, positionals: [node = ''] }: Given<(typeof clusterRemove)['options']>,
  context: CommandContext,
): Promise<number> =>
  withCluster({ name: 'cluster remove', given: options.cluster, io: context.io }, async (cluster) => {
    const removed = await removeNode(cluster, node, context);
    if (E.isLeft(removed)) return reportError(context.io, removed.left);
    context.io.stdout.write(`Node "${node}" is removed.\n`);
    return EXIT.ok;
  });
