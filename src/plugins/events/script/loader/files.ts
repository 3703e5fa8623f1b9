import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { shownPath } from '../thrown.js';
import { LoadProblem } from './problem.js';
import { isOwn, resolveOwn } from './resolve.js';
import { type Compiled, compileFile, type ModuleHooks } from './source.js';

/** The name under which scripts import what belongs to Spate. */
export const OWN_PACKAGE = 'spate';

/** The files of one instance of a script, each read and compiled once. */
export interface ScriptFiles {
  /** Those compiled so far; grows with dynamic imports. */
  readonly all: ReadonlySet<string>;
  /** The file as people know it. */
  readonly shown: (file: string) => string;
  /** The file of the script that a specifier means. Throws `LoadProblem`. */
  readonly resolveFrom: (specifier: string, importer: string) => string;
  /** Throws `LoadProblem`. */
  readonly compile: (file: string) => Compiled;
}

/** What the files of a script are tied to. */
export interface ScriptFilesOptions {
  /** Folder that paths are shown relative to. */
  readonly directory: string;
  /** The `console` of the script. */
  readonly console: unknown;
  /** What a dynamic `import()` in a file gives. */
  readonly importFrom: (specifier: string, importer: string) => Promise<unknown>;
}

/** The files of a fresh instance of a script; nothing is read yet. */
export const scriptFiles = ({ directory, console, importFrom }: ScriptFilesOptions): ScriptFiles => {
  const all = new Set<string>();
  const compiled = new Map<string, Compiled>();

  const shown = (file: string): string => shownPath(file, directory);

  const resolveFrom = (specifier: string, importer: string): string => {
    const file = resolveOwn(specifier, importer);
    if (file !== null) return file;
    throw new LoadProblem(`${shown(importer)} imports '${specifier}', which does not exist`);
  };

  const hooksOf = (file: string): ModuleHooks => ({
    importDynamically: (specifier) => importFrom(specifier, file),
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

  const compile = (file: string): Compiled => {
    const known = compiled.get(file);
    if (known !== undefined) return known;
    all.add(file);
    const made = compileFile(file, shown(file), hooksOf(file));
    compiled.set(file, made);
    return made;
  };

  return { all, shown, resolveFrom, compile };
};
