export interface DirectoryInfo {
  readonly name: string;
  /** Sum of the sizes of the regular files below, links not followed. */
  readonly size_in_bytes: number;
  /** Newest modification time of the directory and its files, epoch seconds. */
  readonly last_modified: number;
  readonly generator_ids: readonly string[];
}

export interface FileContent {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly size_bytes: number;
  /** Strong entity tag, quoted. */
  readonly etag: string;
  /** Whether it begins with valid UTF-8 text. */
  readonly isText: boolean;
}

/** Uses of `globals` in the templates of a directory, one item per occurrence; `template`: path relative to it. */
export interface GlobalsUsageReport {
  readonly writes: readonly { readonly key: string; readonly template: string }[];
  readonly reads: readonly { readonly key: string; readonly template: string }[];
  /** `dynamic_key`: a key known only at run time; `update_call`: several keys at once. */
  readonly warnings: readonly { readonly type: 'dynamic_key' | 'update_call'; readonly template: string }[];
}

/** One entry of a generator directory; `children` is empty for files and links. */
export interface FileNode {
  readonly name: string;
  readonly is_dir: boolean;
  readonly children: readonly FileNode[];
}
