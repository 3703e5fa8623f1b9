import type { Json } from '../../domain/json.js';
import type { AnyShape } from '../../schema/index.js';
import { storedBody } from '../body.js';
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
import { refTo } from '../responses.js';
import { route } from '../route.js';

const TAG = 'Generator configs';
const params = { name: nameParam('Name of the generator directory.') };

/** Generator directories and their configs; `config` is the shape of a whole generator config. */
export const configRoutes = (config: AnyShape) => {
  const body = storedBody('GeneratorConfig', config);
  return [
    route({
      id: 'listGeneratorConfigs',
      method: 'get',
      path: '/generator-configs/',
      tag: TAG,
      summary: 'List generator directories',
      description: 'Directories that hold a generator config, sorted by name.',
      query: { extended: booleanParam(false, 'Add size, modification time and generator ids.') },
      success: valueDoc('Generator directories; only `name` unless `extended`.', {
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
        'A directory that is missing, or has no config yet, gets one. Placeholders are kept as written.',
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
      id: 'readGeneratorConfig',
      method: 'get',
      path: '/generator-configs/{name}',
      tag: TAG,
      summary: 'Read a generator config',
      description: 'Fields with a default carry their value; placeholders are untouched.',
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
      description: `Replaces the config; comments stay where their key stays. ${EXTENSIONS_STAY} Running generators go on unchanged.`,
      params,
      body,
      isConditional: true,
      success: taggedDoc('Done.', { type: 'null' }),
      errors: ['forbidden', 'not_found', 'precondition_failed', 'unwritable'],
      request: (parts) => ({
        type: 'configs.update',
        payload: { name: parts.path.name, config: parts.body, if_match: parts.ifMatch },
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
        'The whole directory with everything in it. Refused while a generator of the startup list, or one that runs, uses it.',
      params,
      query: { force: booleanParam(false, 'Delete it also when it is used.') },
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
      summary: 'Path of a generator config',
      description: 'Relative to the generators directory, as the `path` of a generator may say it.',
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
      description: 'Sorted by name; links are leaves.',
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
      description: 'Paths inside are relative to the directory. Links that lead outside are left out.',
      params,
      query: {
        exclude: textsParam('Name of a top-level entry to leave out with everything under it; may repeat.'),
      },
      isEchoed: true,
      success: {
        status: 200,
        description: 'The archive, written while it is read.',
        contentType: 'application/octet-stream',
        schema: { type: 'string', format: 'binary' },
        headers: { 'Content-Disposition': 'Names the file `<name>.zip`.' },
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
