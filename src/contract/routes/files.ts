import type { FileContent } from '../../domain/directories/directory.js';
import { uploadBody } from '../body.js';
import { booleanParam, filePathParam, nameParam } from '../params.js';
import { created, createdDoc, nothing, nothingDoc, tagged, taggedDoc } from '../reply.js';
import { route } from '../route.js';

const TAG = 'Generator files';
const BASE = '/generator-configs/{name}';
const name = nameParam('Name of the generator directory.');
const params = {
  name,
  filepath: filePathParam('Path relative to the generator directory; its parts are divided by slashes.'),
};
const fromTo = {
  source: filePathParam('Path of what is there, relative to the generator directory.'),
  destination: filePathParam('Path where it goes, relative to the generator directory.'),
};
const force = booleanParam(false, 'Also the config file of a generator that is listed or runs.');

/** A type that no browser runs, whatever the file holds. */
const contentType = ({ isText }: FileContent): string =>
  isText ? 'text/plain; charset=utf-8' : 'application/octet-stream';

const NEVER_THROUGH_LINKS = 'Nothing is written through links.';
const CONFIG_CHECKED =
  'The config file can be written as well: what is wrong with it is reported as when a config is updated.';

const written = taggedDoc('Done.', { type: 'null' });

/** Files inside generator directories. */
export const fileRoutes = () =>
  [
    route({
      id: 'readGeneratorFile',
      method: 'get',
      path: `${BASE}/file/{filepath+}`,
      tag: TAG,
      summary: 'Content of a file',
      description:
        'Text in UTF-8 is text/plain, anything else application/octet-stream. Links are followed inside the directory only.',
      params,
      success: {
        status: 200,
        description: 'The content, sent while it is read.',
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
      description: `Missing directories above it are made. ${NEVER_THROUGH_LINKS}`,
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
      summary: 'Replace the content of a file',
      description: `In one step: readers see the old content or the new one. ${CONFIG_CHECKED} ${NEVER_THROUGH_LINKS}`,
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
      request: ({ path, body, ifMatch }) => ({
        type: 'configs.replace_file',
        payload: { name: path.name, path: path.filepath, upload: body, if_match: ifMatch },
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
        'A directory goes with everything in it, a link as a link. Without its config file a directory is no generator any more; creating a config makes it one again.',
      params,
      query: { force },
      isConditional: true,
      success: nothingDoc,
      errors: ['forbidden', 'not_found', 'wrong_state', 'precondition_failed', 'too_large', 'unwritable'],
      request: ({ path, query, ifMatch }) => ({
        type: 'configs.delete_file',
        payload: { name: path.name, path: path.filepath, force: query.force, if_match: ifMatch },
      }),
      reply: nothing,
    }),
    route({
      id: 'makeGeneratorSubdirectory',
      method: 'post',
      path: `${BASE}/file-makedir/{filepath+}`,
      tag: TAG,
      summary: 'Make a directory',
      description: `Missing directories above it are made. ${NEVER_THROUGH_LINKS}`,
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
        'A destination that is a directory takes the source in. Nothing is ever replaced. To where it is already: nothing happens.',
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
        'To where nothing is; the copy is there whole or not at all. A link to a file of this directory is copied as its content, any other link refuses the copy.',
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
  ] as const;
