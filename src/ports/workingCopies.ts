import type { Result } from '../domain/errors.js';

/** A generator directory as one archive. */
export interface PackedDirectory {
  /** A gzipped tar archive. */
  readonly content: Uint8Array;
  /** Digest of paths and contents. The same files have the same digest on every node. */
  readonly digest: string;
}

/**
 * Copies of the generator directories of a cluster in the generators directory of a node. `out/` of each is the node's
 * own, for files that outputs write; everything else is shared.
 */
export interface WorkingCopies {
  /** Packs a directory. Returns null when there is no such directory. `too_large` is another error. */
  readonly pack: (name: string) => Promise<Result<PackedDirectory | null>>;
  /** Makes the shared files those of the archive. Returns paths that changed. `unreadable` means a bad archive. */
  readonly apply: (name: string, content: Uint8Array) => Promise<Result<readonly string[]>>;
  /** Removes the shared files; files of the node's own stay. */
  readonly remove: (name: string) => Promise<Result<null>>;
}
