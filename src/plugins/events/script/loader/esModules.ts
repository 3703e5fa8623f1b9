import { dirname } from 'node:path';
// Default import: without its flag Node has no named SyntheticModule.
import vm from 'node:vm';
import { SIGNALS } from '../signals.js';
import type { RunCommonJs } from './commonJs.js';
import { OWN_PACKAGE, type ScriptFiles } from './files.js';
import { isOwn } from './resolve.js';

export type Namespace = Readonly<Record<string, unknown>>;

export type ImportFrom = (specifier: string, importer: string) => Promise<vm.Module>;

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
export const namesOf = (exported: unknown): Namespace => {
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
    return isOwn(specifier)
      ? moduleOfFile(key)
      : nodeImport(specifier, importer).then((namespace) => synthetic(specifier, namespace));
  };

  return (specifier, importer) => {
    const key = isOwn(specifier)
      ? files.resolveFrom(specifier, importer)
      : `${specifier} from ${dirname(importer)}`;
    const known = modules.get(key);
    if (known !== undefined) return known;
    const made = make(specifier, importer, key);
    modules.set(key, made);
    return made;
  };
};

export const esModules = (files: ScriptFiles, runCommonJs: RunCommonJs): ImportFrom => {
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
