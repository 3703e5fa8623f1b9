import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { scriptPath } from '../thrown.js';
import { type CompiledScript, compileFile, LoadProblem, type ModuleHooks } from './source.js';

export const OWN_PACKAGE = 'spate';

/** Files of one script instance, each read and compiled once. */
export interface ScriptFiles {
  /** Files compiled so far; grows with dynamic imports. */
  readonly all: ReadonlySet<string>;
  readonly shown: (file: string) => string;
  /** Resolves a specifier to a script file. Throws `LoadProblem`. */
  readonly resolveFrom: (specifier: string, importer: string) => string;
  readonly compile: (file: string) => CompiledScript;
}

export interface ScriptFilesOptions {
  readonly directory: string;
  readonly console: unknown;
  /** Texts that stand for files, by absolute path. */
  readonly drafts: ReadonlyMap<string, string>;
  readonly importFrom: (specifier: string, importer: string) => Promise<unknown>;
}

export const scriptFiles = ({ directory, console, drafts, importFrom }: ScriptFilesOptions): ScriptFiles => {
  const all = new Set<string>();
  const compiled = new Map<string, CompiledScript>();

  const shown = (file: string): string => scriptPath(file, directory);

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
        const found = isOwnModule(specifier)
          ? resolveFrom(specifier, file)
          : createRequire(file).resolve(specifier);
        return found.startsWith('/') ? pathToFileURL(found).href : found;
      };
    },
  });

  const compile = (file: string): CompiledScript => {
    const known = compiled.get(file);
    if (known !== undefined) return known;
    all.add(file);
    const made = compileFile(file, shown(file), hooksOf(file), drafts.get(file));
    compiled.set(file, made);
    return made;
  };

  return { all, shown, resolveFrom, compile };
};

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

const ENDINGS = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json'] as const;

/** TypeScript imports name the compiled file: `./x.js` may mean `./x.ts`. */
const SOURCES: readonly (readonly [made: RegExp, source: string])[] = [
  [/\.js$/, '.ts'],
  [/\.mjs$/, '.mts'],
  [/\.cjs$/, '.cts'],
];

/** Whether a specifier is a file of the script; others are packages and modules of Node. */
export const isOwnModule = (specifier: string): boolean =>
  /^\.{0,2}\//.test(specifier) || specifier === '.' || specifier === '..' || specifier.startsWith('file:');

/** Returns the file of a relative, absolute or `file:` specifier, or null when there is none. */
export const resolveOwn = (specifier: string, importer: string): string | null => {
  const path = specifier.startsWith('file:') ? fileURLToPath(specifier) : specifier.replace(/[?#].*$/s, '');
  const base = resolve(dirname(importer), path);
  const literal = resolve(dirname(importer), specifier);
  const candidates = [
    literal,
    base,
    ...SOURCES.filter(([made]) => made.test(base)).map(([made, source]) => base.replace(made, source)),
    ...ENDINGS.map((ending) => base + ending),
    ...ENDINGS.map((ending) => resolve(base, `index${ending}`)),
  ];
  return candidates.find(isFile) ?? null;
};

const PYTHON_ENDING = '.py';

export const isPython = (file: string): boolean => file.endsWith(PYTHON_ENDING);
