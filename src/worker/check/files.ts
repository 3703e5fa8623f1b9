import { dirname } from 'node:path';
import vm from 'node:vm';
import * as E from 'fp-ts/lib/Either.js';
import { runCommand } from '../../adapters/processes/programs.js';
import { systemClock } from '../../adapters/systemClock.js';
import { type Issue, reasonOf, systemCodeOf } from '../../domain/errors.js';
import { isJsonObject, type Json, parsedJson } from '../../domain/json.js';
import { hasPlaceholder } from '../../domain/placeholder.js';
import { seededRandom } from '../../domain/random.js';
import { utc } from '../../domain/time/zone.js';
import { isOwnModule, isPython, resolveOwn } from '../../plugins/events/script/loader/files.js';
import { compileFile, LoadProblem, type ModuleHooks } from '../../plugins/events/script/loader/source.js';
import { scriptPath } from '../../plugins/events/script/thrown.js';
import { loadSamples } from '../../plugins/events/template/context/samples/load.js';
import { sampleShape } from '../../plugins/events/template/context/samples/shape.js';
import { registry } from '../../plugins/registry.js';
import { generatorFile, globFiles, openInputFile, readTextSync } from '../../plugins/shared/inputFile.js';
import { type AnyShape, decode, type FieldDoc } from '../../schema/index.js';
import { SILENT } from '../sample/parts.js';

/** Larger files are only opened, so that a check takes no time. */
const MAX_PARSED_BYTES = 16 * 1024 * 1024;

/** Files of one path with `*`. */
const MAX_FILES = 1_000;

/** Inputs that are read whole at their start, which finds every mistake in their files. */
const READ_WHOLE: ReadonlySet<string> = new Set(['timestamps', 'time_patterns']);

type Path = readonly (string | number)[];

/** A path in a config, and the value there. */
interface Named {
  readonly path: Path;
  readonly file: string;
}

const isFixed = (value: unknown): value is string => typeof value === 'string' && !hasPlaceholder(value);

const namedBy = ({ reads }: Partial<FieldDoc>, value: Json, path: Path): readonly Named[] => {
  if (reads === 'file') return isFixed(value) ? [{ path, file: value }] : [];
  if (reads !== 'files' || !Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((one, index) =>
    isFixed(one) ? [{ path: [...path, index], file: one }] : [],
  );
};

/** Files that a value names, by the declarations of its fields. */
const filesNamed = (shape: AnyShape, value: Json, path: Path = []): readonly Named[] => {
  const named = namedBy(shape as Partial<FieldDoc>, value, path);
  if (typeof value !== 'object' || value === null) return named;
  const entries: readonly (readonly [string | number, Json])[] = Array.isArray(value)
    ? [...(value as readonly Json[]).entries()]
    : Object.entries(value);
  return [
    ...named,
    ...entries.flatMap(([key, inner]) => {
      const below = shape.child?.(value, key);
      return below === undefined ? [] : filesNamed(below, inner, [...path, key]);
    }),
  ];
};

const ENDS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'must not be read by this user',
};

/** Returns the size of a file, or why it cannot be read. A file without a byte is as good as none. */
const sizeOf = async (file: string): Promise<E.Either<string, number>> => {
  try {
    const opened = await openInputFile(file, systemClock);
    const { size } = await opened.stat();
    await opened.close();
    return size === 0 ? E.left('is empty') : E.right(size);
  } catch (thrown) {
    return E.left(ENDS[systemCodeOf(thrown)] ?? `cannot be read: ${reasonOf(thrown)}`);
  }
};

const issue = (path: Path, message: string, hint?: string): Issue => ({
  path,
  type: 'bad_file',
  message,
  ...(hint === undefined ? {} : { hint }),
});

const fileIssues = async (directory: string, { path, file }: Named): Promise<readonly Issue[]> => {
  const names = await globFiles(directory, file);
  if (names.length === 0) return [issue(path, `matches no file below ${directory}`)];
  const issues: Issue[] = [];
  for (const name of names.slice(0, MAX_FILES)) {
    const full = generatorFile({ directory }, name);
    const size = await sizeOf(full);
    if (E.isLeft(size)) {
      const what = name === file ? `the file ${size.left}` : `${name} ${size.left}`;
      issues.push(issue(path, what, `Looked for ${full}.`));
    }
  }
  return issues;
};

const memberOf = (value: Json | undefined, key: string): Json | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

const SAMPLES: Path = ['event', 'template', 'samples'];

const holdsPlaceholder = (value: Json): boolean => hasPlaceholder(JSON.stringify(value));

/** What files of a config were found to be. */
export interface CheckedFiles {
  readonly issues: readonly Issue[];
  /** Columns of samples, by name. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
}

/** Loads the samples of a config as its generator does. */
const checkSamples = async (config: Json, directory: string): Promise<CheckedFiles> => {
  const samples = SAMPLES.reduce<Json | undefined>((value, key) => memberOf(value, String(key)), config);
  const issues: Issue[] = [];
  const columns = new Map<string, readonly string[]>();
  for (const [name, written] of Object.entries(isJsonObject(samples) ? samples : {})) {
    const decoded = holdsPlaceholder(written) ? null : decode(sampleShape, written);
    if (decoded === null || E.isLeft(decoded)) continue;
    const { params } = decoded.right;
    const path = [...SAMPLES, name, 'source'];
    if (typeof params.source === 'string') {
      const size = await sizeOf(generatorFile({ directory }, params.source));
      if (E.isRight(size) && size.right > MAX_PARSED_BYTES) continue;
    }
    const surroundings = { directory, clock: systemClock, random: seededRandom('') };
    const loaded = await loadSamples({ [name]: decoded.right }, surroundings);
    if (E.isLeft(loaded)) issues.push(issue(path, loaded.left.message));
    else {
      const known = loaded.right.get(name)?.columns;
      if (known?.areNamed === true) columns.set(name, known.names);
    }
  }
  return { issues, columns };
};

const checkScript = async (config: Json, directory: string): Promise<readonly Issue[]> => {
  const file = memberOf(memberOf(memberOf(config, 'event'), 'script'), 'path');
  if (!isFixed(file)) return [];
  const full = generatorFile({ directory }, file);
  const size = await sizeOf(full);
  if (E.isLeft(size) || size.right > MAX_PARSED_BYTES) return [];
  const problem = scriptProblem(full, directory);
  return problem === null ? [] : [issue(['event', 'script', 'path'], problem)];
};

/** Builds the inputs that read their files whole. */
const checkInputs = async (
  config: Json,
  directory: string,
  shape: AnyShape,
  broken: readonly Issue[],
): Promise<readonly Issue[]> => {
  const written = memberOf(config, 'input');
  const list = shape.child?.(config, 'input');
  const issues: Issue[] = [];
  for (const [index, entry] of (Array.isArray(written) ? (written as readonly Json[]) : []).entries()) {
    const [kind = ''] = isJsonObject(entry) ? Object.keys(entry) : [];
    const isBroken = broken.some(({ path }) => path[0] === 'input' && path[1] === index);
    const own = list?.child?.(written, index);
    if (!READ_WHOLE.has(kind) || isBroken || own === undefined || holdsPlaceholder(entry)) continue;
    const decoded = decode(own, entry);
    if (E.isLeft(decoded)) continue;
    const { params } = decoded.right as { readonly params: never };
    const plugin = await registry.input(kind);
    const built = await plugin.build(params, {
      directory,
      zone: utc,
      clock: systemClock,
      random: seededRandom(''),
      log: SILENT,
      signal: new AbortController().signal,
      now: systemClock.now(),
      skipPast: false,
    });
    if (E.isLeft(built)) issues.push(issue(['input', index, kind], built.left.message));
  }
  return issues;
};

/**
 * Checks the files that a config names: each is there, and samples, scripts, patterns and lists of timestamps can be read as
 * their generator reads them. Names with placeholders are skipped, and files above 16 MiB are only opened. No script runs.
 */
export const checkFilesOf = async (config: Json, path: string, shape: AnyShape): Promise<CheckedFiles> => {
  const directory = dirname(path);
  const issues: Issue[] = [];
  for (const named of filesNamed(shape, config)) issues.push(...(await fileIssues(directory, named)));
  const samples = await checkSamples(config, directory);
  issues.push(...samples.issues, ...(await checkScript(config, directory)));
  issues.push(...(await checkInputs(config, directory, shape, issues)));
  return { issues, columns: samples.columns };
};

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
  const shown = scriptPath(file, directory);
  const compiled = compileFile(file, shown, HOOKS, undefined);
  if (compiled.kind !== 'esm') return;
  for (const specifier of compiled.module.dependencySpecifiers) {
    if (!isOwnModule(specifier)) continue;
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
  return /\bproduce\b|\bexport\s*\*/.test(source) ? null : `${scriptPath(file, directory)} ${NO_PRODUCE}`;
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
  const shown = scriptPath(file, directory);
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
const scriptProblem = (file: string, directory: string): string | null =>
  isPython(file) ? pythonProblem(file, directory) : javaScriptProblem(file, directory);
