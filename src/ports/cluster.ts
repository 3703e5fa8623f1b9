import type { Result } from '../domain/errors.js';

/** An entry of a bucket. `revision` rises with each write in the bucket. */
export interface BucketEntry {
  readonly key: string;
  readonly value: Uint8Array;
  readonly revision: number;
}

/** A change of a bucket. `value` is null when the key was removed. */
export interface BucketChange {
  readonly key: string;
  readonly value: Uint8Array | null;
  readonly revision: number;
}

/**
 * Replicated keys and values. Errors are `unavailable` (no answer of the cluster), `too_large`, `precondition_failed`
 * (another value is there, or none).
 */
export interface Bucket {
  /** Returns null when there is no such key. */
  readonly read: (key: string) => Promise<Result<BucketEntry | null>>;
  /**
   * Returns the new revision. `replaces` is the revision of the value to replace, 0 when there must be none, or null
   * for whatever is there.
   */
  readonly write: (key: string, value: Uint8Array, replaces: number | null) => Promise<Result<number>>;
  /** `replaces` is the revision of the value to remove, or null for whatever is there. */
  readonly remove: (key: string, replaces: number | null) => Promise<Result<null>>;
  /**
   * Gives all entries, then every change in order, over reconnects too, until the signal ends. Returns null after the
   * entries that were there when the watch began, or an error when it cannot begin.
   */
  readonly watch: (onChange: (change: BucketChange) => void, signal: AbortSignal) => Promise<Result<null>>;
}

/** A generator directory in the cluster. `digest`: of its files, as the writer gave it. */
export interface ArchiveInfo {
  readonly name: string;
  readonly digest: string;
  readonly revision: number;
}

interface ArchiveListener {
  /** `null` info: the archive was removed. */
  readonly onChange: (name: string, info: ArchiveInfo | null) => void;
  /** The servers lost the archive: nobody removed it. */
  readonly onWiped: (name: string) => void;
}

/** Replicated archives of any size. Errors are those of buckets, and `unreadable` for missing or damaged content. */
export interface Archives {
  readonly list: () => Promise<Result<readonly ArchiveInfo[]>>;
  readonly read: (
    name: string,
  ) => Promise<Result<{ readonly info: ArchiveInfo; readonly content: Uint8Array } | null>>;
  /** `replaces` is the revision of the archive to replace, 0 when there must be none. */
  readonly write: (
    name: string,
    content: Uint8Array,
    digest: string,
    replaces: number,
  ) => Promise<Result<ArchiveInfo>>;
  readonly remove: (name: string, replaces: number) => Promise<Result<null>>;
  /** As `Bucket.watch`. */
  readonly watch: (listener: ArchiveListener, signal: AbortSignal) => Promise<Result<null>>;
}

/** Answer to a call: its head, and the stream that follows, if any. */
export interface CallAnswer {
  readonly head: Uint8Array;
  /** The receiver reads it to the end or calls `return` of its iterator. */
  readonly stream: AsyncIterable<Uint8Array> | null;
}

/** Calls between nodes; heads and requests may have any size up to 64 MiB. */
export interface NodeCalls {
  /** Answers calls to this node until the signal ends. The handler never rejects. */
  readonly serve: (
    node: string,
    handler: (request: Uint8Array) => Promise<CallAnswer>,
    signal: AbortSignal,
  ) => void;
  /** Calls a node. Errors are `unavailable` (no such node is connected, or it went away) and `timed_out`. */
  readonly call: (node: string, request: Uint8Array, timeout_ms: number) => Promise<Result<CallAnswer>>;
}

/** A node's link to its cluster. */
export interface ClusterLink {
  /** Key: node. */
  readonly nodes: Bucket;
  /** The startup list, and what people want of nodes and generators. */
  readonly startup: Bucket;
  readonly leases: Bucket;
  readonly globals: Bucket;
  readonly checkpoints: Bucket;
  /** Generator directories by name. */
  readonly configs: Archives;
  readonly calls: NodeCalls;
  readonly isConnected: () => boolean;
  /** What the user of the connection is not permitted, for example `publish to "a.b"`. */
  readonly denied: () => readonly string[];
  /** Operations on buckets and archives since the start. */
  readonly operations: () => { readonly reads: number; readonly writes: number };
  readonly close: () => Promise<void>;
}
