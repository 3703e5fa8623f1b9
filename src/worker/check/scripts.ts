import vm from 'node:vm';
import { runCommand } from '../../adapters/processes/runCommand.js';
import { reasonOf } from '../../domain/errors.js';
import { parsedJson } from '../../domain/json.js';
import { LoadProblem } from '../../plugins/events/script/loader/problem.js';
import { isOwn, resolveOwn } from '../../plugins/events/script/loader/resolve.js';
import { compileFile, type ModuleHooks } from '../../plugins/events/script/loader/source.js';
import { isPython } from '../../plugins/events/script/python/ending.js';
import { shownPath } from '../../plugins/events/script/thrown.js';
import { readTextSync } from '../../plugins/shared/inputFile.js';

/** Files of one script. */
const MAX_IMPORTS = 200;

const PYTHON_MS = 10_000;

/** Nothing runs, so nothing is imported. */
const HOOKS: ModuleHooks = {
  importDynamically: () => Promise.reject(new LoadProblem('nothing runs here')),
  fillMeta: () => undefined,
};

const NO_PRODUCE =
  'does not export a function named produce. Add "export function produce({ timestamp, tags }) { ... }".';

/** Compiles a script and the files that it imports; throws `LoadProblem`. */
const compileAll = (file: string, directory: string, seen: Set<string>): void => {
  if (seen.has(file) || seen.size >= MAX_IMPORTS) return;
  seen.add(file);
  const shown = shownPath(file, directory);
  const compiled = compileFile(file, shown, HOOKS, undefined);
  if (compiled.kind !== 'esm') return;
  for (const specifier of compiled.module.dependencySpecifiers) {
    if (!isOwn(specifier)) continue;
    const found = resolveOwn(specifier, file);
    if (found === null) throw new LoadProblem(`${shown} imports '${specifier}', which does not exist`);
    compileAll(found, directory, seen);
  }
};

const javaScriptProblem = (file: string, directory: string): string | null => {
  if (typeof vm.SourceTextModule !== 'function') return null;
  try {
    compileAll(file, directory, new Set());
  } catch (thrown) {
    return thrown instanceof LoadProblem ? thrown.message : `cannot be compiled: ${reasonOf(thrown)}`;
  }
  const source = readTextSync(file);
  return /\bproduce\b|\bexport\s*\*/.test(source) ? null : `${shownPath(file, directory)} ${NO_PRODUCE}`;
};

/** Prints a list: line, column and message of a syntax error, or whether the file has `produce`. */
const PYTHON = `import ast, json, sys
try:
    tree = ast.parse(open(sys.argv[1], "rb").read(), sys.argv[1])
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)): names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store): names.add(node.id)
        elif isinstance(node, ast.alias): names.add(node.asname or node.name)
    print(json.dumps([bool(names & {"produce", "*"})]))
except SyntaxError as e:
    print(json.dumps([e.lineno or 1, e.offset or 1, e.msg]))
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const pythonProblem = (file: string, directory: string): string | null => {
  const shown = shownPath(file, directory);
  const command = `python3 -c ${quoted(PYTHON)} ${quoted(file)}`;
  const result = runCommand(command, { cwd: directory, env: null, timeout_ms: PYTHON_MS });
  const answer = 'stdout' in result && result.exit_code === 0 ? parsedJson(result.stdout) : undefined;
  // Without a Python of this machine nothing can be said.
  if (!Array.isArray(answer)) return null;
  if (answer.length === 3) return `syntax error at ${shown}:${answer[0]}:${answer[1]}: ${answer[2]}`;
  return answer[0] === true
    ? null
    : `${shown} has no function named produce. Add "def produce(params): ...".`;
};

/** Why a script cannot be loaded, as far as its text shows; null for none. Nothing of it runs. */
export const scriptProblem = (file: string, directory: string): string | null =>
  isPython(file) ? pythonProblem(file, directory) : javaScriptProblem(file, directory);
