/** Content of a client, complete and synced to disk in a temporary file. */
export interface Upload {
  /** Absolute path; removed once the content is put in place or discarded. */
  readonly file: string;
  readonly size_bytes: number;
  /** Aborted when the client has left: nobody reads the answer. */
  readonly gone?: AbortSignal;
}
