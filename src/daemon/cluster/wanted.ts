import * as E from 'fp-ts/lib/Either.js';
import { DOCUMENT_FORMAT, parseOrders, parseWanted, printDocument } from '../../cluster/documents.js';
import { ordersKey, startupSubjectOf, wantedKey } from '../../cluster/keys.js';
import type { Result } from '../../domain/errors.js';
import type { Bucket, BucketChange } from '../../ports/cluster.js';
import type { ClusterView } from './view.js';

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

const setMember = <A>(set: Set<A>, member: A, isIn: boolean): void => {
  if (isIn) set.add(member);
  else set.delete(member);
};

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
      const value = printDocument(document);
      const written = await bucket.write(wantedKey(id), value, null);
      if (E.isLeft(written)) return written;
      noteState(id, value);
      return E.right(null);
    },
    setDrained: async (node, drain) => {
      const written = await bucket.write(
        ordersKey(node),
        printDocument({ format: DOCUMENT_FORMAT, drain }),
        null,
      );
      if (E.isLeft(written)) return written;
      setMember(view.drained, node, drain);
      return E.right(null);
    },
  };
};
