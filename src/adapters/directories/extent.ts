import * as E from 'fp-ts/lib/Either.js';
import { type Answer, type FilePlace, refuse, statsAt } from './place.js';
import { type Entry, flatten, MAX_DEPTH, MAX_ENTRIES, walkDirectory } from './walk.js';

/** Levels below a directory: 0 for an empty one. */
const depthBelow = (entries: readonly Entry[]): number =>
  entries.reduce((deepest, { children }) => Math.max(deepest, 1 + depthBelow(children)), 0);

/** How large something is: levels below it (0 for all but directories), and entries, itself included. */
export interface Extent {
  readonly depth: number;
  readonly entries: number;
}

/**
 * Looks at everything below a directory. Left: `too_large` when there is more than the limits of a walk,
 * `forbidden` when another file system is mounted in it.
 */
export const measure = async (place: FilePlace, shown: string): Answer<Extent> => {
  const own = await statsAt(place);
  if (own === null || !own.isDirectory()) return E.right({ depth: 0, entries: 1 });
  const entries = await walkDirectory(place.folder.at(place.name));
  if (entries === null) {
    const limits = `more than ${MAX_ENTRIES} entries, or some deeper than ${MAX_DEPTH} levels`;
    return refuse('too_large', `'${shown}' is too large for this: it has ${limits}.`);
  }
  const all = flatten(entries);
  return all.some(({ stats }) => BigInt(stats.dev) !== own.dev)
    ? refuse('forbidden', `Another file system is mounted in '${shown}'; unmount it first.`)
    : E.right({ depth: depthBelow(entries), entries: 1 + all.length });
};
