import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const isGlob = (name: string): boolean => /[*?]/.test(name);

const matcherOf = (name: string): RegExp =>
  new RegExp(
    `^${name
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  );

/** Order of code units: the same on every machine. */
const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Names in a folder that match, without hidden ones unless asked for; none if there is no such folder. */
const namesIn = async (folder: string, glob: string): Promise<readonly string[]> => {
  const matcher = matcherOf(glob);
  const names = await readdir(folder).catch((): string[] => []);
  return names.filter((name) => matcher.test(name) && (!name.startsWith('.') || glob.startsWith('.')));
};

/**
 * Paths that a path with `*` and `?` in its names stands for, sorted; a path without them is itself, whether it exists or
 * not. Both are relative to `directory`.
 */
export const globFiles = async (directory: string, path: string): Promise<readonly string[]> => {
  if (!isGlob(path)) return [path];
  let found = [path.startsWith('/') ? '/' : ''];
  for (const part of path.split('/').filter((each) => each !== '')) {
    const next: string[] = [];
    for (const folder of found) {
      const names = isGlob(part) ? await namesIn(resolve(directory, folder), part) : [part];
      next.push(...names.map((name) => join(folder, name)));
    }
    found = next;
  }
  return found.sort(byName);
};
