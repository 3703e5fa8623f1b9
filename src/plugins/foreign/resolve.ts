import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';

const ENTRY = 'package.json';
/** Conditions of `exports` that apply, besides those of the object's order. */
const CONDITIONS: ReadonlySet<string> = new Set(['spate', 'node', 'import', 'default']);

type Stat = 'file' | 'folder' | null;

const statOf = (path: string): Stat => {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() === true) return 'file';
  return stats?.isDirectory() === true ? 'folder' : null;
};

/** Returns the file of the first condition that applies, or null when none does. */
const targetOf = (target: unknown): string | null => {
  if (typeof target === 'string') return target;
  if (typeof target !== 'object' || target === null) return null;
  if (Array.isArray(target)) return target.map(targetOf).find((one) => one !== null) ?? null;
  for (const [condition, inner] of Object.entries(target)) {
    const found = CONDITIONS.has(condition) ? targetOf(inner) : null;
    if (found !== null) return found;
  }
  return null;
};

const hasSubpaths = (target: unknown): target is Readonly<Record<string, unknown>> =>
  typeof target === 'object' && target !== null && Object.keys(target).some((key) => key.startsWith('.'));

/** Returns the main file of the package in a folder, or an error that says why there is none. */
const mainFile = (folder: string): E.Either<string, string> => {
  let description: unknown;
  const path = join(folder, ENTRY);
  try {
    // Reading a pipe would block the start.
    description = statOf(path) === 'file' ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  } catch {
    description = undefined;
  }
  if (typeof description !== 'object' || description === null)
    return E.left(`${path} cannot be read. Correct it or name the file of the plugin`);
  const { exports, main } = description as { readonly exports?: unknown; readonly main?: unknown };
  const named =
    exports === undefined
      ? (targetOf(main) ?? 'index.js')
      : targetOf(hasSubpaths(exports) ? exports['.'] : exports);
  const file = named === null ? null : resolve(folder, named);
  return file !== null && statOf(file) === 'file'
    ? E.right(file)
    : E.left(
        `the package in ${folder} has no main file${named === null ? '' : ` ${named}`}. Build or correct it`,
      );
};

const foldersAbove = (folder: string): readonly string[] => {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
};

/** Whether an entry names a file or folder, not a package. */
const isPath = (entry: string): boolean => /^(\.{1,2}(\/|$)|\/)/.test(entry);

const PACKAGE = /^(@[\w.~-]+\/)?[\w~-][\w.~-]*$/;

/**
 * File of an entry of `plugins`: a path relative to `folder`, or a package that is installed for it or for Spate.
 * Returns an error that says why there is none and what to do.
 */
export const resolvePlugin = (entry: string, folder: string, ownFolder: string): E.Either<string, string> => {
  if (isPath(entry)) {
    const path = resolve(folder, entry);
    const stat = statOf(path);
    if (stat === 'folder') return mainFile(path);
    return stat === 'file' ? E.right(path) : E.left(`${path} does not exist. Create it or correct the path`);
  }
  if (!PACKAGE.test(entry))
    return E.left('it is neither a path nor the name of a package. Start a path with ./');
  const places = [...foldersAbove(folder), ...foldersAbove(ownFolder)].map((place) =>
    join(place, 'node_modules', entry),
  );
  const found = places.find((place) => statOf(place) === 'folder');
  if (found !== undefined) return mainFile(found);
  const hint = /\.[cm]?[jt]s$/.test(entry)
    ? `Write ./${entry} for a file`
    : `Install it in ${folder} with npm install ${entry}`;
  return E.left(`no package has this name in ${join(folder, 'node_modules')} or a folder above. ${hint}`);
};
