import type { Readable } from 'node:stream';
import type { DirectoryInfo, FileNode } from '../domain/directory.js';
import type { Json } from '../domain/json.js';

/** Requests to the keeper of the generators directory, the single writer of generator configs. */
export interface ConfigRequests {
  'configs.list': {
    payload: { readonly extended: boolean };
    answer: readonly (DirectoryInfo | Pick<DirectoryInfo, 'name'>)[];
  };
  'configs.create': { payload: { readonly name: string; readonly config: Json }; answer: null };
  'configs.read': { payload: { readonly name: string }; answer: Json };
  'configs.update': { payload: { readonly name: string; readonly config: Json }; answer: null };
  'configs.tree': { payload: { readonly name: string }; answer: readonly FileNode[] };
  /** A ZIP archive that is written while it is read. */
  'configs.export': {
    payload: { readonly name: string; readonly exclude: readonly string[] };
    answer: Readable;
  };
}
