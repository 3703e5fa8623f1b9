import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../domain/errors.js';
import type { PluginSource } from '../../domain/thirdParty.js';
import type { Clock } from '../../ports/clock.js';
import { install, type LoadedPlugin } from '../loaded.js';
import { PLUGIN_SPECS } from '../specs.js';
import { clashOf, declarationFault } from './faults.js';
import { guardedPlugin, type OnFault } from './guard.js';
import { kit, type ThirdPartyPlugin } from './publicKit.js';

/** How long a plugin file may take to load. */
export const LOAD_LIMIT_MS = 10_000;

type LoadClock = Pick<Clock, 'after'>;

export const unloadable = (shown: string, why: string): E.Either<ReturnType<typeof failure>, never> =>
  E.left(failure('invalid', `plugin ${shown}: ${why}.`));

const within = async <A>(clock: LoadClock, work: Promise<A>): Promise<A | null> => {
  let cancel = (): void => {};
  const late = new Promise<null>((resolve) => {
    cancel = clock.after(LOAD_LIMIT_MS, () => resolve(null));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
};

interface PluginFile {
  readonly plugins: readonly ThirdPartyPlugin[];
  /** Everything that the file exports. */
  readonly exports: Readonly<Record<string, unknown>>;
}

/** Imports a file and checks what it exports. */
export const importPlugins = async (
  { shown, href }: Pick<PluginSource, 'shown' | 'href'>,
  clock: LoadClock,
): Promise<Result<PluginFile>> => {
  let file: { readonly exports: PluginFile['exports']; readonly value: unknown } | null;
  try {
    file = await within(
      clock,
      (async () => {
        const exports = (await import(href)) as PluginFile['exports'];
        const own = exports['default'];
        return { exports, value: typeof own === 'function' ? await own(kit) : own };
      })(),
    );
  } catch (thrown) {
    return unloadable(shown, `it cannot be loaded: ${reasonOf(thrown)}. Correct the file`);
  }
  if (file === null)
    return unloadable(
      shown,
      `it was not loaded within ${LOAD_LIMIT_MS / 1_000} s. Connect in \`open\`, not at the top level`,
    );
  const { exports, value } = file;
  if (value === undefined)
    return unloadable(
      shown,
      exports['default'] === undefined
        ? 'it has no default export. Export a plugin, or a function of the kit that returns one'
        : 'its default export returned nothing. Return the plugin',
    );
  const plugins: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const plugin of plugins) {
    const wrong = declarationFault(plugin);
    if (wrong !== null) return unloadable(shown, `it ${wrong}`);
  }
  return E.right({ plugins: plugins as readonly ThirdPartyPlugin[], exports });
};

/** Finds the file of an entry. The URL changes with the file, so that a restart loads it again. */
export const locatePlugin = (entry: string, folder: string): Result<Pick<PluginSource, 'shown' | 'href'>> => {
  const file = resolvePlugin(entry, folder, import.meta.dirname);
  if (E.isLeft(file)) return unloadable(entry, file.left);
  try {
    const { mtimeMs, size } = statSync(file.right);
    return E.right({
      shown: entry,
      href: `${pathToFileURL(file.right).href}?${Math.round(mtimeMs)}-${size}`,
    });
  } catch (thrown) {
    return unloadable(entry, `${file.right} cannot be read: ${reasonOf(thrown)}. Check its permissions`);
  }
};

const namesOf = ({ spec: { kind, name, aliases } }: ThirdPartyPlugin) => ({
  kind,
  names: [name, ...(aliases ?? [])],
});

/** An entry of `plugins`, and the folder that it is relative to. */
export interface WantedPlugin {
  readonly entry: string;
  readonly folder: string;
}

/** Loads third-party plugins. Returns an error with the first that cannot be used, and why. */
export const loadPlugins = async (
  wanted: readonly WantedPlugin[],
  clock: LoadClock,
  onFault?: OnFault,
): Promise<Result<readonly LoadedPlugin[]>> => {
  const loaded: LoadedPlugin[] = [];
  for (const { entry, folder } of wanted) {
    const found = locatePlugin(entry, folder);
    if (E.isLeft(found)) return found;
    const file = await importPlugins(found.right, clock);
    if (E.isLeft(file)) return file;
    const source = { ...found.right, plugins: file.right.plugins.map(namesOf) };
    for (const plugin of file.right.plugins) {
      const clash = clashOf(plugin, PLUGIN_SPECS, loaded);
      if (clash !== null) return unloadable(entry, clash);
      loaded.push({ source, plugin: guardedPlugin(plugin, entry, onFault) });
    }
  }
  return E.right(loaded);
};

/** Loads and installs third-party plugins. Without any, this thread knows only the plugins of this program. */
export const installPlugins = async (
  wanted: readonly WantedPlugin[],
  clock: LoadClock,
): Promise<Result<void>> => {
  const loaded = await loadPlugins(wanted, clock);
  if (E.isLeft(loaded)) return loaded;
  install(loaded.right);
  return E.right(undefined);
};

/** Loads sources that the main thread has checked, behind those that this thread has. */
export const installSources = async (
  sources: readonly PluginSource[],
  before: readonly LoadedPlugin[],
  clock: LoadClock,
): Promise<Result<void>> => {
  const loaded = [...before];
  for (const source of sources) {
    const file = await importPlugins(source, clock);
    if (E.isLeft(file)) return file;
    loaded.push(
      ...file.right.plugins.map((plugin) => ({ source, plugin: guardedPlugin(plugin, source.shown) })),
    );
  }
  install(loaded);
  return E.right(undefined);
};

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
const resolvePlugin = (entry: string, folder: string, ownFolder: string): E.Either<string, string> => {
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
