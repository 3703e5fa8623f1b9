import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../domain/errors.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { freeObject, MAX_LONG_TEXT_LENGTH, optional, record, required, text } from '../../schema/index.js';
import { type Answer, apiPath, filePath, refusedBy, type ToolRefusal } from '../api.js';
import { previewedEvents } from '../sample.js';
import { asks, does, file, name, type Tool, type ToolContext, tool } from '../tool.js';

const directory = required(name, { help: 'Name of the generator directory.', example: 'clicks' });
const path_ = required(file, {
  help: 'Path of the file in the directory, with slashes.',
  example: 'templates/line.jinja',
});

const fileUrl = (directoryName: string, at: string): string =>
  `${apiPath`/generator-configs/${directoryName}/file/`}${filePath(at)}`;

/** Paths of files; a directory ends with a slash. */
const pathsOf = (nodes: Json, above = ''): readonly string[] =>
  (Array.isArray(nodes) ? (nodes as readonly Json[]) : []).flatMap((node) => {
    if (!isJsonObject(node)) return [];
    const { name: own, is_dir, children } = node;
    const at = `${above}${String(own)}`;
    return is_dir === true ? [`${at}/`, ...pathsOf(children ?? [], `${at}/`)] : [at];
  });

export const configTools: readonly Tool[] = [
  tool({
    name: 'list_configs',
    title: 'List generator directories',
    description:
      'Lists the directories with a generator config, with size, time of change and the ids that are registered for each.',
    effect: 'reads',
    input: record({}),
    run: asks('directories', () => ({
      method: 'get',
      path: '/generator-configs/',
      query: { extended: true },
    })),
  }),
  tool({
    name: 'list_files',
    title: 'List the files of a generator',
    description:
      'Lists config, templates, scripts and samples of a generator directory. A path that ends with / is a directory.',
    effect: 'reads',
    input: record({ name: directory }),
    run: asks(
      'files',
      ({ name: given }) => ({ method: 'get', path: apiPath`/generator-configs/${given}/file-tree` }),
      pathsOf,
    ),
  }),
  tool({
    name: 'read_file',
    title: 'Read a file of a generator',
    description: 'Returns the text of a file in a generator directory, such as generator.yml or a template.',
    effect: 'reads',
    input: record({ name: directory, path: path_ }),
    run: asks('content', ({ name: given, path: at }) => ({ method: 'get', path: fileUrl(given, at) })),
  }),
  tool({
    name: 'write_file',
    title: 'Write a file of a generator',
    description:
      'Creates or replaces a text file in an existing generator directory. A generator.yml is checked first; problems name line ' +
      'and key. Running generators read it at their next start.',
    effect: 'changes',
    input: record({
      name: directory,
      path: path_,
      content: required(text({ maxLength: MAX_LONG_TEXT_LENGTH }), { help: 'The whole text of the file.' }),
    }),
    run: async ({ name: given, path: at, content }, { api }) => {
      const request = { path: fileUrl(given, at), file: content };
      const replaced = await api({ method: 'put', ...request });
      const isNew = E.isLeft(replaced) && replaced.left.code === 'not_found';
      const written = isNew ? await api({ method: 'post', ...request }) : replaced;
      return E.map(() => ({ name: given, path: at, created: isNew }))(written);
    },
  }),
  tool({
    name: 'create_config',
    title: 'Create a generator config',
    description:
      'Creates a generator directory with a generator.yml from a config with the sections input, event and output. The config is checked; ' +
      'problems say where. Add templates and scripts with write_file, then preview_events. Fails with already_exists if there is one.',
    effect: 'changes',
    input: record({
      name: required(name, { help: 'Name of the new directory.', example: 'clicks' }),
      config: required(freeObject(), {
        help: 'The config as JSON: {"input": [...], "event": {...}, "output": [...]}.',
      }),
    }),
    run: does(
      ({ name: given, config }) => [
        { method: 'post', path: apiPath`/generator-configs/${given}`, body: config },
      ],
      ({ name: given }) => ({ name: given, created: true }),
    ),
  }),
];

/** Longer texts would block the service; it checks a stored file on a thread of its own. */
const MAX_CHECKED = 16_384;

/** Codes that tell that a config is wrong, not that the check failed. */
const FLAWS: ReadonlySet<string> = new Set(['invalid', 'plugin_failed']);

const flawed = ({ code, message, problems = [] }: ToolRefusal): JsonObject => ({
  valid: false,
  code,
  problems: problems.length === 0 ? [{ at: '', message }] : problems.map((problem) => ({ ...problem })),
});

const verdict = (checked: Answer<unknown>): Answer<JsonObject> => {
  if (E.isRight(checked)) return E.right({ valid: true, problems: [] });
  return FLAWS.has(checked.left.code) ? E.right(flawed(checked.left)) : checked;
};

const textVerdict = (config: string, { checkConfig }: ToolContext): Answer<JsonObject> =>
  verdict(E.mapLeft(refusedBy)(checkConfig(config)));

/** The stored text, then its parts: building them finds what is wrong with templates, scripts and samples. */
const storedVerdict = async (
  directory: string,
  params: JsonObject,
  context: ToolContext,
): Promise<Answer<JsonObject>> => {
  const { api } = context;
  const config = await api({ method: 'get', path: apiPath`/generator-configs/${directory}/path` });
  if (E.isLeft(config)) return config;
  const own = String(config.right).slice(directory.length + 1);
  const url = `${apiPath`/generator-configs/${directory}/file/`}${filePath(own)}`;
  const stored = await api({ method: 'get', path: url });
  if (E.isLeft(stored)) return stored;
  if (String(stored.right).length <= MAX_CHECKED) {
    const checked = textVerdict(String(stored.right), context);
    if (E.isLeft(checked) || checked.right['valid'] === false) return checked;
  }
  const options = { name: directory, params, size: 1, from: null, timezone: null };
  return verdict(await previewedEvents(options, context));
};

export const validateTools: readonly Tool[] = [
  tool({
    name: 'validate_config',
    title: 'Check a generator config',
    description:
      'Checks a config and returns whether it is valid, and problems with line, key and what to do. With name: the stored config of a ' +
      'directory, whose inputs, templates, scripts and samples are built. With config: the text of a generator.yml, which is not stored. ' +
      'Opens no output.',
    effect: 'previews',
    input: record({
      name: optional(name, { help: 'Name of a generator directory.', example: 'clicks' }),
      config: optional(text({ maxLength: MAX_CHECKED }), { help: 'Text of a generator.yml.' }),
      params: optional(freeObject(), { help: 'Values for the ${params.NAME} placeholders, with name.' }),
    }),
    run: async ({ name: directory, config, params }, context) => {
      if (directory !== null && config === null) return storedVerdict(directory, params ?? {}, context);
      if (directory === null && config !== null) return textVerdict(config, context);
      return E.left(refusedBy(failure('invalid', 'Give name or config, one of both.')));
    },
  }),
];
