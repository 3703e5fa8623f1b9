import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { flatten, walkDirectory } from '../../adapters/directories/walk.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { MAX_CONFIG_BYTES } from '../../config/generator/config.js';
import { readDocument } from '../../config/yaml/document.js';
import { isJsonObject, type Json } from '../../domain/json.js';
import { installed } from '../../plugins/installed.js';
import { globalsUsage } from '../../template/globalsUsage.js';
import { templatesOfConfig } from '../../template/index.js';

/** Keys of globals that a generator reads. */
export interface GlobalsReads {
  readonly keys: ReadonlySet<string>;
  /** Whether it may read others, with names that are known at run time only. */
  readonly isOpen: boolean;
}

const NONE: GlobalsReads = { keys: new Set(), isOpen: false };
const ANY: GlobalsReads = { keys: new Set(), isOpen: true };

const MAX_FILES = 1_000;
const MAX_BYTES = 1_048_576;

const TEMPLATE = /\.(?:jinja2?|j2)$/;

const memberOf = (value: Json | undefined, key: string): Json | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

const together = (all: readonly GlobalsReads[]): GlobalsReads => ({
  keys: new Set(all.flatMap(({ keys }) => [...keys])),
  isOpen: all.some(({ isOpen }) => isOpen),
});

/** All templates of a folder count, also those that others load. */
const templateReads = async (folder: string): Promise<GlobalsReads> => {
  const entries = flatten((await walkDirectory(folder)) ?? []);
  const files = entries.filter(({ path, stats }) => stats.isFile() && TEMPLATE.test(path));
  if (files.length > MAX_FILES || files.some(({ stats }) => stats.size > MAX_BYTES)) return ANY;
  const reads = await Promise.all(
    files.map(async ({ path }): Promise<GlobalsReads> => {
      const usage = globalsUsage(await readFile(path, 'utf8').catch(() => ''));
      if (usage === null) return ANY;
      return {
        keys: new Set([...usage.reads, ...usage.writes]),
        isOpen: usage.mayReadOthers || usage.warnings.includes('dynamic_key'),
      };
    }),
  );
  return together(reads);
};

/** `globals.get('x')` and the like; in Python also `given['globals']['x']`. */
const SCRIPT_READ =
  /\bglobals\b(?:['"]\s*\])?\s*(?:\.(?:get|has|increment|set|delete)\(|\[)\s*['"]([^'"\\]+)['"]/g;

const scriptReads = async (folder: string, script: Json | undefined): Promise<GlobalsReads> => {
  const file = memberOf(script, 'path');
  if (typeof file !== 'string' || file.includes('${')) return ANY;
  const text = await nodeFiles.readText(file.startsWith('/') ? file : `${folder}/${file}`, MAX_BYTES);
  if (E.isLeft(text)) return ANY;
  const source = text.right.replace(/^\s*(?:\/\/|#).*$/gm, '');
  const keys = [...source.matchAll(SCRIPT_READ)].map(([, key = '']) => key);
  const declared = [...source.matchAll(/[{,]\s*globals\s*[,}]/g)].length;
  const used = [...source.matchAll(/\bglobals\b/g)].length;
  // One mention is that of the arguments; any other may hand the globals on.
  const isKnown = used === keys.length || (used === keys.length + 1 && declared === 1);
  const isAlone = !/^\s*(?:import|export)\b.*\bfrom\b\s*['"]\.|\brequire\(\s*['"]\./m.test(source);
  return { keys: new Set(keys), isOpen: !(isKnown && isAlone) };
};

/** The globals that the generator of a config reads, as far as its files show. */
export const globalsReadBy = async (path: string): Promise<GlobalsReads> => {
  const text = await nodeFiles.readText(path, MAX_CONFIG_BYTES);
  const document = E.isRight(text) ? readDocument(text.right, path, installed().shapes.generator) : text;
  if (E.isLeft(document)) return ANY;
  const event = memberOf(document.right.value, 'event');
  const [kind = ''] = isJsonObject(event) ? Object.keys(event) : [];
  const folder = dirname(path);
  switch (kind) {
    case 'template':
      // Templates of other names are not found in the folder.
      return templatesOfConfig(document.right.value).roots.every(
        ({ name, text: inline }) => inline !== null || TEMPLATE.test(name),
      )
        ? templateReads(folder)
        : ANY;
    case 'script':
      return scriptReads(folder, memberOf(event, kind));
    case 'replay':
      return NONE;
    default:
      return ANY;
  }
};

/** Keys that no generator of these configs reads, and those that are read; none are unread when one may read any. */
export const unreadGlobals = async (
  keys: readonly string[],
  paths: readonly string[],
): Promise<{ readonly unread: readonly string[]; readonly known: readonly string[] }> => {
  const reads = together(await Promise.all(paths.map(globalsReadBy)));
  const known = [...reads.keys].sort();
  return { unread: reads.isOpen ? [] : keys.filter((key) => !reads.keys.has(key)), known };
};
