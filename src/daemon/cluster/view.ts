import type { LeaseDocument, NodeDocument } from '../../cluster/documents.js';
import { generatorKey, leaseSubjectOf, partitionKey } from '../../cluster/keys.js';
import type { StartupEntry } from '../../domain/generator.js';
import { partitionId, partitionOf } from '../../domain/partitions.js';

/** The cluster as this node sees it; filled by the watches. */
export interface ClusterView {
  readonly node: string;
  readonly nodes: Map<string, { readonly document: NodeDocument; readonly seenMs: number }>;
  readonly leases: Map<string, LeaseDocument>;
  /** What people asked of generators: it wins over `autostart`. */
  readonly wanted: Map<string, 'running' | 'stopped'>;
  /** Nodes that people drain. */
  readonly drained: Set<string>;
  /** The startup list. */
  entries: ReadonlyMap<string, StartupEntry>;
}

export const emptyView = (node: string): ClusterView => ({
  node,
  nodes: new Map(),
  leases: new Map(),
  wanted: new Map(),
  drained: new Set(),
  entries: new Map(),
});

/** Lease key of a generator or partition, by the id that its supervisor knows. */
export const leaseKeyOf = (id: string): string => {
  const partition = partitionOf(id);
  return partition === null ? generatorKey(id) : partitionKey(partition.id, partition.index);
};

/** Inverse of `leaseKeyOf`; `null`: the key of a scenario, or none. */
export const generatorOfKey = (key: string): { readonly id: string; readonly entry: string } | null => {
  const subject = leaseSubjectOf(key);
  if (subject === null || subject.kind === 'scenario') return null;
  if (subject.kind === 'generator') return { id: subject.id, entry: subject.id };
  return { id: partitionId(subject.id, subject.index), entry: subject.id };
};

/** Whether a generator of the list should run. */
export const shouldRun = ({ wanted, entries }: ClusterView, entry: string): boolean => {
  const asked = wanted.get(entry);
  return asked === undefined ? entries.get(entry)?.autostart === true : asked === 'running';
};
