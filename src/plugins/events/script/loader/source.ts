import { extname } from 'node:path';
// Default import: without its flag Node has no named SourceTextModule.
import vm from 'node:vm';
import { reasonOf } from '../../../../domain/errors.js';
import { readTextSync } from '../../../shared/inputFile.js';
import { LoadProblem, showPosition } from './problem.js';
import { syntaxErrorPosition, withoutTypes } from './types.js';

export interface ModuleHooks {
  readonly importDynamically: (specifier: string) => Promise<unknown>;
  readonly fillMeta: (meta: Record<string, unknown>) => void;
}

/** Top-level functions of a CommonJS file by name. Undefined for a name without a function. */
export type Declared = Readonly<Record<(typeof SCRIPT_FUNCTIONS)[number], unknown>>;

/** A CommonJS file as a function of its module variables; returns its top-level functions. */
export type CommonJsFunction = (
  exports: unknown,
  require: unknown,
  module: unknown,
  filename: string,
  dirname: string,
  console: unknown,
) => Declared;

export type Compiled =
  | { readonly kind: 'esm'; readonly module: vm.SourceTextModule }
  | { readonly kind: 'cjs'; readonly run: CommonJsFunction }
  | { readonly kind: 'json'; readonly value: unknown };

const TYPED = new Set(['.ts', '.mts', '.cts']);
const ALWAYS_ESM = new Set(['.mjs', '.mts']);
const ALWAYS_CJS = new Set(['.cjs', '.cts']);

const CJS_PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname'];

const SCRIPT_FUNCTIONS = ['produce', 'snapshot', 'restore'] as const;

/** Returns the top-level functions of a script without exports. */
const CJS_ENDING = `\n;return {${SCRIPT_FUNCTIONS.map(
  (name) => `${name}: typeof ${name} === 'function' ? ${name} : undefined`,
).join()}}`;

/** The script's `console`, in an extra first line that positions do not count. */
const ESM_BEGINNING = 'const console = import.meta.console;\n';

/** By name: a compiler may throw errors of another realm. */
const isSyntaxError = (value: unknown): value is SyntaxError =>
  (value as Partial<Error> | null)?.name === 'SyntaxError';

const orSyntaxError = <A>(make: () => A): A | SyntaxError => {
  try {
    return make();
  } catch (thrown) {
    if (isSyntaxError(thrown)) return thrown;
    throw thrown;
  }
};

/** Tries `second` if `first` has a syntax error; returns the error of `second`. */
const either = <A>(first: () => A, second: () => A): A | SyntaxError => {
  const made = orSyntaxError(first);
  return isSyntaxError(made) ? orSyntaxError(second) : made;
};

const compileCjs = (source: string, file: string, hooks: ModuleHooks): Compiled | SyntaxError => {
  const make = (parameters: readonly string[]): Compiled => ({
    kind: 'cjs',
    run: vm.compileFunction(source + CJS_ENDING, parameters, {
      filename: file,
      importModuleDynamically: hooks.importDynamically as never,
    }) as CommonJsFunction,
  });
  // A file may declare its own `console`.
  return either(
    () => make([...CJS_PARAMETERS, 'console']),
    () => make(CJS_PARAMETERS),
  );
};

const compileEsm = (source: string, file: string, hooks: ModuleHooks): Compiled | SyntaxError => {
  const make = (beginning: string): Compiled => ({
    kind: 'esm',
    module: new vm.SourceTextModule(beginning + source, {
      identifier: file,
      lineOffset: beginning === '' ? 0 : -1,
      initializeImportMeta: (meta) => hooks.fillMeta(meta as unknown as Record<string, unknown>),
      importModuleDynamically: hooks.importDynamically as never,
    }),
  });
  return either(
    () => make(ESM_BEGINNING),
    () => make(''),
  );
};

/** The extension decides the module type, else what compiles; package.json does not matter. */
const compileScript = (source: string, file: string, hooks: ModuleHooks): Compiled | SyntaxError => {
  const ending = extname(file);
  if (ALWAYS_ESM.has(ending)) return compileEsm(source, file, hooks);
  const cjs = compileCjs(source, file, hooks);
  if (ALWAYS_CJS.has(ending) || !isSyntaxError(cjs)) return cjs;
  const esm = compileEsm(source, file, hooks);
  if (!isSyntaxError(esm)) return esm;
  // Both failed: the error of the intended module type is better.
  return /import statement|'export'|import\.meta|await/.test(cjs.message) ? esm : cjs;
};

/** Source without byte order mark, `#!` line and types. */
const readSource = (file: string, shown: string, draft: string | undefined): string => {
  let text: string;
  try {
    text = draft ?? readTextSync(file);
  } catch (thrown) {
    throw new LoadProblem(`${shown} cannot be read: ${reasonOf(thrown)}`);
  }
  const source = text.replace(/^\ufeff/, '').replace(/^#!/, '//');
  return TYPED.has(extname(file)) ? withoutTypes(source, file, shown) : source;
};

/** Reads and compiles a file, or `draft` in its place. Throws `LoadProblem`. */
export const compileFile = (
  file: string,
  shown: string,
  hooks: ModuleHooks,
  draft: string | undefined,
): Compiled => {
  const ending = extname(file);
  if (ending === '.node' || ending === '.wasm') {
    throw new LoadProblem(`${shown}: scripts cannot load ${ending} files`);
  }
  const source = readSource(file, shown, draft);
  if (ending === '.json') {
    try {
      return { kind: 'json', value: JSON.parse(source) };
    } catch (thrown) {
      throw new LoadProblem(`${shown} is not valid JSON: ${reasonOf(thrown)}`);
    }
  }
  const compiled = compileScript(source, file, hooks);
  if (!isSyntaxError(compiled)) return compiled;
  throw new LoadProblem(
    `syntax error at ${showPosition(shown, syntaxErrorPosition(source, file))}: ${compiled.message}`,
  );
};
