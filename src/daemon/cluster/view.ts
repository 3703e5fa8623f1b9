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
  type WantedDocument,
} from '../../cluster/documents.js';
import { ordersKey, startupSubjectOf, wantedKey } from '../../cluster/keys.js';
import type { Task } from '../../cluster/tasks.js';
import type { Result } from '../../domain/errors.js';
import type { StartupEntry } from '../../domain/generator.js';
import { generatorIdOf } from '../../domain/partitions.js';
import type { Bucket, BucketChange, ClusterLink } from '../../ports/cluster.js';

/** The cluster as this node sees it; filled by the watches. */
export type ClusterView = ReturnType<typeof emptyView>;

export const emptyView = (node: string) => ({
  node,
  nodes: new Map<string, NodeDocument>(),
  leases: new Map<string, LeaseDocument>(),
  /** What people asked of generators, or Spate in quarantine: it wins over `autostart`. */
  wanted: new Map<string, WantedDocument>(),
  /** Nodes that people drain. */
  drained: new Set<string>(),
  /** Why this version cannot read the documents of nodes, and of leases by their key. */
  unreadable: { nodes: new Map<string, string>(), leases: new Map<string, string>() },
  /** The startup list. */
  entries: new Map<string, StartupEntry>(),
  /** The tasks of its entries. */
  tasks: [] as readonly Task[],
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

/** Whether a generator of the list should run. */
export const shouldRun = ({ wanted, entries }: ClusterView, entry: string): boolean => {
  const asked = wanted.get(entry);
  return asked === undefined ? entries.get(entry)?.autostart === true : asked.state === 'running';
};

/** Why Spate stopped a generator until people start it. Undefined when it did not; `id` is also that of a partition. */
export const quarantineOf = ({ wanted }: Pick<ClusterView, 'wanted'>, id: string): string | undefined =>
  wanted.get(generatorIdOf(id))?.quarantine ?? undefined;

export type Wanted = ReturnType<typeof wantedIn>;

/** What people want, in bucket `startup`: which generators run, and which nodes are drained. */
export const wantedIn = (bucket: Bucket, view: Pick<ClusterView, 'wanted' | 'drained'>) => {
  const noteState = (id: string, value: Uint8Array | null): void => {
    const parsed = value === null ? null : parseWanted(value);
    if (parsed?.kind === 'valid') view.wanted.set(id, parsed.document);
    else view.wanted.delete(id);
  };
  const noteOrders = (node: string, value: Uint8Array | null): void => {
    const parsed = value === null ? null : parseOrders(value);
    if (parsed?.kind === 'valid' && parsed.document.drain) view.drained.add(node);
    else view.drained.delete(node);
  };
  return {
    /** Takes a change that the watch saw; other keys are ignored. */
    note: ({ key, value }: Pick<BucketChange, 'key' | 'value'>): void => {
      const subject = startupSubjectOf(key);
      if (subject?.kind === 'wanted') noteState(subject.name, value);
      else if (subject?.kind === 'orders') noteOrders(subject.name, value);
    },
    /** `quarantine`: why Spate itself stops it. */
    setGenerator: async (
      id: string,
      state: 'running' | 'stopped',
      quarantine: string | null = null,
    ): Promise<Result<null>> => {
      if (view.wanted.get(id)?.state === state && quarantine === null) return E.right(null);
      const value = printClusterDocument({ format: DOCUMENT_FORMAT, state, quarantine });
      const written = await bucket.write(wantedKey(id), value, null);
      if (E.isLeft(written)) return written;
      noteState(id, value);
      return E.right(null);
    },
    setDrained: async (node: string, drain: boolean): Promise<Result<null>> => {
      const value = printClusterDocument({ format: DOCUMENT_FORMAT, drain });
      const written = await bucket.write(ordersKey(node), value, null);
      if (E.isLeft(written)) return written;
      noteOrders(node, value);
      return E.right(null);
    },
  };
};

/** Missing permissions of the NATS user, for people. */
export const deniedTexts = ({ denied }: Pick<ClusterLink, 'denied'>): readonly string[] =>
  denied().map((what) => `NATS does not permit its user to ${what}. Correct the permissions.`);
