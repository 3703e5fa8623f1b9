import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import vm from 'node:vm';
import { reasonOf } from '../../../../domain/errors.js';
import { readTextSync } from '../../../shared/inputFile.js';

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

export type CompiledScript =
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

const compileCjs = (source: string, file: string, hooks: ModuleHooks): CompiledScript | SyntaxError => {
  const make = (parameters: readonly string[]): CompiledScript => ({
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

const compileEsm = (source: string, file: string, hooks: ModuleHooks): CompiledScript | SyntaxError => {
  const make = (beginning: string): CompiledScript => ({
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
const compileScript = (source: string, file: string, hooks: ModuleHooks): CompiledScript | SyntaxError => {
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
): CompiledScript => {
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

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly startLine: number;
  readonly startColumn: number;
}

const isRefusal = (thrown: unknown): thrown is Refusal =>
  typeof thrown === 'object' && thrown !== null && 'startLine' in thrown && 'startColumn' in thrown;

/** 10 MB that few generators need, and only briefly: let the collector free them. */
let loaded: WeakRef<Eraser> | null = null;

const eraser = (): Eraser => {
  const found = loaded?.deref() ?? loadEraser();
  loaded = new WeakRef(found);
  return found;
};

const transform = (source: string, file: string): string =>
  eraser().transformSync(source, { mode: 'strip-only', filename: file, deprecatedTsModuleAsError: true })
    .code;

const positionOf = ({ startLine, startColumn }: Refusal): SourcePosition => ({
  line: startLine,
  column: startColumn + 1,
});

/** Removes erasable types; `enum`, `namespace` and `import =` are errors. */
export const withoutTypes = (source: string, file: string, shown: string): string => {
  try {
    return transform(source, file);
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    const where = showPosition(shown, positionOf(thrown));
    if (thrown.code === 'UnsupportedSyntax') {
      throw new LoadProblem(`${thrown.message} (${where}). Use syntax with erasable types.`);
    }
    throw new LoadProblem(`syntax error at ${where}: ${thrown.message}`);
  }
};

/** Returns the position of a syntax error in a JavaScript module, which V8 does not report. Null when it is unknown. */
const syntaxErrorPosition = (source: string, file: string): SourcePosition | null => {
  try {
    transform(source, file);
    return null;
  } catch (thrown) {
    return isRefusal(thrown) ? positionOf(thrown) : null;
  }
};

/** The used part of `@swc/wasm-typescript`: replaces types with blanks, so positions stay. */
interface Eraser {
  readonly transformSync: (
    source: string,
    options: {
      readonly mode: 'strip-only';
      readonly filename: string;
      readonly deprecatedTsModuleAsError: true;
    },
  ) => { readonly code: string };
}

const PACKAGE = '@swc/wasm-typescript';

/** Text around the WebAssembly program (base64) in the file of the package. */
const BEGIN = "Buffer.from('";
const END = "', 'base64')";
/** Bytes per read: whole groups of four characters, and more than the text around the program. */
const CHUNK = 64 * 1024;

const textAt = (file: number, start: number, length: number): string => {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.toString('latin1', 0, readSync(file, bytes, 0, length, start));
};

const decoded = (file: number, start: number, end: number): Uint8Array => {
  const bytes = Buffer.allocUnsafeSlow(((end - start) / 4) * 3);
  let size = 0;
  for (let at = start; at < end; at += CHUNK)
    size += bytes.write(textAt(file, at, Math.min(CHUNK, end - at)), size, 'base64');
  return bytes.subarray(0, size);
};

type Glue = (
  module: { readonly exports: object },
  require: NodeJS.Require,
  program: (text: string) => Uint8Array,
) => void;

const glueOf = (text: string, name: string): Glue =>
  vm.compileFunction(text, ['module', 'require', 'programOf'], { filename: name }) as Glue;

const inParts = (name: string, require: NodeJS.Require): Eraser | null => {
  const file = openSync(name, 'r');
  try {
    const { size } = fstatSync(file);
    const tailStart = Math.max(0, size - CHUNK);
    const head = textAt(file, 0, CHUNK);
    const tail = textAt(file, tailStart, CHUNK);
    const begin = head.indexOf(BEGIN);
    const end = tail.lastIndexOf(END);
    if (begin < 0 || end < 0) return null;
    const program = decoded(file, begin + BEGIN.length, tailStart + end);
    const module = { exports: {} };
    const glue = `${head.slice(0, begin)}programOf('${tail.slice(end)}`;
    glueOf(glue, name)(module, require, () => program);
    return module.exports as Eraser;
  } finally {
    closeSync(file);
  }
};

/**
 * Loads the package so that its memory can be freed. `require` keeps 3.7 MB of text (20 MB while parsing) and the
 * program for good.
 */
const loadEraser = (): Eraser => {
  const require = createRequire(import.meta.url);
  return inParts(require.resolve(PACKAGE), require) ?? (require(PACKAGE) as Eraser);
};

/** Why a script cannot be loaded; thrown inside the loader only. */
export class LoadProblem extends Error {}

/** From 1. */
interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

const showPosition = (file: string, position: SourcePosition | null): string =>
  position === null ? file : `${file}:${position.line}:${position.column}`;
