import { realpath } from 'node:fs/promises';
import { join, posix } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { isBelow } from '../../../adapters/files/openInside.js';
import { Fault, isOutsideName, MAX_TEMPLATE_BYTES, templatesNamedIn } from '../../../template/index.js';

/** Limit of lookups per check. */
const MAX_LOOKUPS = 5_000;

/** A text, nothing, or why it cannot be read. */
type Found = { readonly text: string } | { readonly problem: string } | null;

const read = async (root: string, name: string): Promise<Found> => {
  if (isOutsideName(name)) return null;
  const path = await realpath(join(root, name)).catch(() => null);
  if (path === null || !isBelow(root, path)) return null;
  const text = await nodeFiles.readText(path, MAX_TEMPLATE_BYTES);
  if (E.isRight(text)) return { text: text.right };
  return text.left.code === 'not_found' ? null : { problem: text.left.message };
};

/** Loader of templates read in advance. */
export type Sources = (name: string) => string | null;

/**
 * Reads templates below a folder and, recursively, those they load by literal names. `texts`: inline templates.
 * Links must not lead out of the folder. The loader throws a `Fault` for unreadable templates.
 */
export const readSources = async (
  folder: string,
  names: readonly string[],
  texts: readonly string[],
): Promise<Sources> => {
  const root = await realpath(folder).catch(() => folder);
  const found = new Map<string, Found>();
  const wanted = new Set([...names, ...texts.flatMap(templatesNamedIn)]);
  // The set grows while iterating.
  for (const name of wanted) {
    if (found.size >= MAX_LOOKUPS) break;
    const one = await read(root, name);
    found.set(name, one);
    if (one === null || !('text' in one)) continue;
    const beside = posix.dirname(name);
    for (const named of templatesNamedIn(one.text)) {
      wanted.add(named);
      // Lets the check suggest a path relative to the template.
      if (beside !== '.') wanted.add(`${beside}/${named}`);
    }
  }
  return (name) => {
    const one = found.get(name) ?? null;
    if (one === null) return null;
    if ('problem' in one) throw new Fault('OSError', one.problem);
    return one.text;
  };
};
