/** A generator directory as the list shows it. */
export interface DirectoryInfo {
  readonly name: string;
  /** Sum of the sizes of the regular files below, links not followed. */
  readonly size_in_bytes: number;
  /** Newest modification time of the directory and its files, epoch seconds. */
  readonly last_modified: number;
  readonly generator_ids: readonly string[];
}

/** One entry of a generator directory; `children` is empty for files and links. */
export interface FileNode {
  readonly name: string;
  readonly is_dir: boolean;
  readonly children: readonly FileNode[];
}
