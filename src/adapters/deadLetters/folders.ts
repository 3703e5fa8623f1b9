import { lstat, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import { checkDirectoryName, checkGeneratorId } from '../../domain/identifiers.js';
import { generatorIdOf } from '../../domain/partitions.js';
import type { Clock } from '../../ports/clock.js';
import type {
  DeadLetterFolder,
  DeadLetterFolders,
  DeadLetterQuery,
  DeadLetterRun,
} from '../../ports/deadLetters.js';
import { ioError, isAbsent } from '../files/ioError.js';
import { type DeadLetterFile, deadLetterFileNameOf, keptLimit } from './files.js';
import { runsOf } from './lines.js';
import { deadLetterFilesIn, openDeadLetters, sweepFolder } from './sweep.js';

const RUN = { count: 1_000, bytes: 4 * 1024 * 1024 } as const;

/** `1-file`: position of the output in the config, then its kind. */
const FOLDER = /^([1-9]\d*)-(.+)$/;

/** Valid byte range of a file; `to: null` means its end. */
const extentOf = (
  file: DeadLetterFile,
  files: readonly DeadLetterFile[],
): { readonly from: number; readonly to: number | null } => ({
  from: file.type === 'taken' ? file.done_bytes : 0,
  to: file.type === 'kept' ? keptLimit(files, file.number) : null,
});

/** Returns `otherwise` if a sweep or writer has removed the file. */
const unlessGone = async <A>(run: () => Promise<A>, otherwise: A): Promise<A> => {
  try {
    return await run();
  } catch (thrown) {
    if (isAbsent(thrown)) return otherwise;
    throw thrown;
  }
};

const bytesIn = async (folder: string): Promise<Result<number>> => {
  let bytes = 0;
  try {
    const files = await deadLetterFilesIn(folder);
    for (const file of files) {
      const { from, to } = extentOf(file, files);
      const size = await unlessGone(
        async () => (await lstat(join(folder, deadLetterFileNameOf(file)))).size,
        0,
      );
      bytes += Math.max(0, Math.min(size, to ?? size) - from);
    }
    return E.right(bytes);
  } catch (thrown) {
    return E.left(ioError('unreadable', 'read', folder, thrown));
  }
};

async function* readFolder(folder: string): AsyncGenerator<Result<DeadLetterRun>> {
  let path = folder;
  try {
    const files = await deadLetterFilesIn(folder);
    for (const file of files) {
      path = join(folder, deadLetterFileNameOf(file));
      const opened = await unlessGone(() => openDeadLetters(path), null);
      if (opened === null) continue;
      try {
        const options = { ...extentOf(file, files), next: () => RUN };
        for await (const { deadLetters, torn } of runsOf(opened, options))
          yield E.right({ deadLetters, torn: torn.length });
      } finally {
        await opened.close();
      }
    }
  } catch (thrown) {
    yield E.left(ioError('unreadable', 'read', path, thrown));
  }
}

/** Without links; empty if the folder does not exist. */
const foldersIn = (folder: string): Promise<readonly string[]> =>
  unlessGone(
    async () =>
      (await readdir(folder, { withFileTypes: true })).flatMap((entry) =>
        entry.isDirectory() ? [entry.name] : [],
      ),
    [],
  );

const flawOf = ({ generator, output }: DeadLetterQuery): string | null => {
  const id = generator === null ? null : checkGeneratorId(generatorIdOf(generator));
  if (id !== null) return `The id of a generator ${id.message}.`;
  const name = output === null ? null : checkDirectoryName(output);
  return name === null ? null : `The name of an output ${name.message}.`;
};

const byName = (a: DeadLetterFolder, b: DeadLetterFolder): number =>
  a.generator.localeCompare(b.generator, 'en') || a.number - b.number || a.kind.localeCompare(b.kind, 'en');

/** Dead letters below `root`, which holds a folder per generator with one folder per output. */
export const deadLetterFolders = (root: string, clock: Clock): DeadLetterFolders => {
  const folderNamed = (generator: string, name: string): readonly DeadLetterFolder[] => {
    const [, number, kind] = FOLDER.exec(name) ?? [];
    if (number === undefined || kind === undefined) return [];
    const folder = join(resolve(root), generator, name);
    return [
      {
        generator,
        number: Number(number),
        kind,
        path: folder,
        bytes: () => bytesIn(folder),
        read: () => readFolder(folder),
        sweep: (sweep) => sweepFolder(folder, clock, sweep),
      },
    ];
  };

  const select = async ({ generator, output }: DeadLetterQuery): Promise<readonly DeadLetterFolder[]> => {
    const ids = (await foldersIn(root)).filter(
      (id) => checkGeneratorId(generatorIdOf(id)) === null && (generator === null || id === generator),
    );
    const folders = await Promise.all(
      ids.map(async (id) => (await foldersIn(join(root, id))).flatMap((name) => folderNamed(id, name))),
    );
    return folders
      .flat()
      .filter(
        ({ number, kind }) => output === null || output === `${number}-${kind}` || output === `${number}`,
      )
      .sort(byName);
  };

  const find = async (query: DeadLetterQuery): Promise<Result<readonly DeadLetterFolder[]>> => {
    const flaw = flawOf(query);
    if (flaw !== null) return E.left(failure('invalid', flaw));
    const { generator, output } = query;
    const folders = await select(query);
    if (generator === null || folders.length === 1 || (output === null && folders.length > 0))
      return E.right(folders);
    const named = output === null ? `"${generator}"` : `"${generator}/${output}"`;
    if (folders.length > 1) {
      const names = folders.map(({ number, kind }) => `${generator}/${number}-${kind}`).join(', ');
      return E.left(failure('invalid', `${named} is ambiguous. Name one of ${names}.`));
    }
    const others = (await select({ generator, output: null })).map(({ number, kind }) => `${number}-${kind}`);
    const advice =
      others.length > 0
        ? `Outputs with dead letters: ${others.join(', ')}.`
        : 'See all with spate deadletter list.';
    return E.left(failure('not_found', `There are no dead letters of ${named} in ${root}. ${advice}`));
  };

  return {
    find: async (query) => {
      try {
        return await find(query);
      } catch (thrown) {
        return E.left(ioError('unreadable', 'read', root, thrown));
      }
    },
  };
};
