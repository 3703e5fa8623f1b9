import { createRequire } from 'node:module';
import { dirname, extname } from 'node:path';
import { pathToFileURL } from 'node:url';
// The default export: without its flag Node has no SyntheticModule to import by name.
import vm from 'node:vm';
import { SIGNALS } from '../signals.js';
import { shownPath } from '../thrown.js';
import { LoadProblem } from './problem.js';
import { isOwn, resolveOwn } from './resolve.js';
import { type CommonJsFunction, type Compiled, compileFile, type ModuleHooks } from './source.js';

/** The name under which scripts import what belongs to Spate. */
const OWN_PACKAGE = 'spate';

export interface ModuleGraph {
  /** Evaluates the script and gives what it exports, by name. */
  readonly run: (file: string) => Promise<Readonly<Record<string, unknown>>>;
  /** Files of the script loaded so far; grows with dynamic imports. */
  readonly files: ReadonlySet<string>;
}

interface CommonJsModule {
  exports: unknown;
  readonly id: string;
  readonly filename: string;
  loaded: boolean;
}

const synthetic = (identifier: string, values: Readonly<Record<string, unknown>>): vm.SyntheticModule => {
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

/** Names and values of what a CommonJS file or JSON exports, as an ES module sees them. */
const namesOf = (exported: unknown): Readonly<Record<string, unknown>> => {
  const isObject = (typeof exported === 'object' && exported !== null) || typeof exported === 'function';
  return { ...(isObject ? exported : {}), default: exported };
};

/** Lets Node import a package or built-in module as if the file had said it. */
const nodeImport = (specifier: string, importer: string): Promise<Readonly<Record<string, unknown>>> => {
  const script = new vm.Script('(specifier) => import(specifier)', {
    filename: importer,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const load = script.runInThisContext() as (specifier: string) => Promise<Readonly<Record<string, unknown>>>;
  return load(specifier);
};

/**
 * A fresh instance of a script: its own files (relative and absolute imports, ES modules and CommonJS,
 * dynamic imports too) are read and run again for every graph and freed with it. Packages and modules of
 * Node come from Node and are shared by the thread.
 */
export const moduleGraph = (directory: string, console: unknown): ModuleGraph => {
  const files = new Set<string>();
  const compiled = new Map<string, Compiled>();
  const modules = new Map<string, Promise<vm.Module>>();
  const commonJs = new Map<string, CommonJsModule & { produce?: unknown }>();
  const evaluations = new Map<vm.Module, Promise<void>>();
  let linking: Promise<unknown> = Promise.resolve();

  const shown = (file: string): string => shownPath(file, directory);

  const resolveFrom = (specifier: string, importer: string): string => {
    const file = resolveOwn(specifier, importer);
    if (file === null) {
      throw new LoadProblem(`${shown(importer)} imports '${specifier}', which does not exist`);
    }
    return file;
  };

  const compile = (file: string): Compiled => {
    const known = compiled.get(file);
    if (known !== undefined) return known;
    files.add(file);
    const made = compileFile(file, shown(file), hooksOf(file));
    compiled.set(file, made);
    return made;
  };

  const hooksOf = (file: string): ModuleHooks => ({
    importDynamically: (specifier) => imported(specifier, file),
    fillMeta: (meta) => {
      meta['url'] = pathToFileURL(file).href;
      meta['filename'] = file;
      meta['dirname'] = dirname(file);
      meta['console'] = console;
      meta['resolve'] = (specifier: string): string => {
        const found = isOwn(specifier)
          ? resolveFrom(specifier, file)
          : createRequire(file).resolve(specifier);
        return found.startsWith('/') ? pathToFileURL(found).href : found;
      };
    },
  });

  const requireFrom = (importer: string) => {
    const native = createRequire(importer);
    const require = (specifier: string): unknown => {
      if (specifier === OWN_PACKAGE) return SIGNALS;
      if (!isOwn(specifier) || extname(specifier) === '.node') return native(specifier);
      return required(resolveFrom(specifier, importer), importer);
    };
    const resolve = (specifier: string): string =>
      isOwn(specifier) ? resolveFrom(specifier, importer) : native.resolve(specifier);
    return Object.assign(require, { resolve, main: undefined });
  };

  const required = (file: string, importer: string): unknown => {
    const made = compile(file);
    if (made.kind === 'json') return made.value;
    if (made.kind === 'cjs') return runCommonJs(file, made.run).exports;
    throw new LoadProblem(
      `${shown(importer)} requires ${shown(file)}, which is an ES module: load it with import`,
    );
  };

  const runCommonJs = (file: string, run: CommonJsFunction): CommonJsModule & { produce?: unknown } => {
    const known = commonJs.get(file);
    if (known !== undefined) return known;
    const module: CommonJsModule & { produce?: unknown } = {
      exports: {},
      id: file,
      filename: file,
      loaded: false,
    };
    commonJs.set(file, module);
    try {
      const { exports } = module;
      module.produce = run.call(exports, exports, requireFrom(file), module, file, dirname(file), console);
    } catch (thrown) {
      commonJs.delete(file);
      throw thrown;
    }
    module.loaded = true;
    return module;
  };

  const moduleOfFile = async (file: string): Promise<vm.Module> => {
    const made = compile(file);
    if (made.kind === 'esm') return made.module;
    const values = namesOf(made.kind === 'json' ? made.value : runCommonJs(file, made.run).exports);
    return synthetic(file, values);
  };

  const moduleOf = (specifier: string, importer: string): Promise<vm.Module> => {
    const own = isOwn(specifier);
    const key = own ? resolveFrom(specifier, importer) : `${specifier} from ${dirname(importer)}`;
    const known = modules.get(key);
    if (known !== undefined) return known;
    const made =
      specifier === OWN_PACKAGE
        ? Promise.resolve(synthetic(specifier, { ...SIGNALS, default: SIGNALS }))
        : own
          ? moduleOfFile(key)
          : nodeImport(specifier, importer).then((namespace) => synthetic(specifier, namespace));
    modules.set(key, made);
    return made;
  };

  /** Links one module after the other: two at a time would meet half linked modules. */
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
    // Already under way as part of another module, which may be waiting for this import.
    if (module.status === 'evaluating') return;
    const known = evaluations.get(module);
    const running = known ?? module.evaluate();
    if (known === undefined) evaluations.set(module, running);
    await running;
  };

  const imported = async (specifier: string, importer: string): Promise<vm.Module> => {
    const module = await moduleOf(String(specifier), importer);
    await linked(module);
    await evaluated(module);
    return module;
  };

  return {
    files,
    run: async (file) => {
      const made = compile(file);
      if (made.kind === 'json') throw new LoadProblem(`${shown(file)} is JSON, not a script`);
      if (made.kind === 'cjs') {
        const { exports, produce } = runCommonJs(file, made.run);
        return { ...(produce === undefined ? {} : { produce }), ...namesOf(exports) };
      }
      const module = await imported(file, file);
      return module.namespace as Readonly<Record<string, unknown>>;
    },
  };
};
