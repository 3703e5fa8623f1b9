import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json } from '../../domain/json.js';
import { freeObject, MAX_LONG_TEXT_LENGTH, record, required, text } from '../../schema/index.js';
import { filePath, path } from '../api.js';
import { asks, does, file, name, type Tool, tool } from '../tool.js';

const directory = required(name, { help: 'Name of the generator directory.', example: 'clicks' });
const path_ = required(file, {
  help: 'Path of the file in the directory, with slashes.',
  example: 'templates/line.jinja',
});

const fileUrl = (directoryName: string, at: string): string =>
  `${path`/generator-configs/${directoryName}/file/`}${filePath(at)}`;

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
      ({ name: given }) => ({ method: 'get', path: path`/generator-configs/${given}/file-tree` }),
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
        { method: 'post', path: path`/generator-configs/${given}`, body: config },
      ],
      ({ name: given }) => ({ name: given, created: true }),
    ),
  }),
];
