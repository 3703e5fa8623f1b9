import type { Json } from '../../domain/json.js';
import type { AnyShape } from '../../schema/index.js';
import { MAX_IMPORT_BYTES, storedBody, uploadBody } from '../body.js';
import { booleanParam, nameParam, textsParam } from '../params.js';
import {
  attachment,
  created,
  createdDoc,
  EXTENSIONS_STAY,
  nothing,
  nothingDoc,
  tagged,
  taggedDoc,
  value,
  valueDoc,
} from '../reply.js';
import { route } from '../route.js';
import { refTo } from '../schemaParts.js';

const TAG = 'Generator configs';
const params = { name: nameParam('Name of the generator directory.') };

/** `config`: the shape of a whole generator config. */
export const configRoutes = (config: AnyShape) => {
  const body = storedBody('GeneratorConfig', config);
  return [
    route({
      id: 'listGeneratorConfigs',
      method: 'get',
      path: '/generator-configs/',
      tag: TAG,
      summary: 'List generator directories',
      description: 'Returns the directories that contain a generator config, sorted by name.',
      query: { extended: booleanParam(false, 'Include size, modification time and generator ids.') },
      success: valueDoc('The generator directories; only `name` unless `extended` is true.', {
        type: 'array',
        items: refTo('GeneratorDirectory'),
      }),
      errors: ['unreadable'],
      request: ({ query }) => ({ type: 'configs.list', payload: { extended: query.extended } }),
      reply: value,
    }),
    route({
      id: 'createGeneratorConfig',
      method: 'post',
      path: '/generator-configs/{name}',
      tag: TAG,
      summary: 'Create a generator config',
      description:
        'Creates the directory if it is missing. Fails with 409 if it already has a config. Placeholders are stored as written.',
      params,
      body,
      success: createdDoc,
      errors: ['forbidden', 'already_exists', 'unwritable'],
      request: (parts) => ({
        type: 'configs.create',
        payload: { name: parts.path.name, config: parts.body },
      }),
      reply: created,
    }),
    route({
      id: 'importGenerator',
      method: 'post',
      path: '/generator-configs/{name}/import',
      tag: TAG,
      summary: 'Create a generator with all its files',
      description:
        'Takes a ZIP archive as `exportGenerator` makes it, or JSON: `{"config": "<text of the config file>", "files": {"<path>": "<text>"}}`, as `learnGenerator` returns them. At most 1,000 files and 32 MiB, unpacked. Fails with 409 if the directory exists. The directory appears whole or not at all, and nothing is started.',
      params,
      body: uploadBody('content', MAX_IMPORT_BYTES),
      success: createdDoc,
      errors: ['forbidden', 'already_exists', 'too_large', 'unwritable'],
      request: ({ path, body: upload }) => ({
        type: 'configs.import',
        payload: { name: path.name, upload },
      }),
      reply: created,
    }),
    route({
      id: 'readGeneratorConfig',
      method: 'get',
      path: '/generator-configs/{name}',
      tag: TAG,
      summary: 'Read a generator config',
      description:
        'Returns the stored config with every default filled in. Placeholders are returned as written.',
      params,
      success: taggedDoc('The generator config.', refTo('GeneratorConfig')),
      errors: ['forbidden', 'not_found', 'unreadable'],
      request: ({ path }) => ({ type: 'configs.read', payload: { name: path.name } }),
      reply: (answer: { readonly config: Json; readonly etag: string }) => tagged(answer.etag, answer.config),
    }),
    route({
      id: 'updateGeneratorConfig',
      method: 'put',
      path: '/generator-configs/{name}',
      tag: TAG,
      summary: 'Update a generator config',
      description: `Replaces the config; the file keeps its comments and the order of its keys. ${EXTENSIONS_STAY} Running generators use the new config at their next start.`,
      params,
      body,
      isConditional: true,
      success: taggedDoc('Done.', { type: 'null' }),
      errors: ['forbidden', 'not_found', 'precondition_failed', 'unwritable'],
      request: (parts) => ({
        type: 'configs.update',
        payload: { name: parts.path.name, config: parts.body, if_match: parts.ifMatch, user: parts.user },
      }),
      reply: (answer: { readonly etag: string }) => tagged(answer.etag, null),
    }),
    route({
      id: 'deleteGenerator',
      method: 'delete',
      path: '/generator-configs/{name}',
      tag: TAG,
      summary: 'Delete a generator directory',
      description:
        'Deletes the directory with everything in it. Fails with 409 while a running generator or the startup list uses it.',
      params,
      query: { force: booleanParam(false, 'Delete the directory even if it is in use.') },
      success: nothingDoc,
      errors: ['forbidden', 'not_found', 'wrong_state', 'too_large', 'unreadable', 'unwritable'],
      request: ({ path, query }) => ({
        type: 'configs.delete',
        payload: { name: path.name, force: query.force },
      }),
      reply: nothing,
    }),
    route({
      id: 'readGeneratorPath',
      method: 'get',
      path: '/generator-configs/{name}/path',
      tag: TAG,
      summary: 'Get the path of a generator config',
      description: 'Returns the path relative to the generators directory, for the `path` of a generator.',
      params,
      success: valueDoc('The path, for example `web/generator.yml`.', { type: 'string' }),
      errors: ['forbidden', 'not_found', 'unreadable'],
      request: ({ path }) => ({ type: 'configs.path', payload: { name: path.name } }),
      reply: value,
    }),
    route({
      id: 'readGeneratorFileTree',
      method: 'get',
      path: '/generator-configs/{name}/file-tree',
      tag: TAG,
      summary: 'File tree of a generator directory',
      description: 'Returns files and directories sorted by name. Links are listed, not followed.',
      params,
      success: valueDoc('Top-level entries of the directory.', { type: 'array', items: refTo('FileNode') }),
      errors: ['forbidden', 'not_found', 'unreadable'],
      request: ({ path }) => ({ type: 'configs.tree', payload: { name: path.name } }),
      reply: value,
    }),
    route({
      id: 'exportGenerator',
      method: 'get',
      path: '/generator-configs/{name}/export',
      tag: TAG,
      summary: 'ZIP archive of a generator directory',
      description:
        'Paths in the archive are relative to the directory. Links that lead outside are left out.',
      params,
      query: {
        exclude: textsParam('Name of a top-level entry to leave out with everything under it; repeatable.'),
      },
      isEchoed: true,
      success: {
        status: 200,
        description: 'The archive, streamed.',
        contentType: 'application/octet-stream',
        schema: { type: 'string', format: 'binary' },
        headers: { 'Content-Disposition': 'Suggests the file name `<name>.zip`.' },
      },
      errors: ['forbidden', 'not_found', 'unreadable'],
      request: ({ path, query }) => ({
        type: 'configs.export',
        payload: { name: path.name, exclude: query.exclude },
      }),
      reply: (chunks: AsyncIterable<Uint8Array>, path) => ({
        status: 200,
        headers: { 'Content-Disposition': attachment(`${path.name}.zip`) },
        kind: 'bytes',
        contentType: 'application/octet-stream',
        chunks,
      }),
    }),
  ] as const;
};
