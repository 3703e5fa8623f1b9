import { createRequire } from 'node:module';
import { dirname, extname } from 'node:path';
import { SIGNALS } from '../signals.js';
import { OWN_PACKAGE, type ScriptFiles } from './files.js';
import { LoadProblem } from './problem.js';
import { isOwn } from './resolve.js';
import type { CommonJsFunction, Declared } from './source.js';

interface CommonJsModule {
  exports: unknown;
  readonly id: string;
  readonly filename: string;
  loaded: boolean;
  declared?: Declared;
}

/** Runs a CommonJS file once and returns its module. Throws what the file throws. */
export type RunCommonJs = (file: string, run: CommonJsFunction) => Readonly<CommonJsModule>;

/** CommonJS files of a script; they can `require` each other and packages of Node. */
export const commonJsModules = (files: ScriptFiles, console: unknown): RunCommonJs => {
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
      if (!isOwn(specifier) || extname(specifier) === '.node') return native(specifier);
      return required(files.resolveFrom(specifier, importer), importer);
    };
    const resolve = (specifier: string): string =>
      isOwn(specifier) ? files.resolveFrom(specifier, importer) : native.resolve(specifier);
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
