import { basename, dirname, join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { loadCluster } from '../../../config/cluster.js';
import { checkGeneratorText, MAX_CONFIG_BYTES } from '../../../config/generator/config.js';
import { outputShapeIn, readDestination } from '../../../config/generator/destinations.js';
import { readIncident } from '../../../config/incidents/read.js';
import { readLibraryText, readPack } from '../../../config/library/pack.js';
import { invalid } from '../../../config/report.js';
import { DEFAULT_GENERATION } from '../../../config/settings/generationFields.js';
import { loadSettings } from '../../../config/settings/settings.js';
import { loadStartup } from '../../../config/startup/startup.js';
import { loadWorld } from '../../../config/world.js';
import { parseYaml } from '../../../config/yaml/source.js';
import { failure, type Result, type SpateError } from '../../../domain/errors.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import { GENERATOR_FILE, LIBRARY_FILE } from '../../../domain/library.js';
import { plural } from '../../../domain/text/shown.js';
import { installed } from '../../../plugins/installed.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { cronDoubts } from '../../files/eventumCron.js';
import { filesAt, type NamedFile, YAML_FILE } from '../../files/namedFiles.js';
import { problemLines } from '../../report.js';
import { EXIT } from '../../terminal/io.js';
import { testOf } from '../test/find.js';
import {
  type Engine,
  generatorReferences,
  incidentReferences,
  startupReferences,
  type Warn,
} from './references.js';
import type { validateOptions } from './validate.js';

export const runValidate = async (
  { positionals, options: values }: Given<typeof validateOptions>,
  { io, services }: CommandContext,
): Promise<number> => {
  const engine = values['no-files'] === true ? null : await services.sample();
  let [valid, others, problems] = [0, 0, 0];
  const broken = new Set<string>();
  const seen = new Set<string>();
  const complain = (shown: string, lines: readonly string[]): void => {
    broken.add(shown);
    problems += lines.length;
    io.stdout.write(lines.map((line) => `${line}\n`).join(''));
  };
  for (const path of positionals) {
    const files = await filesAt(path, io.cwd, YAML_FILE);
    if (E.isLeft(files)) complain(path, problemLines(files.left));
    for (const file of E.isRight(files) ? files.right : []) {
      if (seen.has(file.path)) continue;
      seen.add(file.path);
      const verdict = await checkFile(file, engine, (error) =>
        io.stderr.write(
          problemLines(error)
            .map((line) => `warning: ${line}\n`)
            .join(''),
        ),
      );
      if (verdict === null) others++;
      else if (verdict.length === 0) valid++;
      else complain(file.shown, verdict.flatMap(problemLines));
    }
  }
  const left = others === 0 ? '' : ` (${plural(others, 'other YAML file')} skipped)`;
  if (problems > 0) {
    io.stderr.write(`spate: ${plural(problems, 'problem')} in ${plural(broken.size, 'file')}${left}.\n`);
    return EXIT.failed;
  }
  if (valid === 0) {
    io.stderr.write(`spate: no file to check in ${positionals.join(', ')}${left}.\n`);
    return EXIT.failed;
  }
  io.stdout.write(`${valid === 1 ? '1 file is' : `${plural(valid, 'file')} are`} valid${left}\n`);
  return EXIT.ok;
};

/** Recognized by content. */
type FileKind =
  | 'generator'
  | 'library'
  | 'settings'
  | 'startup'
  | 'cluster'
  | 'tests'
  | 'incident'
  | 'world'
  | 'destination';

/** Errors of a file; none when it is valid. Null when it is not a file of Spate. */
type Verdict = readonly SpateError[] | null;

const errorsOf = (result: Result<unknown>): readonly SpateError[] => (E.isLeft(result) ? [result.left] : []);

type Errors = readonly SpateError[];
type Check = (
  text: string,
  shown: string,
  path: string,
  engine: Engine | null,
  warn: Warn,
) => Errors | Promise<Errors>;

/** Errors of one file as one, so that its problems are listed in their order. */
const joined = (errors: Errors): Errors => {
  const files = [...new Set(errors.map(({ file }) => file))];
  return files.flatMap((file) => {
    const own = errors.filter((error) => error.file === file);
    const issues = own.flatMap((error) => error.issues ?? []);
    return file === undefined || own.some((error) => error.issues === undefined)
      ? own
      : [invalid(file, issues)];
  });
};

/** Compared with the config beside it, unless that is missing or no YAML. */
const checkLibrary: Check = async (text, shown, path) => {
  const library = { file: shown, text };
  const generator = await nodeFiles.readText(join(dirname(path), GENERATOR_FILE), MAX_CONFIG_BYTES);
  if (E.isRight(generator)) {
    const file = join(dirname(shown), GENERATOR_FILE);
    const pack = readPack('', { library, generator: { file, text: generator.right } });
    if (E.isRight(pack) || pack.left.file === shown) return errorsOf(pack);
  }
  return errorsOf(readLibraryText(library));
};

const CHECKS: Readonly<Record<FileKind, Check>> = {
  library: checkLibrary,
  generator: async (text, file, path, engine, warn) => {
    const doubts = cronDoubts(text, file, path);
    if (doubts.length > 0) warn(invalid(file, doubts));
    const errors = errorsOf(checkGeneratorText(text, file, installed().shapes.generator));
    const more = engine === null ? [] : await generatorReferences({ text, shown: file, path }, engine);
    return joined([...errors, ...more]);
  },
  settings: (text, file, _path, _engine, warn) => {
    const settings = loadSettings(text, file);
    if (E.isLeft(settings)) return [settings.left];
    for (const warning of settings.right.warnings) warn(failure('invalid', `${file}: ${warning}.`));
    return [];
  },
  startup: async (text, file, path, engine) => {
    // The generators directory is irrelevant to this part of the check.
    const list = loadStartup(text, file, DEFAULT_GENERATION, '/');
    if (E.isLeft(list)) return [list.left];
    const errors = list.right.rejected.map(({ error }) => error);
    return engine === null
      ? errors
      : joined([...errors, ...(await startupReferences({ text, shown: file, path }))]);
  },
  cluster: (text, file) => errorsOf(loadCluster(text, file, '')),
  tests: (text, file) => errorsOf(testOf(text, file)),
  world: (text, file) => errorsOf(loadWorld(text, file)),
  destination: (text, file) =>
    errorsOf(readDestination(text, file, outputShapeIn(installed().shapes.generator))),
  incident: async (text, shown, path, engine, warn) => {
    const incident = readIncident(text, { file: path, name: '', shown });
    if (E.isLeft(incident)) return [incident.left];
    return engine === null ? [] : incidentReferences(incident.right, engine, warn);
  },
};

/** Top-level keys unique to each kind; dotted keys by their first part. */
const KEYS: readonly (readonly [kind: FileKind, keys: readonly string[]])[] = [
  ['generator', ['input', 'event', 'output']],
  ['incident', ['phases', 'entities']],
  ['library', ['summary', 'category', 'event_bytes']],
  ['settings', ['server', 'generation', 'log', 'path']],
  ['cluster', ['nats']],
  ['tests', ['checks']],
  ['world', ['organization', 'staff', 'home_share', 'weekend_share', 'probes_per_hour']],
];

const hasKey = (value: Json, names: readonly string[]): boolean =>
  isJsonObject(value) && Object.keys(value).some((key) => names.includes(key.split('.', 1)[0] ?? ''));

/** A world may have any of its keys, or none: what tells its file is the folder. */
const WORLDS_FOLDER = 'worlds';
/** A destination has one key, the kind of its output. */
const DESTINATIONS_FOLDER = 'destinations';

const kindOf = (value: Json, file: NamedFile): FileKind | null => {
  if (/^generator\.ya?ml$/.test(basename(file.path))) return 'generator';
  if (basename(file.path) === LIBRARY_FILE) return 'library';
  const folder = basename(dirname(file.path));
  if (folder === WORLDS_FOLDER) return 'world';
  if (folder === DESTINATIONS_FOLDER) return 'destination';
  const byKeys = KEYS.find(([, keys]) => hasKey(value, keys));
  if (byKeys !== undefined) return byKeys[0];
  if (Array.isArray(value)) {
    return value.some((item: Json) => hasKey(item, ['id', 'path'])) || (file.isNamed && value.length === 0)
      ? 'startup'
      : null;
  }
  return value === null && file.isNamed ? 'startup' : null;
};

const unknownFile = (file: NamedFile): SpateError =>
  failure(
    'invalid',
    `${file.shown}: is not a file of Spate. A generator has the keys input, event and output, ` +
      'library.yml has summary, category and event_bytes, settings have server, generation, log and path, a cluster file has ' +
      'nats, tests have checks, an incident has phases, a world has organization or is in a folder worlds, a destination is in a folder destinations, a startup file is a list of entries with id and path.',
  );

/** A file that was not named itself may be of another kind. `engine`: checks the files that it refers to. */
const checkFile = async (file: NamedFile, engine: Engine | null, warn: Warn): Promise<Verdict> => {
  const text = await nodeFiles.readText(file.path, MAX_CONFIG_BYTES);
  if (E.isLeft(text)) return [text.left];
  const source = parseYaml(text.right, file.shown);
  if (E.isLeft(source)) return [source.left];
  const kind = kindOf(source.right.value, file);
  if (kind !== null) return CHECKS[kind](text.right, file.shown, file.path, engine, warn);
  return file.isNamed ? [unknownFile(file)] : null;
};
