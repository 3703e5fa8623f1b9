import type { Upload } from '../domain/directories/upload.js';
import type { Result } from '../domain/errors.js';

/** Where content from clients goes while it comes in, so that it is never held in memory as a whole. */
export interface Uploads {
  /**
   * Stores everything that `chunks` gives and syncs it to disk. Left, with nothing left behind: `too_large`
   * above the limit, `unavailable` when the source ends with an error, `too_many_requests`, `not_found`
   * (no generators directory), `unwritable`.
   */
  readonly receive: (chunks: AsyncIterable<Uint8Array>, limit_bytes: number) => Promise<Result<Upload>>;
  /** Removes an upload that nobody put in place; fine when somebody did. */
  readonly discard: (upload: Upload) => Promise<void>;
}
