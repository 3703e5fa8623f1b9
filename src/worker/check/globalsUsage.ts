import * as E from 'fp-ts/lib/Either.js';
import type { FileContent, FileNode, GlobalsUsageReport } from '../../domain/directory.js';
import type { Result } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';
import type { GeneratorDirectories } from '../../ports/files.js';
import type { globalsUsage } from '../../template/globalsUsage.js';
import { keysOfConfig, knobsOfConfig } from './knobs.js';

/** Limits per directory. */
const MAX_FILES = 1_000;
const MAX_FILE_BYTES = 1_048_576;

/** Uses of a text, one item per occurrence. */
type TextUsage = Pick<NonNullable<ReturnType<typeof globalsUsage>>, 'writes' | 'reads' | 'warnings'>;

interface UsageOptions {
  readonly directories: Pick<GeneratorDirectories, 'tree' | 'files' | 'readConfig' | 'configPath'>;
  readonly config_filename: string;
  /** Returns null when the template does not parse. */
  readonly ofTemplate: (source: string) => Promise<TextUsage | null>;
  /** A stored config, with its dotted keys written out. */
  readonly readBack: (text: string, file: string) => Promise<Result<Json>>;
}

const TEMPLATE = /\.(?:jinja|j2)$/;
const SCRIPT = /\.(?:[cm]?[jt]s|py)$/;
/** Folders of packages and of Python's compiled modules. */
const NOT_OURS: ReadonlySet<string> = new Set(['node_modules', '__pycache__']);

const pathsBelow = (nodes: readonly FileNode[], above = ''): readonly string[] =>
  nodes.flatMap(({ name, is_dir, children }) =>
    is_dir
      ? NOT_OURS.has(name)
        ? []
        : pathsBelow(children, `${above}${name}/`)
      : TEMPLATE.test(name) || SCRIPT.test(name)
        ? [`${above}${name}`]
        : [],
  );

const textOf = async ({ chunks, size_bytes }: FileContent): Promise<string | null> => {
  const parts: Uint8Array[] = [];
  // Reading to the end closes the file.
  for await (const chunk of chunks) if (size_bytes <= MAX_FILE_BYTES) parts.push(chunk);
  return size_bytes <= MAX_FILE_BYTES ? Buffer.concat(parts).toString('utf8') : null;
};

const reportOf = ({ writes, reads, warnings }: TextUsage, template: string): GlobalsUsageReport => ({
  writes: writes.map((key) => ({ key, template })),
  reads: reads.map((key) => ({ key, template })),
  warnings: warnings.map((type) => ({ type, template })),
  knobs: [],
});

const configReport = (config: Json, template: string): GlobalsUsageReport => ({
  ...reportOf({ writes: [], reads: keysOfConfig(config), warnings: [] }, template),
  knobs: knobsOfConfig(config),
});

/**
 * Uses of globals by the templates and scripts of a directory and by its config, one item per occurrence. Files that do
 * not parse are left out.
 */
export const usageOfDirectory = async (
  { directories, config_filename, ofTemplate, readBack }: UsageOptions,
  name: string,
): Promise<Result<GlobalsUsageReport>> => {
  const tree = await directories.tree(name);
  if (E.isLeft(tree)) return tree;
  const reports: GlobalsUsageReport[] = [];
  const config = await directories.readConfig(name);
  const value = E.isLeft(config) ? config : await readBack(config.right, directories.configPath(name));
  if (E.isRight(value)) reports.push(configReport(value.right, config_filename));
  for (const path of pathsBelow(tree.right).slice(0, MAX_FILES)) {
    const content = await directories.files.read(name, path);
    const text = E.isLeft(content) ? null : await textOf(content.right);
    if (text === null) continue;
    const usage = SCRIPT.test(path) ? scriptUsage(text) : await ofTemplate(text);
    if (usage !== null) reports.push(reportOf(usage, path));
  }
  return E.right({
    writes: reports.flatMap(({ writes }) => writes),
    reads: reports.flatMap(({ reads }) => reads),
    warnings: reports.flatMap(({ warnings }) => warnings),
    knobs: reports.flatMap(({ knobs }) => knobs),
  });
};

/** A script without the comments of JavaScript and Python that begin a line; in a time that grows with its length. */
const withoutComments = (source: string): string => {
  const kept: string[] = [];
  let next = 0;
  while (next < source.length) {
    const end = source.indexOf('\n', next);
    const line = source.slice(next, end < 0 ? source.length : end);
    const begin = line.trimStart();
    const close = begin.startsWith('/*') ? source.indexOf('*/', next) : null;
    if (close !== null) {
      if (close < 0) break;
      next = close + 2;
      continue;
    }
    if (!begin.startsWith('//') && !begin.startsWith('#')) kept.push(line);
    next += line.length + 1;
  }
  return kept.join('\n');
};

/** `globals.get(`, `globals[` and `params['globals'][`, up to the argument. */
const USE = /\bglobals\b(?:['"]\s*\])?\s*(?:\??\.\s*(\w+)\s*\(|\[)\s*/g;
const KEY = /^(?:'([^'\\\n]*)'|"([^"\\\n]*)"|`([^`\\$\n]*)`)\s*([\],)])\s*([-+*/|%&]?=(?!=))?/;

const WRITES: ReadonlySet<string> = new Set(['set', 'delete']);
const READS: ReadonlySet<string> = new Set(['get', 'has']);
/** Methods that change a value by what it was. */
const READS_AND_WRITES: ReadonlySet<string> = new Set(['increment', 'pop']);
const TAKES_ALL: ReadonlySet<string> = new Set(['snapshot', 'as_dict', 'items', 'keys', 'values', 'copy']);

/** Uses of `globals` in a script, as far as its text shows: keys in quotes, and those of an object given to `update`. */
export const scriptUsage = (source: string): TextUsage => {
  const text = withoutComments(source);
  const writes: string[] = [];
  const reads: string[] = [];
  const warnings: TextUsage['warnings'][number][] = [];
  let uses = 0;
  for (const { 0: whole, 1: method = '[', index } of text.matchAll(USE)) {
    // This runs between requests: nothing that a file holds may stop them.
    if (++uses > MAX_USES) {
      warnings.push('dynamic_key');
      break;
    }
    const argument = text.slice(index + whole.length, index + whole.length + MAX_ARGUMENT);
    if (method === 'update') {
      const keys = keysOfObject(argument);
      if (keys === null) warnings.push('update_call');
      else writes.push(...keys);
      continue;
    }
    if (TAKES_ALL.has(method)) {
      warnings.push('dynamic_key');
      continue;
    }
    const isKeyed = method === '[' || WRITES.has(method) || READS.has(method) || READS_AND_WRITES.has(method);
    if (!isKeyed) continue;
    const [found, single, double, backticked, , assigned] = KEY.exec(argument) ?? [];
    const key = single ?? double ?? backticked;
    if (found === undefined || key === undefined) {
      warnings.push('dynamic_key');
      continue;
    }
    const isWrite = method === '[' ? assigned !== undefined : WRITES.has(method);
    // `globals['n'] += 1` reads, too.
    const isBoth = READS_AND_WRITES.has(method) || (isWrite && method === '[' && assigned !== '=');
    if (isWrite || isBoth) writes.push(key);
    if (!isWrite || isBoth) reads.push(key);
  }
  return { writes, reads, warnings };
};

/** Uses in a script that are looked at, and characters of an argument. */
const MAX_USES = 1_000;
const MAX_ARGUMENT = 4_000;

const OPEN = '([{';
const CLOSE = ')]}';

/** One member of an object: `key`, `key: value`, `'key': value`. */
const MEMBER = /^\s*(?:([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:[:(]|$)|'([^'\\]*)'\s*:|"([^"\\]*)"\s*:)/u;

/** Keys of the object that a text begins with; null when it begins with none, or some are known at run time only. */
const keysOfObject = (text: string): readonly string[] | null => {
  if (!text.startsWith('{')) return null;
  const members: string[] = [];
  let depth = 0;
  let from = 1;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (quote !== '') {
      if (character === '\\') at++;
      else if (character === quote) quote = '';
    } else if (`'"\``.includes(character)) quote = character;
    else if (OPEN.includes(character)) depth++;
    else if (CLOSE.includes(character)) depth--;
    if ((depth === 1 && character === ',' && quote === '') || depth === 0) {
      members.push(text.slice(from, at));
      from = at + 1;
    }
    if (depth === 0) {
      const written = members.filter((member) => member.trim() !== '');
      const keys = written.flatMap((member) => {
        const [, name, single, double] = MEMBER.exec(member) ?? [];
        return name ?? single ?? double ?? [];
      });
      return keys.length === written.length ? keys : null;
    }
  }
  return null;
};
