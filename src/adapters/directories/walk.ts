import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import { isTemporaryName } from '../files/files.js';
import { type Location, refuseLocation, statsAt } from './location.js';

export const MAX_ENTRIES = 100_000;
export const MAX_DIRECTORY_DEPTH = 64;

/** Links are not followed. */
export interface DirectoryEntry {
  readonly name: string;
  readonly path: string;
  readonly stats: Stats;
  /** Sorted by name; empty unless a directory. */
  readonly children: readonly DirectoryEntry[];
}

/** Ignores entries that vanish or deny access. */
const orNothing = async <A>(reading: Promise<A>, nothing: A): Promise<A> => {
  try {
    return await reading;
  } catch {
    return nothing;
  }
};

interface Budget {
  left: number;
}

const entryAt = async (
  folder: string,
  name: string,
  depth: number,
  budget: Budget,
): Promise<DirectoryEntry | null> => {
  const path = join(folder, name);
  const stats = await orNothing<Stats | null>(lstat(path), null);
  if (stats === null) return null;
  const children = stats.isDirectory() ? await walk(path, depth + 1, budget) : [];
  return { name, path, stats, children };
};

const walk = async (folder: string, depth: number, budget: Budget): Promise<readonly DirectoryEntry[]> => {
  const reading = readdir(folder);
  const found = depth === 0 ? await reading : await orNothing<string[]>(reading, []);
  const names = found.filter((name) => !isTemporaryName(name)).sort();
  budget.left = depth > MAX_DIRECTORY_DEPTH ? -1 : budget.left - names.length;
  const entries: DirectoryEntry[] = [];
  for (const name of names) {
    if (budget.left < 0) return [];
    const entry = await entryAt(folder, name, depth, budget);
    if (entry !== null) entries.push(entry);
  }
  return entries;
};

/** Entries sorted by name, links as leaves. Null over the limits. Rejects if the directory itself cannot be read. */
export const walkDirectory = async (folder: string): Promise<readonly DirectoryEntry[] | null> => {
  const budget: Budget = { left: MAX_ENTRIES };
  const entries = await walk(folder, 0, budget);
  return budget.left < 0 ? null : entries;
};

/** Depth first, a directory before its content. */
export const flatten = (entries: readonly DirectoryEntry[]): readonly DirectoryEntry[] =>
  entries.flatMap((entry) => [entry, ...flatten(entry.children)]);

const depthBelow = (entries: readonly DirectoryEntry[]): number =>
  entries.reduce((deepest, { children }) => Math.max(deepest, 1 + depthBelow(children)), 0);

/** Levels below (0 unless a directory) and entries including itself. */
export interface Extent {
  readonly depth: number;
  readonly entries: number;
}

/** Returns `too_large` beyond the walk limits, and `forbidden` if another file system is mounted inside. */
export const measure = async (location: Location, shown: string): Promise<Result<Extent>> => {
  const own = await statsAt(location);
  if (own === null || !own.isDirectory()) return E.right({ depth: 0, entries: 1 });
  const entries = await walkDirectory(location.folder.at(location.name));
  if (entries === null) {
    const limits = `more than ${MAX_ENTRIES} entries or ${MAX_DIRECTORY_DEPTH} levels`;
    return refuseLocation('too_large', `'${shown}' is too large: it has ${limits}.`);
  }
  const all = flatten(entries);
  return all.some(({ stats }) => BigInt(stats.dev) !== own.dev)
    ? refuseLocation('forbidden', `Another file system is mounted in '${shown}'; unmount it first.`)
    : E.right({ depth: depthBelow(entries), entries: 1 + all.length });
};
