import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { LibraryRequests } from '../../src/messages/library.js';
import type { GeneratorDirectories } from '../../src/ports/files.js';
import type { CopyTarget, Library } from '../../src/ports/library.js';

export interface LibraryOptions {
  readonly directories: Pick<GeneratorDirectories, 'create' | 'shownPath'>;
  readonly library: Pick<Library, 'list' | 'read' | 'texts' | 'copy'>;
  readonly targetOf: (name: string) => CopyTarget;
}

type Payload<K extends keyof LibraryRequests> = LibraryRequests[K]['payload'];

/** Requests for ready-made generators. */
export const libraryCopies = ({ directories, library, targetOf }: LibraryOptions) => ({
  list: pipe(
    library.list,
    TE.map(({ items }) => items),
  ),
  read: ({ name }: Payload<'library.read'>) =>
    pipe(
      () => library.read(name),
      TE.bindTo('item'),
      TE.bind('files', () => () => library.texts(name)),
      TE.map(({ item, files }) => ({ ...item, files })),
    )(),
  copy: ({ library: from, name }: Payload<'library.copy'>) =>
    pipe(
      () => library.copy(from, targetOf(name)),
      TE.chain((files) => () => directories.create(name, files)),
      TE.chain(() => () => directories.shownPath(name)),
      TE.map((path) => ({ name, path })),
    )(),
});
