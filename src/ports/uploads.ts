import type { Upload } from '../domain/directory.js';
import type { Result } from '../domain/errors.js';

/** Stores content of clients on disk as it arrives, never whole in memory. */
export interface Uploads {
  /**
   * Stores all chunks and syncs them to disk. Stores nothing when it returns an error: `too_large`, `unavailable` when
   * the source fails, `too_many_requests`, or `unwritable`.
   */
  readonly receive: (chunks: AsyncIterable<Uint8Array>, limit_bytes: number) => Promise<Result<Upload>>;
  /** Removes an upload that was not put in place; else does nothing. */
  readonly discard: (upload: Upload) => Promise<void>;
}
