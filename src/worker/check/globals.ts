import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { flatten, walkDirectory } from '../../adapters/directories/walk.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { MAX_CONFIG_BYTES } from '../../config/generator/config.js';
import { choicesOf } from '../../config/generator/given.js';
import { readDocument } from '../../config/yaml/document.js';
import { isJsonObject, type Json } from '../../domain/json.js';
import { didYouMean } from '../../domain/text/shown.js';
import { isOwnModule, resolveOwn } from '../../plugins/events/script/loader/files.js';
import { installed } from '../../plugins/installed.js';
import { globalsUsage } from '../../template/globalsUsage.js';
import { templatesOfConfig } from '../../template/index.js';
import { isInWorld, keysOfConfig, WORLD_KNOBS } from './knobs.js';

/** Keys of globals that a generator reads. */
export interface GlobalsReads {
  readonly keys: ReadonlySet<string>;
  /** Whether it may read others, with names that are known at run time only. */
  readonly isOpen: boolean;
  /** Words of the files of those that may read others; null when some of it cannot be seen. */
  readonly mentions: Mentions | null;
  /** Whether it observes a world, which takes parts of crowds. */
  readonly isInWorld: boolean;
}

interface Mentions {
  readonly words: ReadonlySet<string>;
  /** Words that can be names of globals: texts in quotes, and keys of objects. */
  readonly names: ReadonlySet<string>;
}

const SILENT: Mentions = { words: new Set(), names: new Set() };
const NONE: GlobalsReads = { keys: new Set(), isOpen: false, mentions: SILENT, isInWorld: false };
const ANY: GlobalsReads = { ...NONE, isOpen: true, mentions: null };

const MAX_FILES = 1_000;
const MAX_BYTES = 1_048_576;
/** Files of one script. */
const MAX_SOURCES = 100;

const TEMPLATE = /\.(?:jinja2?|j2)$/;

const memberOf = (value: Json | undefined, key: string): Json | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

const union = (all: readonly ReadonlySet<string>[]): ReadonlySet<string> =>
  new Set(all.flatMap((words) => [...words]));

const together = (all: readonly GlobalsReads[]): GlobalsReads => {
  const mentions = all.map((one) => one.mentions);
  return {
    keys: union(all.map(({ keys }) => keys)),
    isOpen: all.some(({ isOpen }) => isOpen),
    isInWorld: all.some((one) => one.isInWorld),
    mentions: mentions.includes(null)
      ? null
      : {
          words: union(mentions.map((one) => (one as Mentions).words)),
          names: union(mentions.map((one) => (one as Mentions).names)),
        },
  };
};

/** Names with dots and hyphens count whole and in parts. */
const WORDS = [/[\p{L}\p{N}_]+/gu, /[\p{L}\p{N}_.-]+/gu];
const NAMES = /(['"`])([\p{L}_$][\p{L}\p{N}_$.-]*)\1|([\p{L}_$][\p{L}\p{N}_$]*)['"]?\s*:/gu;

const mentionsOf = (texts: readonly string[]): Mentions => ({
  words: new Set(texts.flatMap((text) => WORDS.flatMap((word) => text.match(word) ?? []))),
  names: new Set(
    texts.flatMap((text) => [...text.matchAll(NAMES)].map(([, , quoted, key]) => quoted ?? key ?? '')),
  ),
});

/** Whether files say a name, or an end of it from which `rate_${kind}` or `kind + '_rate'` may build it. */
const isMentioned = (key: string, { words }: Mentions): boolean =>
  words.has(key) ||
  /[^\p{L}\p{N}_.-]/u.test(key) ||
  [...words].some(
    (word) =>
      word.length > 2 &&
      ((/[_.-]$/.test(word) && key.startsWith(word)) || (/^[_.-]/.test(word) && key.endsWith(word))),
  );

/** What is wrong with a global that nobody reads: a sentence, and the name that was probably meant. */
export interface UnreadGlobal {
  /** Whether it is certain; otherwise members may read any name, and no file of theirs says this one. */
  readonly isCertain: boolean;
  readonly hint: string | null;
}

/** Null when members read a key, or may do so. */
export const unreadGlobal = (key: string, { keys, isOpen, mentions }: GlobalsReads): UnreadGlobal | null => {
  if (keys.has(key)) return null;
  if (!isOpen) return { isCertain: true, hint: didYouMean(key, [...keys]) };
  if (mentions === null || isMentioned(key, mentions)) return null;
  return { isCertain: false, hint: didYouMean(key, [...keys]) ?? didYouMean(key, [...mentions.names]) };
};

/** All templates of a folder count, also those that others load. `config` may hold names for them. */
const templateReads = async (folder: string, config: string): Promise<GlobalsReads> => {
  const entries = flatten((await walkDirectory(folder)) ?? []);
  const files = entries.filter(({ path, stats }) => stats.isFile() && TEMPLATE.test(path));
  if (files.length > MAX_FILES || files.some(({ stats }) => stats.size > MAX_BYTES)) return ANY;
  const reads = await Promise.all(
    files.map(async ({ path }): Promise<GlobalsReads> => {
      const text = await readFile(path, 'utf8').catch(() => '');
      const usage = globalsUsage(text);
      if (usage === null) return ANY;
      const isOpen = usage.mayReadOthers || usage.warnings.includes('dynamic_key');
      return {
        ...NONE,
        keys: new Set([...usage.reads, ...usage.writes]),
        isOpen,
        mentions: mentionsOf([text]),
      };
    }),
  );
  return together([...reads, { ...NONE, mentions: mentionsOf([config]) }]);
};

/** `globals.get('x')` and the like; in Python also `given['globals']['x']`. */
const SCRIPT_READ =
  /\bglobals\b(?:['"]\s*\])?\s*(?:\.(?:get|has|increment|set|delete)\(|\[)\s*['"]([^'"\\]+)['"]/g;

/** Files that a script imports by name, and imports of a name known at run time. */
const IMPORT =
  /\b(?:from|import)\s*['"]([^'"\n]+)['"]|\b(?:import|require)\s*\(\s*(?:['"]([^'"\n]+)['"]|[^)'"])/g;

/** Code that may take all globals at once. */
const TAKES_ALL = /\.snapshot\(|\bglobals\b(?:['"]\s*\])?\s*\.(?:items|keys|values|copy)\(/;

/** Texts of a script and of its own files that it imports; null when some of them are not known. Packages do not count. */
const sourcesOf = async (file: string, seen: Set<string>): Promise<readonly string[] | null> => {
  if (seen.has(file)) return [];
  if (seen.add(file).size > MAX_SOURCES) return null;
  const text = await nodeFiles.readText(file, MAX_BYTES);
  if (E.isLeft(text)) return null;
  const sources = [text.right];
  const isScript = !file.endsWith('.json');
  for (const [, named, called] of isScript ? withoutComments(text.right).matchAll(IMPORT) : []) {
    const specifier = named ?? called;
    if (specifier === undefined) return null;
    if (isBuiltin(specifier) || !isOwnModule(specifier)) continue;
    const found = resolveOwn(specifier, file);
    const more = found === null ? null : await sourcesOf(found, seen);
    if (more === null) return null;
    sources.push(...more);
  }
  return sources;
};

/** Texts of all Python files of a folder: which of them a script imports depends on its search path. */
const pythonSources = async (folder: string): Promise<readonly string[] | null> => {
  const entries = flatten((await walkDirectory(folder)) ?? []);
  const files = entries.filter(({ path, stats }) => stats.isFile() && path.endsWith('.py'));
  if (files.length > MAX_SOURCES || files.some(({ stats }) => stats.size > MAX_BYTES)) return null;
  return Promise.all(files.map(({ path }) => readFile(path, 'utf8').catch(() => '')));
};

const withoutComments = (source: string): string => source.replace(/^\s*(?:\/\/|#).*$/gm, '');

const scriptReads = async (
  folder: string,
  script: Json | undefined,
  config: string,
): Promise<GlobalsReads> => {
  const file = memberOf(script, 'path');
  if (typeof file !== 'string' || file.includes('${')) return ANY;
  const path = resolve(folder, file);
  const text = await nodeFiles.readText(path, MAX_BYTES);
  if (E.isLeft(text)) return ANY;
  const source = withoutComments(text.right);
  const keys = [...source.matchAll(SCRIPT_READ)].map(([, key = '']) => key);
  const declared = [...source.matchAll(/[{,]\s*globals\s*[,}]/g)].length;
  const used = [...source.matchAll(/\bglobals\b/g)].length;
  // One mention is that of the arguments; any other may hand the globals on.
  const isKnown = used === keys.length || (used === keys.length + 1 && declared === 1);
  const isAlone = !/^\s*(?:import|export)\b.*\bfrom\b\s*['"]\.|\brequire\(\s*['"]\./m.test(source);
  const isOpen = !(isKnown && isAlone);
  if (!isOpen) return { ...NONE, keys: new Set(keys) };
  const sources = await (path.endsWith('.py') ? pythonSources(dirname(path)) : sourcesOf(path, new Set()));
  const isSeen = sources !== null && !sources.some((one) => TAKES_ALL.test(one));
  return { ...NONE, keys: new Set(keys), isOpen, mentions: isSeen ? mentionsOf([...sources, config]) : null };
};

/** The globals that the generator of a config reads, as far as its files show. */
const globalsReadBy = async (path: string): Promise<GlobalsReads> => {
  const text = await nodeFiles.readText(path, MAX_CONFIG_BYTES);
  const document = E.isRight(text) ? readDocument(text.right, path, installed().shapes.generator) : text;
  if (E.isLeft(text) || E.isLeft(document)) return ANY;
  const { value } = document.right;
  const ofConfig = { ...NONE, keys: new Set(keysOfConfig(value)), isInWorld: isInWorld(value) };
  return together([ofConfig, await eventReads(value, dirname(path), text.right)]);
};

const eventReads = async (config: Json, folder: string, text: string): Promise<GlobalsReads> => {
  const event = memberOf(config, 'event');
  const [kind = ''] = isJsonObject(event) ? Object.keys(event) : [];
  switch (kind) {
    case 'template':
      // Templates of other names are not found in the folder.
      return templatesOfConfig(config).roots.every(
        ({ name, text: inline }) => inline !== null || TEMPLATE.test(name),
      )
        ? templateReads(folder, text)
        : ANY;
    case 'script':
      return scriptReads(folder, memberOf(event, kind), text);
    case 'replay':
      return NONE;
    default:
      return ANY;
  }
};

/** Configs that are looked at together. */
const MAX_CONFIGS = 100;

/** The globals that the generators of some configs read. */
const globalsReadByAll = async (paths: readonly string[]): Promise<GlobalsReads> => {
  const distinct = [...new Set(paths)];
  return distinct.length > MAX_CONFIGS ? ANY : together(await Promise.all(distinct.map(globalsReadBy)));
};

/** Keys that no generator of these configs reads, and all that are read. */
export const unreadGlobals = async (
  keys: readonly string[],
  paths: readonly string[],
): Promise<{ readonly unread: ReadonlyMap<string, UnreadGlobal>; readonly known: readonly string[] }> => {
  const reads = await globalsReadByAll(paths);
  const unread = keys.flatMap((key) => {
    const found = unreadGlobal(key, reads);
    return found === null ? [] : [[key, found] as const];
  });
  return { unread: new Map(unread), known: [...reads.keys].sort() };
};

/** What the members of a scenario read, and the values that their packs declare. */
export interface MemberGlobals extends GlobalsReads {
  readonly choices: ReadonlyMap<string, readonly string[]>;
}

export const memberGlobals = async (paths: readonly string[]): Promise<MemberGlobals> => {
  const choices = new Map<string, readonly string[]>();
  for (const path of [...new Set(paths)].slice(0, MAX_CONFIGS)) {
    const own = await choicesOf({ path, config: null, readText: nodeFiles.readText });
    for (const [name, values] of own)
      choices.set(name, [...new Set([...(choices.get(name) ?? []), ...values])]);
  }
  return { ...(await globalsReadByAll(paths)), choices };
};

/** Says what is wrong with a part of a crowd of a world; null for all other globals, and for a part. */
export const partIssue = (
  key: string,
  value: Json,
  { isInWorld: inWorld }: Pick<GlobalsReads, 'isInWorld'>,
): string | null => {
  const isPart = inWorld && WORLD_KNOBS.some((knob) => knob.key === key);
  if (!isPart || (typeof value === 'number' && value >= 0 && value <= 1)) return null;
  return `'${key}' is a number from 0 to 1, the part that is shown: ${JSON.stringify(value).slice(0, 60)} shows all`;
};
