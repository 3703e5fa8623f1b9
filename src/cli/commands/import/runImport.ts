import { realpath } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { isBelow } from '../../../adapters/files/folder.js';
import { invalid } from '../../../config/report.js';
import { failure, type Result } from '../../../domain/errors.js';
import { plural } from '../../../domain/text/shown.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { problemLines, reportError, usageError } from '../../report.js';
import { EXIT } from '../../terminal/io.js';
import { escapeControls } from '../../terminal/text.js';
import { emptyFolder, INSTANCE_IGNORES, SETTINGS_FILE } from '../newInstance.js';
import { validate } from '../validate/validate.js';
import type { importOptions } from './eventum.js';
import { type ImportedGenerators, readGenerators, writeGenerators } from './generators.js';
import { type Difference, openInstallation } from './installation.js';
import { settingsFromEventum } from './settings.js';
import { startupFromEventum } from './startup.js';

const STARTUP_FILE = 'startup.yml';

/** All that the new folder will hold, and what is different. */
interface Import {
  readonly folder: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly generators: ImportedGenerators;
  readonly differences: readonly Difference[];
}

const hashOf = async (password: string): Promise<string> => {
  // Lazy: other commands start faster without it.
  const { newPasswordHash } = await import('../../../daemon/newPasswordHash.js');
  return newPasswordHash(password);
};

/** Reads the installation as a whole, so that a mistake in it leaves nothing half imported. */
const readImport = async (path: string, cwd: string): Promise<Result<Import>> => {
  const opened = await openInstallation(path, cwd);
  if (E.isLeft(opened)) return opened;
  const installation = opened.right;
  const { folder, settings } = installation;
  const shownFolder = join(settings.file, '..', relative(folder, installation.generators));
  const generators = await readGenerators(installation, shownFolder);
  if (E.isLeft(generators)) return generators;
  const own = await settingsFromEventum(installation, hashOf);
  const startup = startupFromEventum(installation, generators.right.globalsUsed);
  return E.right({
    folder,
    texts: { [SETTINGS_FILE]: own.text, [STARTUP_FILE]: startup.text, '.gitignore': INSTANCE_IGNORES },
    generators: generators.right,
    differences: [
      ...installation.differences,
      ...own.differences,
      ...startup.differences,
      ...generators.right.differences,
    ],
  });
};

const writeImport = async (
  { texts, generators }: Import,
  out: string,
  shown: string,
): Promise<Result<void>> => {
  const empty = await emptyFolder(out, shown);
  if (E.isLeft(empty)) return empty;
  const copied = await writeGenerators(generators, join(out, 'generators'));
  if (E.isLeft(copied)) return copied;
  for (const [name, text] of Object.entries(texts)) {
    const written = await nodeFiles.replaceText(join(out, name), text);
    if (E.isLeft(written)) return written;
  }
  return E.right(undefined);
};

/** One line for each difference, by file in the order in which they were read. */
const printDifferences = (differences: readonly Difference[], { io }: CommandContext): void => {
  for (const file of new Set(differences.map((one) => one.file))) {
    const issues = differences.filter((one) => one.file === file).map(({ issue }) => issue);
    for (const line of problemLines(invalid(file, issues))) io.stdout.write(`${escapeControls(line)}\n`);
  }
};

/** A real path that need not exist yet: that of its nearest folder, and the rest. */
const realFolder = async (path: string): Promise<string> => {
  const real = await realpath(path).catch(() => null);
  const parent = resolve(path, '..');
  return real ?? (parent === path ? path : join(await realFolder(parent), basename(path)));
};

export const runImport = async (
  { positionals: [path = ''], options: { out } }: Given<typeof importOptions>,
  context: CommandContext,
): Promise<number> => {
  const { io } = context;
  if (path === '') return usageError(io, 'import eventum', 'DIR must not be empty');
  if (out === '') return usageError(io, 'import eventum', '--out must not be empty');
  const found = await readImport(path, io.cwd);
  if (E.isLeft(found)) return reportError(io, found.left);
  const { folder, differences } = found.right;
  const target = resolve(io.cwd, out ?? `${basename(folder)}-spate`);
  const shown = relative(io.cwd, target) || '.';
  const real = await realFolder(target);
  if (real === folder || isBelow(folder, real))
    return reportError(
      io,
      failure('invalid', `${shown} is inside of ${path}. Choose another folder with --out.`),
    );
  const written = await writeImport(found.right, target, shown);
  if (E.isLeft(written)) return reportError(io, written.left);
  printDifferences(differences, context);
  io.stdout.write(
    `Created ${shown}. ${differences.length === 0 ? 'Nothing is different' : `${plural(differences.length, 'difference')} above`}; docs/from-eventum.md has the general ones.\n`,
  );
  const code = await validate.run(
    { positionals: [shown], options: { plugin: undefined, config: undefined, 'no-files': undefined } },
    context,
  );
  const next = code === EXIT.ok ? 'Next' : 'Mend what is listed, then';
  io.stdout.write(`${next}: ${io.program} run -c ${join(shown, SETTINGS_FILE)}\n`);
  return code;
};
