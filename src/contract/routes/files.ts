import { type FileContent, MAX_FILE_PATH_BYTES } from '../../domain/directory.js';
import type { JsonSchema } from '../../schema/index.js';
import { uploadBody } from '../body.js';
import { booleanParam, filePathParam, nameParam, textParam } from '../params.js';
import { created, createdDoc, nothing, nothingDoc, tagged, taggedDoc, value, valueDoc } from '../reply.js';
import { route } from '../route.js';
import { countField, list, maybe, object, refTo, textField, time } from '../schemaParts.js';

const version = {
  version: textField,
  path: textField,
  at: time,
  size_bytes: countField,
  user: maybe(textField),
  what: { type: 'string', enum: ['replaced', 'deleted'] },
};

/** Schemas of former texts. */
export const FILE_VERSION_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  FileVersion: object(version),
  FileVersionText: object({ ...version, text: textField }),
};

const TAG = 'Generator files';
const BASE = '/generator-configs/{name}';
const name = nameParam('Name of the generator directory.');
const params = {
  name,
  filepath: filePathParam('Path relative to the generator directory, with slashes.'),
};
const fromTo = {
  source: filePathParam('Source path, relative to the generator directory.'),
  destination: filePathParam('Destination path, relative to the generator directory.'),
};
const force = booleanParam(
  false,
  'Allow it for the config file of a generator that runs or is in the startup list.',
);

/** Content types that no browser executes. */
const contentType = ({ isText }: FileContent): string =>
  isText ? 'text/plain; charset=utf-8' : 'application/octet-stream';

const NEVER_THROUGH_LINKS = 'Never writes through links.';
const CONFIG_CHECKED = 'A config file is validated as by an update of the config.';

const written = taggedDoc('Done.', { type: 'null' });

export const fileRoutes = () =>
  [
    route({
      id: 'readGeneratorFile',
      method: 'get',
      path: `${BASE}/file/{filepath+}`,
      tag: TAG,
      summary: 'Read a file',
      description:
        'UTF-8 text is sent as text/plain, other content as application/octet-stream. Follows links inside the directory only.',
      params,
      success: {
        status: 200,
        description: 'The content, streamed.',
        contentType: 'application/octet-stream',
        otherTypes: ['text/plain'],
        schema: { type: 'string', format: 'binary' },
        headers: { ETag: 'Entity tag of the file, for If-Match.', 'Content-Length': 'Size in bytes.' },
      },
      errors: ['forbidden', 'not_found', 'unreadable'],
      request: ({ path }) => ({
        type: 'configs.read_file',
        payload: { name: path.name, path: path.filepath },
      }),
      reply: (content: FileContent) => ({
        status: 200,
        headers: { ETag: content.etag, 'Content-Length': String(content.size_bytes) },
        kind: 'bytes',
        contentType: contentType(content),
        chunks: content.chunks,
      }),
    }),
    route({
      id: 'createGeneratorFile',
      method: 'post',
      path: `${BASE}/file/{filepath+}`,
      tag: TAG,
      summary: 'Create a file',
      description: `Creates missing parent directories. ${NEVER_THROUGH_LINKS}`,
      params,
      body: uploadBody('content'),
      success: { ...written, status: 201, description: 'Created.' },
      errors: ['forbidden', 'not_found', 'already_exists', 'wrong_state', 'too_many_requests', 'unwritable'],
      request: ({ path, body }) => ({
        type: 'configs.create_file',
        payload: { name: path.name, path: path.filepath, upload: body },
      }),
      reply: ({ etag }: { readonly etag: string }) => ({ ...tagged(etag, null), status: 201 }),
    }),
    route({
      id: 'replaceGeneratorFile',
      method: 'put',
      path: `${BASE}/file/{filepath+}`,
      tag: TAG,
      summary: 'Replace a file',
      description: `Replaces the content atomically. ${CONFIG_CHECKED} ${NEVER_THROUGH_LINKS}`,
      params,
      body: uploadBody('content'),
      isConditional: true,
      success: written,
      errors: [
        'forbidden',
        'not_found',
        'wrong_state',
        'precondition_failed',
        'too_many_requests',
        'unwritable',
      ],
      request: ({ path, body, ifMatch, user }) => ({
        type: 'configs.replace_file',
        payload: { name: path.name, path: path.filepath, upload: body, if_match: ifMatch, user },
      }),
      reply: ({ etag }: { readonly etag: string }) => tagged(etag, null),
    }),
    route({
      id: 'deleteGeneratorFile',
      method: 'delete',
      path: `${BASE}/file/{filepath+}`,
      tag: TAG,
      summary: 'Delete a file or a directory',
      description:
        'Deletes a directory with everything in it; a link is deleted, not its target. A directory without its config file is no longer listed as a generator.',
      params,
      query: { force },
      isConditional: true,
      success: nothingDoc,
      errors: ['forbidden', 'not_found', 'wrong_state', 'precondition_failed', 'too_large', 'unwritable'],
      request: ({ path, query, ifMatch, user }) => ({
        type: 'configs.delete_file',
        payload: { name: path.name, path: path.filepath, force: query.force, if_match: ifMatch, user },
      }),
      reply: nothing,
    }),
    route({
      id: 'makeGeneratorSubdirectory',
      method: 'post',
      path: `${BASE}/file-makedir/{filepath+}`,
      tag: TAG,
      summary: 'Create a directory',
      description: `Creates missing parent directories. ${NEVER_THROUGH_LINKS}`,
      params,
      success: createdDoc,
      errors: ['forbidden', 'not_found', 'already_exists', 'wrong_state', 'unwritable'],
      request: ({ path }) => ({
        type: 'configs.make_directory',
        payload: { name: path.name, path: path.filepath },
      }),
      reply: created,
    }),
    route({
      id: 'moveGeneratorFile',
      method: 'post',
      path: `${BASE}/file-move`,
      tag: TAG,
      summary: 'Move or rename a file or a directory',
      description:
        'Moves into the destination if that is a directory. Never replaces anything. Succeeds without a change if source and destination are the same.',
      params: { name },
      query: { ...fromTo, force },
      success: nothingDoc,
      errors: ['forbidden', 'not_found', 'already_exists', 'wrong_state', 'too_large', 'unwritable'],
      request: ({ path, query }) => ({
        type: 'configs.move_file',
        payload: { name: path.name, ...query },
      }),
      reply: nothing,
    }),
    route({
      id: 'copyGeneratorFile',
      method: 'post',
      path: `${BASE}/file-copy`,
      tag: TAG,
      summary: 'Copy a file or a directory',
      description:
        'The destination must not exist. The copy is complete or absent. A link to a file of this directory is copied as content; any other link fails the copy.',
      params: { name },
      query: fromTo,
      success: nothingDoc,
      errors: ['forbidden', 'not_found', 'already_exists', 'wrong_state', 'too_large', 'unwritable'],
      request: ({ path, query }) => ({
        type: 'configs.copy_file',
        payload: { name: path.name, ...query },
      }),
      reply: nothing,
    }),
    route({
      id: 'listFileVersions',
      method: 'get',
      path: `${BASE}/file-versions/`,
      tag: TAG,
      summary: 'List former texts of files',
      description: 'Texts before the API replaced or deleted them, newest first.',
      params: { name },
      query: { path: textParam(MAX_FILE_PATH_BYTES, 'Only of this file.') },
      success: valueDoc('The versions.', list(refTo('FileVersion'))),
      errors: ['forbidden', 'not_found', 'unreadable'],
      request: ({ path, query }) => ({
        type: 'configs.versions',
        payload: { name: path.name, path: query.path },
      }),
      reply: value,
    }),
    route({
      id: 'readFileVersion',
      method: 'get',
      path: `${BASE}/file-versions/{version}`,
      tag: TAG,
      summary: 'Read a former text of a file',
      params: { name, version: nameParam('The version.') },
      success: valueDoc('The version.', refTo('FileVersionText')),
      errors: ['forbidden', 'not_found', 'unreadable'],
      request: ({ path }) => ({ type: 'configs.read_version', payload: path }),
      reply: value,
    }),
  ] as const;
