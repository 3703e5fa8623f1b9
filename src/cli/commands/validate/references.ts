import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { MAX_CONFIG_BYTES } from '../../../config/generator/config.js';
import { destinationErrors } from '../../../config/generator/destinations.js';
import { choiceIssue, choicesOf, type GivenTo, paramIssuesAt } from '../../../config/generator/given.js';
import { memberIssues } from '../../../config/incidents/member.js';
import type { IncidentFile } from '../../../config/incidents/read.js';
import { invalid } from '../../../config/report.js';
import { DEFAULT_GENERATION } from '../../../config/settings/generationFields.js';
import { loadSettings } from '../../../config/settings/settings.js';
import { loadStartup } from '../../../config/startup/startup.js';
import { type Expanded, readDocument } from '../../../config/yaml/document.js';
import { locateIssues, parseYaml } from '../../../config/yaml/source.js';
import type { Issue, Result, SpateError } from '../../../domain/errors.js';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import { GENERATOR_FILE } from '../../../domain/library.js';
import { installed } from '../../../plugins/installed.js';
import { YAML_FILE } from '../../files/namedFiles.js';
import type { Services } from '../../terminal/io.js';

type Errors = readonly SpateError[];

/** What reads the files of generators. */
export type Engine = Awaited<ReturnType<Services['sample']>>;

/** A checked file: absolute, and as problems name it. */
export interface CheckedFile {
  readonly path: string;
  readonly shown: string;
  readonly text: string;
}

const { readText } = nodeFiles;

const documentOf = (text: string, file: string): Result<Expanded> =>
  readDocument(text, file, installed().shapes.generator);

const reader = {
  readText,
  value: (text: string, file: string) => E.map(({ value }: Expanded) => value)(documentOf(text, file)),
};

/** Problems of the files that a generator config names, and of its templates. */
export const generatorReferences = async (
  { path, shown, text }: CheckedFile,
  engine: Engine,
): Promise<Errors> => {
  const document = documentOf(text, shown);
  if (E.isLeft(document)) return [];
  const { source, value } = document.right;
  const shape = installed().shapes.generator;
  const files = await engine.checkFilesOf(value, path, shape);
  const destinations = await destinationErrors(value, { path, files: nodeFiles, shape });
  // Lazy: the template engine is large.
  const { checkGenerator } = await import('../template/generator.js');
  const checked = await checkGenerator(path, { cwd: '/', program: 'spate' }, files.columns);
  const findings = E.isRight(checked) && checked.right !== null ? checked.right.findings : [];
  const ofFile = new Map<string, Issue[]>();
  for (const { file, line, column, severity, code, message, shown: marked } of findings) {
    if (severity !== 'error') continue;
    const name =
      file === path.slice(1) || file === path
        ? shown
        : join(dirname(shown), file.slice(dirname(path).length));
    const location = line === null ? {} : { line, column: column ?? 1 };
    const issue = { path: [], type: code, message, ...location, ...(marked === '' ? {} : { shown: marked }) };
    ofFile.set(name, [...(ofFile.get(name) ?? []), issue]);
  }
  const named = destinations.flatMap(({ file, issues }) => (file === undefined ? (issues ?? []) : []));
  const own = [...locateIssues(source, [...files.issues, ...named]), ...(ofFile.get(shown) ?? [])];
  ofFile.delete(shown);
  return [
    ...(own.length === 0 ? [] : [invalid(shown, own)]),
    ...[...ofFile].map(([file, issues]) => invalid(file, issues)),
    ...destinations.filter(({ file }) => file !== undefined),
  ];
};

/** Directory of generators of the settings file beside a startup file that names it; null without one. */
const generatorsDirOf = async (startup: string): Promise<string | null> => {
  const folder = dirname(startup);
  for (const name of (await readdir(folder).catch((): string[] => [])).filter((one) => YAML_FILE.test(one))) {
    const file = join(folder, name);
    const text = await readText(file, MAX_CONFIG_BYTES);
    const settings = E.isRight(text) ? loadSettings(text.right, file) : text;
    if (E.isRight(settings) && settings.right.path.startup === startup)
      return settings.right.path.generators_dir;
  }
  return null;
};

const fileIssue = (path: Issue['path'], error: SpateError, file: string): Issue => ({
  path,
  type: 'bad_file',
  message: error.code === 'not_found' ? 'the file does not exist' : error.message,
  hint: `Looked for ${file}.`,
});

/** Configs and parameters of the entries of a startup list. */
export const startupReferences = async ({ path, shown, text }: CheckedFile): Promise<Errors> => {
  const directory = await generatorsDirOf(path);
  const source = parseYaml(text, shown);
  if (directory === null || E.isLeft(source)) return [];
  const list = loadStartup(text, shown, DEFAULT_GENERATION, directory);
  if (E.isLeft(list)) return [];
  const written = source.right.value as readonly JsonObject[];
  const issues: Issue[] = [];
  for (const entry of list.right.entries) {
    const index = written.findIndex(({ id }) => id === entry.id);
    const config = await readText(entry.path, MAX_CONFIG_BYTES);
    if (E.isLeft(config)) issues.push(fileIssue([index, 'path'], config.left, entry.path));
    const given = await paramIssuesAt(entry.path, entry.params, reader);
    issues.push(...given.map((issue) => ({ ...issue, path: [index, ...issue.path] })));
  }
  return issues.length === 0 ? [] : [invalid(shown, locateIssues(source.right, issues))];
};

/** The config of a member: a file, or the one in a folder. */
const memberConfigOf = async (path: string): Promise<readonly [string, Result<string>]> => {
  const inside = join(path, GENERATOR_FILE);
  const file = YAML_FILE.test(path) ? path : inside;
  return [file, await readText(file, MAX_CONFIG_BYTES)];
};

type Member = IncidentFile['members'][number];

/** A global that a phase gives to a member. */
interface GivenGlobal {
  readonly at: Issue['path'];
  readonly key: string;
  readonly value: Json;
}

const globalsFor = ({ incident }: IncidentFile, member: string): readonly GivenGlobal[] =>
  incident.phases.flatMap(({ members }, index) =>
    Object.entries(members[member]?.globals ?? {}).map(([key, value]) => ({
      at: ['phases', index, 'members', member, 'globals', key],
      key,
      value,
    })),
  );

const globalsForAll = ({ incident }: IncidentFile): readonly GivenGlobal[] =>
  incident.phases.flatMap(({ globals }, index) =>
    Object.entries(globals).map(([key, value]) => ({ at: ['phases', index, 'globals', key], key, value })),
  );

/** A problem that does not make a file invalid. */
export type Warn = (error: SpateError) => void;

const unread = async (
  given: readonly GivenGlobal[],
  paths: readonly string[],
  whose: string,
  { engine, doubt }: { readonly engine: Engine; readonly doubt: (issue: Issue) => void },
): Promise<readonly Issue[]> => {
  const keys = [...new Set(given.map(({ key }) => key))];
  const found = await engine.unreadGlobals(keys, paths);
  return given.flatMap(({ at, key }): readonly Issue[] => {
    const one = found.unread.get(key);
    if (one === undefined) return [];
    const known = found.known.length === 0 ? 'It reads none.' : `Known: ${found.known.join(', ')}.`;
    const issue = (verb: string, hint: string | null): Issue => ({
      path: at,
      type: 'unknown_key',
      message: `${whose} ${verb} the global '${key}'`,
      ...(hint === null ? {} : { hint }),
    });
    if (one.isCertain) return [issue('reads', one.hint ?? known)];
    doubt(issue('mentions', one.hint));
    return [];
  });
};

/** A config that is not even so much is reported with its own file. */
const isWholeConfig = (config: Json): config is JsonObject =>
  isJsonObject(config) && Array.isArray(config['input']);

const memberReferences = async (
  incident: IncidentFile,
  { name, params, path }: Member,
  checks: Parameters<typeof unread>[3],
): Promise<readonly [file: string | null, issues: readonly Issue[]]> => {
  const [file, text] = await memberConfigOf(path);
  if (E.isLeft(text)) return [null, [fileIssue(['members', name, 'path'], text.left, file)]];
  const config = reader.value(text.right, file);
  if (E.isLeft(config)) {
    const message = `has an invalid config, ${file}: validate that file first`;
    return [null, [{ path: ['members', name, 'path'], type: 'bad_file', message }]];
  }
  const beside: GivenTo = { path: file, config: config.right, readText };
  const choices = await choicesOf(beside);
  const given = globalsFor(incident, name);
  const values = given.flatMap(({ at, key, value }): readonly Issue[] => {
    const issue = choiceIssue(key, value, choices);
    return issue === null ? [] : [{ path: at, ...issue }];
  });
  const ofParams = await paramIssuesAt(file, params, reader);
  const issues = [
    ...ofParams.map((issue) => ({ ...issue, path: ['members', name, ...issue.path] })),
    ...values,
    ...(isWholeConfig(config.right) ? memberIssues(config.right, name, incident.incident) : []),
    ...(await unread(given, [file], `no template of ${name}`, checks)),
  ];
  return [file, issues];
};

/** Members of an incident, their parameters, and the globals that its phases give them. */
export const incidentReferences = async (
  incident: IncidentFile,
  engine: Engine,
  warn: Warn,
): Promise<Errors> => {
  const issues: Issue[] = [];
  const doubts: Issue[] = [];
  const files: string[] = [];
  const checks = { engine, doubt: (issue: Issue) => void doubts.push(issue) };
  for (const member of incident.members) {
    const [file, found] = await memberReferences(incident, member, checks);
    issues.push(...found);
    if (file !== null) files.push(file);
  }
  if (files.length === incident.members.length)
    issues.push(...(await unread(globalsForAll(incident), files, 'no member', checks)));
  if (doubts.length > 0) warn(incident.refusal(doubts));
  return issues.length === 0 ? [] : [incident.refusal(issues)];
};
