import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname } from 'node:path';
import vm from 'node:vm';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../../domain/errors.js';
import type { Json } from '../../../../domain/json.js';
import { SCRIPT_THREAD_FLAGS } from '../../../../domain/thirdParty.js';
import { SIGNALS } from '../produce.js';
import { describeThrown, scriptPath, showThrown } from '../thrown.js';
import { isOwnModule, OWN_PACKAGE, type ScriptFiles, type ScriptFilesOptions, scriptFiles } from './files.js';
import { type CommonJsFunction, type Declared, LoadProblem } from './source.js';

export type Produce = (call: Readonly<Record<string, unknown>>) => unknown;

export interface ScriptState {
  readonly snapshot: () => unknown;
  readonly restore: (state: Json) => unknown;
}

export interface LoadedScript {
  readonly produce: Produce;
  readonly state: ScriptState | null;
  readonly files: ReadonlySet<string>;
}

const ENDINGS = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts'];

const checkFile = (file: string, shown: string): string | null => {
  if (!ENDINGS.includes(extname(file))) return `${shown} must end in ${ENDINGS.join(', ')} or .py`;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return `${shown} does not exist (looked for ${file})`;
  if (!found.isFile()) return `${shown} is not a file`;
  return typeof vm.SourceTextModule === 'function'
    ? null
    : `${shown} needs a thread started with ${SCRIPT_THREAD_FLAGS[0]}`;
};

const checkProduce = (produce: unknown, shown: string): string | null => {
  if (typeof produce === 'function') return null;
  if (produce === undefined) {
    return `${shown} does not export a function named produce. Add "export function produce({ timestamp, tags }) { ... }".`;
  }
  return `${shown} exports produce as ${produce === null ? 'null' : typeof produce}, not as a function`;
};

/** Requires both functions or neither. */
const checkState = (snapshot: unknown, restore: unknown, shown: string): string | null => {
  const named = { snapshot, restore };
  for (const [name, value] of Object.entries(named)) {
    if (value !== undefined && typeof value !== 'function') {
      return `${shown} exports ${name} as ${value === null ? 'null' : typeof value}, not as a function`;
    }
  }
  if ((snapshot === undefined) === (restore === undefined)) return null;
  const [has, lacks] = restore === undefined ? ['snapshot', 'restore'] : ['restore', 'snapshot'];
  return `${shown} exports ${has} without ${lacks}. Export both or neither.`;
};

/** What surrounds a script. `drafts`: texts that stand for files, by absolute path. */
type ScriptContext = Pick<ScriptFilesOptions, 'directory' | 'console' | 'drafts'>;

interface ModuleGraph {
  readonly run: (file: string) => Promise<Namespace>;
  readonly files: ReadonlySet<string>;
}

/**
 * A fresh instance of a script. Its own files (relative and absolute imports, static or dynamic) are read and run
 * again per graph and freed with it. Packages and modules of Node are shared by the thread.
 */
const moduleGraph = (context: ScriptContext): ModuleGraph => {
  const { console } = context;
  const importFrom: ImportFrom = (specifier, importer) => imported(specifier, importer);
  const files = scriptFiles({ ...context, importFrom });
  const runCommonJs = commonJsModules(files, console);
  const imported = esModules(files, runCommonJs);
  return {
    files: files.all,
    run: async (file) => {
      const made = files.compile(file);
      if (made.kind === 'json') throw new LoadProblem(`${files.shown(file)} is JSON, not a script`);
      if (made.kind === 'cjs') {
        const { exports, declared } = runCommonJs(file, made.run);
        const names = namesOf(exports);
        // If `produce` is exported, other declared functions are not hooks.
        return 'produce' in names ? names : { ...declared, ...names };
      }
      const module = await imported(file, file);
      return module.namespace as Namespace;
    },
  };
};

/** Loads a fresh instance of the script. Returns an error of one sentence when that fails, with a position if known. */
export const loadScript = async (file: string, context: ScriptContext): Promise<Result<LoadedScript>> => {
  const { directory } = context;
  const shown = scriptPath(file, directory);
  const refuse = (sentence: string): Result<never> =>
    E.left(failure('plugin_failed', `script ${sentence}`, { file }));
  const wrongFile = checkFile(file, shown);
  if (wrongFile !== null) return refuse(wrongFile);
  const graph = moduleGraph(context);
  try {
    const { produce, snapshot, restore } = await graph.run(file);
    const wrong = checkProduce(produce, shown) ?? checkState(snapshot, restore, shown);
    if (wrong !== null) return refuse(wrong);
    const state = snapshot === undefined ? null : ({ snapshot, restore } as ScriptState);
    return E.right({ produce: produce as Produce, state, files: graph.files });
  } catch (thrown) {
    if (thrown instanceof LoadProblem) return refuse(`${shown}: ${thrown.message}`);
    return refuse(`${shown} failed to load: ${showThrown(describeThrown(thrown, graph.files, directory))}`);
  }
};

type Namespace = Readonly<Record<string, unknown>>;

type ImportFrom = (specifier: string, importer: string) => Promise<vm.Module>;

const synthetic = (identifier: string, values: Namespace): vm.SyntheticModule => {
  const names = Object.keys(values);
  const module: vm.SyntheticModule = new vm.SyntheticModule(
    names,
    () => {
      for (const name of names) module.setExport(name, values[name]);
    },
    { identifier },
  );
  return module;
};

/** Exports of a CommonJS file or JSON for ES modules. */
const namesOf = (exported: unknown): Namespace => {
  const isObject = (typeof exported === 'object' && exported !== null) || typeof exported === 'function';
  return { ...(isObject ? exported : {}), default: exported };
};

/** Imports a package or built-in module as Node does for `importer`. */
const nodeImport = (specifier: string, importer: string): Promise<Namespace> => {
  const script = new vm.Script('(specifier) => import(specifier)', {
    filename: importer,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const load = script.runInThisContext() as (specifier: string) => Promise<Namespace>;
  return load(specifier);
};

/** Finds modules, not yet linked; one per file, or per package and importing folder. */
const moduleFinder = (files: ScriptFiles, runCommonJs: RunCommonJs): ImportFrom => {
  const modules = new Map<string, Promise<vm.Module>>();

  const moduleOfFile = async (file: string): Promise<vm.Module> => {
    const made = files.compile(file);
    if (made.kind === 'esm') return made.module;
    return synthetic(file, namesOf(made.kind === 'json' ? made.value : runCommonJs(file, made.run).exports));
  };

  const make = (specifier: string, importer: string, key: string): Promise<vm.Module> => {
    if (specifier === OWN_PACKAGE) {
      return Promise.resolve(synthetic(specifier, { ...SIGNALS, default: SIGNALS }));
    }
    return isOwnModule(specifier)
      ? moduleOfFile(key)
      : nodeImport(specifier, importer).then((namespace) => synthetic(specifier, namespace));
  };

  return (specifier, importer) => {
    const key = isOwnModule(specifier)
      ? files.resolveFrom(specifier, importer)
      : `${specifier} from ${dirname(importer)}`;
    const known = modules.get(key);
    if (known !== undefined) return known;
    const made = make(specifier, importer, key);
    modules.set(key, made);
    return made;
  };
};

const esModules = (files: ScriptFiles, runCommonJs: RunCommonJs): ImportFrom => {
  const moduleOf = moduleFinder(files, runCommonJs);
  const evaluations = new Map<vm.Module, Promise<void>>();
  let linking: Promise<unknown> = Promise.resolve();

  /** Links one module at a time: concurrent links would meet half-linked modules. */
  const linked = async (module: vm.Module): Promise<void> => {
    const link = async (): Promise<void> => {
      if (module.status === 'unlinked') {
        await module.link(async (specifier, referencing) => moduleOf(specifier, referencing.identifier));
      }
    };
    const turn = linking.then(link);
    linking = turn.catch(() => {});
    await turn;
  };

  const evaluated = async (module: vm.Module): Promise<void> => {
    // Part of a running evaluation that may wait for this import.
    if (module.status === 'evaluating') return;
    const known = evaluations.get(module);
    const running = known ?? module.evaluate();
    if (known === undefined) evaluations.set(module, running);
    await running;
  };

  return async (specifier, importer) => {
    const module = await moduleOf(String(specifier), importer);
    await linked(module);
    await evaluated(module);
    return module;
  };
};

interface CommonJsModule {
  exports: unknown;
  readonly id: string;
  readonly filename: string;
  loaded: boolean;
  declared?: Declared;
}

/** Runs a CommonJS file once and returns its module. Throws what the file throws. */
type RunCommonJs = (file: string, run: CommonJsFunction) => Readonly<CommonJsModule>;

/** CommonJS files of a script; they can `require` each other and packages of Node. */
const commonJsModules = (files: ScriptFiles, console: unknown): RunCommonJs => {
  const modules = new Map<string, CommonJsModule>();

  const required = (file: string, importer: string): unknown => {
    const made = files.compile(file);
    if (made.kind === 'json') return made.value;
    if (made.kind === 'cjs') return runCommonJs(file, made.run).exports;
    throw new LoadProblem(
      `${files.shown(importer)} requires ${files.shown(file)}, which is an ES module. Load it with import.`,
    );
  };

  const requireFrom = (importer: string) => {
    const native = createRequire(importer);
    const require = (specifier: string): unknown => {
      if (specifier === OWN_PACKAGE) return SIGNALS;
      if (!isOwnModule(specifier) || extname(specifier) === '.node') return native(specifier);
      return required(files.resolveFrom(specifier, importer), importer);
    };
    const resolve = (specifier: string): string =>
      isOwnModule(specifier) ? files.resolveFrom(specifier, importer) : native.resolve(specifier);
    return Object.assign(require, { resolve, main: undefined });
  };

  const runCommonJs: RunCommonJs = (file, run) => {
    const known = modules.get(file);
    if (known !== undefined) return known;
    const module: CommonJsModule = { exports: {}, id: file, filename: file, loaded: false };
    modules.set(file, module);
    try {
      const { exports } = module;
      module.declared = run.call(exports, exports, requireFrom(file), module, file, dirname(file), console);
    } catch (thrown) {
      modules.delete(file);
      throw thrown;
    }
    module.loaded = true;
    return module;
  };

  return runCommonJs;
};
