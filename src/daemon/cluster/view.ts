import * as E from 'fp-ts/lib/Either.js';
import {
  DOCUMENT_FORMAT,
  LEASE_FORMAT,
  type LeaseDocument,
  type NodeDocument,
  type ParsedDocument,
  parseOrders,
  parseWanted,
  printClusterDocument,
} from '../../cluster/documents.js';
import {
  generatorKey,
  leaseSubjectOf,
  ordersKey,
  partitionKey,
  startupSubjectOf,
  wantedKey,
} from '../../cluster/keys.js';
import type { Task } from '../../cluster/tasks.js';
import type { Result } from '../../domain/errors.js';
import type { StartupEntry } from '../../domain/generator.js';
import { partitionId, partitionOf } from '../../domain/partitions.js';
import type { Bucket, BucketChange, ClusterLink } from '../../ports/cluster.js';

/** The cluster as this node sees it; filled by the watches. */
export interface ClusterView {
  readonly node: string;
  readonly nodes: Map<string, NodeDocument>;
  readonly leases: Map<string, LeaseDocument>;
  /** What people asked of generators: it wins over `autostart`. */
  readonly wanted: Map<string, 'running' | 'stopped'>;
  /** Generators that Spate stopped until people start them, with the reason. */
  readonly quarantined: Map<string, string>;
  /** Nodes that people drain. */
  readonly drained: Set<string>;
  /** Why this version cannot read the documents of nodes, and of leases by their key. */
  readonly unreadable: {
    readonly nodes: Map<string, string>;
    readonly leases: Map<string, string>;
  };
  /** The startup list. */
  entries: ReadonlyMap<string, StartupEntry>;
  /** The tasks of its entries. */
  tasks: readonly Task[];
}

export const emptyView = (node: string): ClusterView => ({
  node,
  nodes: new Map(),
  leases: new Map(),
  wanted: new Map(),
  quarantined: new Map(),
  drained: new Set(),
  unreadable: { nodes: new Map(), leases: new Map() },
  entries: new Map(),
  tasks: [],
});

/** Puts a document where it belongs; null when it was removed. */
export const noteParsed = <A>(
  key: string,
  parsed: ParsedDocument<A> | null,
  there: Map<string, A>,
  unreadable: Map<string, string>,
): void => {
  unreadable.delete(key);
  if (parsed?.kind === 'valid') there.set(key, parsed.document);
  else there.delete(key);
  if (parsed?.kind === 'newer')
    unreadable.set(key, `has format ${parsed.format}, newer than format ${LEASE_FORMAT} of this version`);
  else if (parsed?.kind === 'invalid') unreadable.set(key, `is damaged: ${parsed.problem}`);
};

/** Lease key of a generator or partition, by the id that its supervisor knows. */
export const leaseKeyOf = (id: string): string => {
  const partition = partitionOf(id);
  return partition === null ? generatorKey(id) : partitionKey(partition.id, partition.index);
};

/** Inverse of `leaseKeyOf`. Returns null for the key of a scenario, and for a text that is no lease key. */
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

/** What people want, in bucket `startup`: which generators run, and which nodes are drained. */
export interface Wanted {
  /** Takes a change that the watch saw; other keys are ignored. */
  readonly note: (change: BucketChange) => void;
  /** `quarantine`: why Spate itself stops it. */
  readonly setGenerator: (
    id: string,
    state: 'running' | 'stopped',
    quarantine?: string,
  ) => Promise<Result<null>>;
  readonly setDrained: (node: string, isWanted: boolean) => Promise<Result<null>>;
}

export const wantedIn = (
  bucket: Bucket,
  view: Pick<ClusterView, 'wanted' | 'quarantined' | 'drained'>,
): Wanted => {
  const noteState = (id: string, value: Uint8Array | null): void => {
    const parsed = value === null ? null : parseWanted(value);
    if (parsed?.kind === 'valid') view.wanted.set(id, parsed.document.state);
    else view.wanted.delete(id);
    const quarantine = parsed?.kind === 'valid' ? parsed.document.quarantine : null;
    if (quarantine === null) view.quarantined.delete(id);
    else view.quarantined.set(id, quarantine);
  };
  const noteOrders = (node: string, value: Uint8Array | null): void => {
    const parsed = value === null ? null : parseOrders(value);
    setMember(view.drained, node, parsed?.kind === 'valid' && parsed.document.drain);
  };
  return {
    note: ({ key, value }) => {
      const subject = startupSubjectOf(key);
      if (subject?.kind === 'wanted') noteState(subject.name, value);
      else if (subject?.kind === 'orders') noteOrders(subject.name, value);
    },
    setGenerator: async (id, state, quarantine) => {
      if (view.wanted.get(id) === state && quarantine === undefined) return E.right(null);
      const document = { format: DOCUMENT_FORMAT, state, quarantine: quarantine ?? null };
      const value = printClusterDocument(document);
      const written = await bucket.write(wantedKey(id), value, null);
      if (E.isLeft(written)) return written;
      noteState(id, value);
      return E.right(null);
    },
    setDrained: async (node, drain) => {
      const written = await bucket.write(
        ordersKey(node),
        printClusterDocument({ format: DOCUMENT_FORMAT, drain }),
        null,
      );
      if (E.isLeft(written)) return written;
      setMember(view.drained, node, drain);
      return E.right(null);
    },
  };
};

const setMember = <A>(set: Set<A>, member: A, isIn: boolean): void => {
  if (isIn) set.add(member);
  else set.delete(member);
};

/** Missing permissions of the NATS user, for people. */
export const deniedTexts = ({ denied }: Pick<ClusterLink, 'denied'>): readonly string[] =>
  denied().map((what) => `NATS does not permit its user to ${what}. Correct the permissions.`);
