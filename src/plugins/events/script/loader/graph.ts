import { commonJsModules } from './commonJs.js';
import { esModules, type ImportFrom, type Namespace, namesOf } from './esModules.js';
import { scriptFiles } from './files.js';
import { LoadProblem } from './problem.js';

/** One instance of a script with the files it imports. */
export interface ModuleGraph {
  /** Evaluates the script and gives what it exports, by name. */
  readonly run: (file: string) => Promise<Namespace>;
  /** Files of the script loaded so far; grows with dynamic imports. */
  readonly files: ReadonlySet<string>;
}

/**
 * A fresh instance of a script: its own files (relative and absolute imports, ES modules and CommonJS,
 * dynamic imports too) are read and run again for every graph and freed with it. Packages and modules of
 * Node come from Node and are shared by the thread.
 */
export const moduleGraph = (directory: string, console: unknown): ModuleGraph => {
  const importFrom: ImportFrom = (specifier, importer) => imported(specifier, importer);
  const files = scriptFiles({ directory, console, importFrom });
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
        // What only looks like a hook of a script that exports its `produce` is none.
        return 'produce' in names ? names : { ...declared, ...names };
      }
      const module = await imported(file, file);
      return module.namespace as Namespace;
    },
  };
};
