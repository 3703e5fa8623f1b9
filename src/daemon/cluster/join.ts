/** Everything of a node of a cluster; loaded only with `--cluster`. */

import * as E from 'fp-ts/lib/Either.js';
import { cpuSeconds } from '../../adapters/processes/machine.js';
import { machineMs, systemClock } from '../../adapters/systemClock.js';
import type { NodeLoad } from '../../cluster/documents.js';
import { shownPath } from '../../config/startup/entry.js';
import { partitionIds } from '../../domain/partitions.js';
import type { BoardRow } from '../../domain/stats/board.js';
import { readStat } from '../../domain/stats/stats.js';
import { makeTicker } from '../../http/streams/lasting.js';
import { answerCalls } from './calls.js';
import { readClusterFile } from './clusterFile.js';
import { type JoinOptions, openNode } from './node.js';
import { clusterAnswers, clusterInfo, stateAge } from './report.js';
import { routedAsk } from './routedAsk.js';

/** How often a merged stream looks for nodes that joined and generators that moved. */
const LOOK_EVERY_MS = 2_000;

/** Links this service to its cluster; it takes generators once the actor of the cluster runs. */
export const joinCluster = async (options: JoinOptions) => {
  const file = await readClusterFile(options.clusterFile);
  if (E.isLeft(file)) return file;
  const { generators_dir, ask, signal } = options;
  const opened = await openNode({ ...options, file: file.right, load: nodeLoad(options.rows) });
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
      every: makeTicker(systemClock, LOOK_EVERY_MS).on,
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
const nodeLoad = (rows: () => ReadonlyMap<string, BoardRow>): (() => NodeLoad) => {
  let before = new Map<string, number>();
  let beforeMs = machineMs();
  let usedBefore = cpuSeconds();
  return () => {
    const running = [...rows()].filter(([, { phase }]) => RUNNING.has(phase));
    const now = new Map(
      running.map(([id, { stats }]) => [id, stats === null ? 0 : readStat(stats, 'produced')]),
    );
    const nowMs = machineMs();
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
