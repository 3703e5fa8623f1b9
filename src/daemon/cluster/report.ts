import * as E from 'fp-ts/lib/Either.js';
import type { LocalAnswers } from '../../../actors/ask.js';
import { machineMs } from '../../adapters/systemClock.js';
import { scenarioKey } from '../../cluster/keys.js';
import { type Unit, unitsOf } from '../../cluster/units.js';
import type { ClusterFile } from '../../config/cluster/cluster.js';
import { failure, type Result } from '../../domain/errors.js';
import { partitionId } from '../../domain/partitions.js';
import type { ClusterInfo, ClusterNodeInfo, ClusterUnit, NodePhase } from '../../messages/cluster.js';
import type { ClusterNode } from './node.js';

type Node = Pick<ClusterNode, 'link' | 'view' | 'member' | 'wanted'>;

const MS_PER_SECOND = 1_000;

const ownPhase = ({ link, member }: Node): NodePhase => {
  if (!link.isConnected()) return 'isolated';
  const { phase } = member.report();
  return phase === 'gone' ? 'leaving' : phase;
};

/** Seconds since this node last saw a beat of any node, its own included. */
export const stateAge = ({ view }: Pick<Node, 'view'>): number => {
  const seen = [...view.nodes.values()].map(({ seenMs }) => seenMs);
  return seen.length === 0 ? 0 : Math.max(0, Math.round((machineMs() - Math.max(...seen)) / MS_PER_SECOND));
};

/** Nodes as this one sees them; one that was silent for a lease is lost. */
const nodeInfos = (node: Node, lease_ms: number): readonly ClusterNodeInfo[] => {
  const { view } = node;
  return [...view.nodes]
    .map(([name, { document, seenMs }]): ClusterNodeInfo => {
      const silence = machineMs() - seenMs;
      const { api, version, capacity, labels, load, draining, refused } = document;
      const others = draining ? 'draining' : 'member';
      const seen = silence >= lease_ms ? 'lost' : others;
      return {
        name,
        phase: name === view.node ? ownPhase(node) : seen,
        api,
        version,
        capacity,
        labels,
        ...load,
        seen_seconds_ago: Math.round(silence / MS_PER_SECOND),
        is_drained: view.drained.has(name),
        refused,
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
};

const unitInfo =
  ({ view, member }: Node, scenariosOf: (unit: Unit) => readonly string[]) =>
  (unit: Unit): ClusterUnit => {
    const node = member.holderOf(unit.name);
    const owner = member.ownerOf(unit.name);
    const nobody =
      owner === null
        ? 'no node can take it: each one is lost, drained, without its labels, or refuses it'
        : `node "${owner}" is about to take it`;
    return {
      name: unit.name,
      generator_ids: unit.generators.map(({ id, partition }) =>
        partition === null ? id : partitionId(id, partition),
      ),
      scenarios: scenariosOf(unit),
      node,
      owner,
      since: node === null ? null : (view.leases.get(unit.name)?.since ?? null),
      problem: unit.problem ?? (node === null ? nobody : null),
    };
  };

const scenariosByKey = ({ view }: Node): ReadonlyMap<string, string> =>
  new Map(
    [...view.entries.values()].flatMap(({ scenarios }) => scenarios.map((name) => [scenarioKey(name), name])),
  );

export const clusterInfo = (file: ClusterFile, node: Node): ClusterInfo => {
  const { link, view, member } = node;
  const { takeovers, takeover_ms, moves, isolations } = member.report();
  const { reads, writes } = link.operations();
  const names = scenariosByKey(node);
  const scenariosOf = ({ keys }: Unit): readonly string[] => keys.flatMap((key) => names.get(key) ?? []);
  return {
    name: file.name,
    node: view.node,
    phase: ownPhase(node),
    is_connected: link.isConnected(),
    state_age_seconds: stateAge(node),
    lease_seconds: file.lease,
    nodes: nodeInfos(node, file.lease * MS_PER_SECOND),
    units: unitsOf([...view.entries.values()]).map(unitInfo(node, scenariosOf)),
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

type ClusterAnswers = Pick<LocalAnswers, 'cluster.read' | 'cluster.drain'>;

/** Answers of a node. */
export const clusterAnswers = (file: ClusterFile, node: Node): ClusterAnswers => ({
  'cluster.read': () => E.right(clusterInfo(file, node)),
  'cluster.drain': async ({ node: name, drain }): Promise<Result<null>> => {
    if (node.view.nodes.has(name) || node.view.drained.has(name)) return node.wanted.setDrained(name, drain);
    const known = [...node.view.nodes.keys()].sort().join(', ');
    return E.left(failure('not_found', `there is no node "${name}"; the cluster has ${known}`));
  },
});
