import * as E from 'fp-ts/lib/Either.js';
import { type Answer, type FilePlace, refuse, statsAt } from './place.js';
import { type Entry, flatten, MAX_DEPTH, MAX_ENTRIES, walkDirectory } from './walk.js';

const depthBelow = (entries: readonly Entry[]): number =>
  entries.reduce((deepest, { children }) => Math.max(deepest, 1 + depthBelow(children)), 0);

/** Levels below (0 unless a directory) and entries including itself. */
export interface Extent {
  readonly depth: number;
  readonly entries: number;
}

/** Left: `too_large` beyond the walk limits, `forbidden` if another file system is mounted inside. */
export const measure = async (place: FilePlace, shown: string): Answer<Extent> => {
  const own = await statsAt(place);
  if (own === null || !own.isDirectory()) return E.right({ depth: 0, entries: 1 });
  const entries = await walkDirectory(place.folder.at(place.name));
  if (entries === null) {
    const limits = `more than ${MAX_ENTRIES} entries or ${MAX_DEPTH} levels`;
    return refuse('too_large', `'${shown}' is too large: it has ${limits}.`);
  }
  const all = flatten(entries);
  return all.some(({ stats }) => BigInt(stats.dev) !== own.dev)
    ? refuse('forbidden', `Another file system is mounted in '${shown}'; unmount it first.`)
    : E.right({ depth: depthBelow(entries), entries: 1 + all.length });
};
