import { statSync } from 'node:fs';
import { extname } from 'node:path';
import vm from 'node:vm';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../../domain/errors.js';
import type { Json } from '../../../../domain/json.js';
import { SCRIPT_THREAD_FLAGS } from '../../../../domain/scriptThread.js';
import { describeThrown, shownPath, showThrown } from '../thrown.js';
import { commonJsModules } from './commonJs.js';
import { esModules, type ImportFrom, type Namespace, namesOf } from './esModules.js';
import { type ScriptFilesOptions, scriptFiles } from './files.js';
import { LoadProblem } from './problem.js';

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
  const shown = shownPath(file, directory);
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
