import type { FileNode } from '../../../domain/directory.js';

/** One line of the file tree. */
export interface TreeRow {
  /** Relative to the generator directory, with slashes. */
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  readonly isFolder: boolean;
}

/** The lines of a tree from top to bottom; closed folders hide what they contain. */
export const treeRows = (
  nodes: readonly FileNode[],
  open: ReadonlySet<string>,
  parent = '',
): readonly TreeRow[] => {
  const depth = parent === '' ? 0 : parent.split('/').length;
  const sorted = [...nodes].sort(
    (a, b) => Number(b.is_dir) - Number(a.is_dir) || a.name.localeCompare(b.name),
  );
  return sorted.flatMap(({ name, is_dir: isFolder, children }) => {
    const path = joinedPath(parent, name);
    const row = { path, name, depth, isFolder };
    return isFolder && open.has(path) ? [row, ...treeRows(children, open, path)] : [row];
  });
};

/** The paths of all files, without folders. */
export const filesOf = (nodes: readonly FileNode[], parent = ''): readonly string[] =>
  nodes.flatMap(({ name, is_dir: isFolder, children }) =>
    isFolder ? filesOf(children, joinedPath(parent, name)) : [joinedPath(parent, name)],
  );

export const joinedPath = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`;

/** The folder of a path; `''`: the generator directory. */
export const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/');

export const lastSegmentOf = (path: string): string => path.split('/').at(-1) ?? path;

/** A folder and the folders around it. */
export const foldersAround = (path: string): readonly string[] => {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/')).slice(0, -1);
};

/** Where a path is after a move of it or of a folder around it. */
export const renamedPath = (path: string, from: string, to: string): string =>
  path === from ? to : path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : path;

export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

/** A path as a config or template writes it, relative to the generator directory. Null when it leads out of it. */
export const pathFrom = (configPath: string, written: string): string | null => {
  const parts: string[] = [];
  for (const part of joinedPath(folderOf(configPath), written).split('/')) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  return written.startsWith('/') ? null : parts.join('/');
};

/** A free name beside a file: `copy-of-page.jinja`. */
export const copyPath = (path: string, taken: readonly string[]): string => {
  const [folder, name] = [folderOf(path), lastSegmentOf(path)];
  for (let number = 1; ; number += 1) {
    const next = joinedPath(folder, `copy-${number === 1 ? '' : `${number}-`}of-${name}`);
    if (!taken.includes(next)) return next;
  }
};

/** Returns why a path cannot be used, or null when it can. */
export const pathProblem = (path: string): string | null => {
  if (path.trim() === '') return 'Write a name.';
  if (path.startsWith('/') || path.endsWith('/')) return 'Remove the slash at the start or the end.';
  return path.split('/').some((part) => part === '' || part === '.' || part === '..')
    ? 'Remove empty parts, "." and "..".'
    : null;
};

export type FileLanguage = 'yaml' | 'jinja' | 'script' | 'json' | 'text';

const LANGUAGES: Readonly<Record<string, FileLanguage>> = {
  yml: 'yaml',
  yaml: 'yaml',
  jinja: 'jinja',
  j2: 'jinja',
  js: 'script',
  mjs: 'script',
  cjs: 'script',
  ts: 'script',
  mts: 'script',
  json: 'json',
};

/** The language of a file by its extension. */
export const languageOf = (path: string): FileLanguage =>
  LANGUAGES[path.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'text';
