/** Everything of a node of a cluster; loaded only with `--cluster`. */

import { sep } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../../actors/ask.js';
import type { ClusterMessage } from '../../../actors/cluster.js';
import { workingCopies } from '../../adapters/directories/workingCopies.js';
import { cpuSeconds } from '../../adapters/processes/machine.js';
import { systemClock } from '../../adapters/systemClock.js';
import type { NodeLoad } from '../../cluster/documents.js';
import { shownPath } from '../../config/startup/entry.js';
import type { GenerationParams, StartupEntry } from '../../domain/generator.js';
import { generatorIdOf, partitionIds } from '../../domain/partitions.js';
import type { BoardRow } from '../../domain/stats/board.js';
import { readStat } from '../../domain/stats/stats.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { answerCalls } from './calls.js';
import { readClusterFile } from './clusterFile.js';
import { type ClusterNode, openNode } from './node.js';
import { clusterAnswers, clusterInfo, problemsById, stateAge } from './report.js';
import { routedAsk } from './routedAsk.js';

export interface JoinOptions {
  /** Absolute path of `cluster.yml`. */
  readonly clusterFile: string;
  readonly generators_dir: string;
  /** State folder, null when its lock is not held. */
  readonly lockedState: string | null;
  readonly version: string;
  /** Defaults of startup entries now; a reload changes them. */
  readonly generation: () => GenerationParams;
  /** Address of the API. Null when there is none, or none yet. */
  readonly url: () => string | null;
  /** Generators that are registered here. */
  readonly rows: () => ReadonlyMap<string, BoardRow>;
  /** Asks the actors of this node; called once the root actor runs. */
  readonly ask: AskActor;
  readonly send: (message: ClusterMessage) => void;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const every = (ms: number, run: () => void): (() => void) => {
  let stop = (): void => {};
  const next = (): void => {
    stop = systemClock.after(ms, () => {
      run();
      next();
    });
  };
  next();
  return () => stop();
};

const isIn = (folder: string, { path }: StartupEntry): boolean => path.startsWith(`${folder}${sep}`);

/** Links this service to its cluster; it takes generators once the actor of the cluster runs. */
export const joinCluster = async (options: JoinOptions) => {
  const file = await readClusterFile(options.clusterFile);
  if (E.isLeft(file)) return file;
  const { generators_dir, ask, log, signal } = options;
  const view = (): ClusterNode['view'] | null => (E.isRight(opened) ? opened.right.view : null);
  const isLocal = (id: string): boolean => view()?.entries.has(generatorIdOf(id)) === false;
  const load = nodeLoad(options.rows, cpuSeconds, systemClock);
  let opened: Awaited<ReturnType<typeof openNode>> = E.left({ code: 'unavailable', message: '' });
  opened = await openNode({
    file: file.right,
    copies: workingCopies(generators_dir),
    lockedState: options.lockedState,
    generation: options.generation,
    log,
    ask,
    send: options.send,
    describe: () => ({
      version: options.version,
      api: options.url(),
      load: load(),
      local: [...options.rows().keys()].filter(isLocal),
    }),
    entriesIn: (directory) =>
      [...(view()?.entries.values() ?? [])]
        .filter((entry) => isIn(`${generators_dir}${sep}${directory}`, entry))
        .map(({ id }) => id),
    signal,
  });
  if (E.isLeft(opened)) return opened;
  const node = opened.right;
  node.link.calls.serve(node.view.node, answerCalls(ask), signal);
  return E.right({
    ...node,
    place: { cluster: file.right.name, node: node.view.node },
    answers: clusterAnswers(file.right, node),
    partsOf: (id: string): readonly string[] => {
      const entry = node.view.entries.get(id);
      return entry === undefined || entry.partitions === 1 ? [] : partitionIds(entry);
    },
    info: () => clusterInfo(file.right, node),
    /** Seconds since this node lost the cluster. Null while it has it. */
    stateAge: (): number | null => (node.link.isConnected() ? null : stateAge(node)),
    routed: routedAsk({
      local: ask,
      node,
      shownPath: shownPath(generators_dir),
      problems: () => problemsById(node),
      every,
    }),
    /** Gives everything back; resolves when other nodes may take it. */
    leave: (): Promise<void> =>
      new Promise((resolve) => options.send({ type: 'cluster.leave', reply: resolve })),
    close: node.link.close,
  });
};

export type JoinedCluster = Extract<Awaited<ReturnType<typeof joinCluster>>, E.Right<unknown>>['right'];

const RUNNING: ReadonlySet<string> = new Set(['running', 'draining']);

/** Load of this node since the last call. */
const nodeLoad = (
  rows: () => ReadonlyMap<string, BoardRow>,
  cpuSeconds: () => number,
  clock: Pick<Clock, 'monotonicMs'>,
): (() => NodeLoad) => {
  let before = new Map<string, number>();
  let beforeMs = clock.monotonicMs();
  let usedBefore = cpuSeconds();
  return () => {
    const running = [...rows()].filter(([, { phase }]) => RUNNING.has(phase));
    const now = new Map(
      running.map(([id, { stats }]) => [id, stats === null ? 0 : readStat(stats, 'produced')]),
    );
    const nowMs = clock.monotonicMs();
    // A generator that was started anew counts from 0.
    const made = [...now].reduce((sum, [id, count]) => {
      const last = before.get(id) ?? 0;
      return sum + (count >= last ? count - last : count);
    }, 0);
    const seconds = Math.max(0.001, (nowMs - beforeMs) / 1_000);
    const used = cpuSeconds();
    const cpu = (used - usedBefore) / seconds;
    usedBefore = used;
    before = now;
    beforeMs = nowMs;
    return {
      generators: running.length,
      events_per_second: Math.round(made / seconds),
      cpu: Math.round(cpu * 100) / 100,
    };
  };
};
