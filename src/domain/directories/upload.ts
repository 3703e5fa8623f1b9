/** Content that a client sent, whole and safe on the disk, in a temporary file that waits to be put in place. */
export interface Upload {
  /** Absolute path; it is gone once the content was put in place or thrown away. */
  readonly file: string;
  readonly size_bytes: number;
}
