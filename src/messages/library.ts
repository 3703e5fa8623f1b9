import type { LibraryItem, LibraryText } from '../domain/library.js';

/** Requests for ready-made generators; the writer of the generators directory makes the copies. */
export interface LibraryRequests {
  'library.list': { payload: null; answer: readonly LibraryItem[] };
  'library.read': {
    payload: { readonly name: string };
    answer: LibraryItem & { readonly files: readonly LibraryText[] };
  };
  /** `path`: of the new config, relative to the generators directory. */
  'library.copy': {
    payload: { readonly library: string; readonly name: string };
    answer: { readonly name: string; readonly path: string };
  };
}
