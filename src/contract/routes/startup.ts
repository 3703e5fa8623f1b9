import type { StartupEntry } from '../../domain/generator.js';
import { idsBody, objectBody } from '../body.js';
import { nameParam, newGeneratorIdParam } from '../params.js';
import {
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
import { maybe, refTo } from '../schemaParts.js';

const TAG = 'Startup list';
const params = { id: nameParam('Id of the entry.') };
const body = objectBody('GivenStartupEntry', []);
const READ = ['unreadable'] as const;
const WRITTEN = ['unreadable', 'unwritable'] as const;
const FILE_ONLY = 'Changes the file only: starts, stops and registers no generator.';

/** The file that lists the generators to register and start with the instance. */
export const startupRoutes = () =>
  [
    route({
      id: 'listStartupEntries',
      method: 'get',
      path: '/startup/',
      tag: TAG,
      summary: 'List the entries of the startup file',
      description:
        'Returns entries with every default, including those of the settings. Skips invalid entries: see `/startup/group-actions/invalid`.',
      success: valueDoc('The entries, in the order of the file.', {
        type: 'array',
        items: refTo('StartupEntry'),
      }),
      errors: READ,
      request: () => ({ type: 'startup.entries', payload: null }),
      reply: value,
    }),
    route({
      id: 'listInvalidStartupEntries',
      method: 'get',
      path: '/startup/group-actions/invalid',
      tag: TAG,
      summary: 'List the invalid entries of the startup file',
      description:
        'PUT or DELETE of an id repairs or removes its entry. One without an id is edited in the file.',
      success: valueDoc('The invalid entries, in the order of the file.', {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { ...maybe({ type: 'string' }), description: 'As written; null if it is no text.' },
            position: { type: 'integer', minimum: 1, description: 'Position in the file, from 1.' },
            autostart: { type: 'boolean', description: 'Whether its generator should run.' },
            reason: { type: 'string', description: 'What is wrong, where, and what to do.' },
            written: { description: 'The entry as the file has it.' },
          },
          required: ['id', 'position', 'autostart', 'reason', 'written'],
          additionalProperties: false,
        },
      }),
      errors: READ,
      request: () => ({ type: 'startup.invalid', payload: null }),
      reply: value,
    }),
    route({
      id: 'readStartupEntry',
      method: 'get',
      path: '/startup/{id}',
      tag: TAG,
      summary: 'Read an entry of the startup file',
      description: 'Answers 422 for an invalid entry: what is wrong, where, and what to do.',
      params,
      success: taggedDoc('The entry with every default.', refTo('StartupEntry')),
      errors: ['not_found', ...READ],
      request: ({ path }) => ({ type: 'startup.read', payload: { id: path.id } }),
      reply: (answer: { readonly entry: StartupEntry; readonly etag: string }) =>
        tagged(answer.etag, answer.entry),
    }),
    route({
      id: 'createStartupEntry',
      method: 'post',
      path: '/startup/{id}',
      tag: TAG,
      summary: 'Append an entry to the startup file',
      description: `Stores the given keys only. The config may be missing, but its path must be in the generators directory. ${FILE_ONLY}`,
      params: { id: newGeneratorIdParam('Id of the new entry.') },
      body,
      success: createdDoc,
      errors: ['forbidden', 'already_exists', ...WRITTEN],
      request: (parts) => ({ type: 'startup.create', payload: { id: parts.path.id, entry: parts.body } }),
      reply: created,
    }),
    route({
      id: 'replaceStartupEntry',
      method: 'put',
      path: '/startup/{id}',
      tag: TAG,
      summary: 'Replace an entry of the startup file',
      description: `Also repairs an invalid entry. The file keeps its comments and order; defaults that it does not spell out stay unwritten. ${EXTENSIONS_STAY} ${FILE_ONLY}`,
      params,
      body,
      isConditional: true,
      success: taggedDoc('Done.', { type: 'null' }),
      errors: ['forbidden', 'not_found', 'precondition_failed', ...WRITTEN],
      request: (parts) => ({
        type: 'startup.replace',
        payload: { id: parts.path.id, entry: parts.body, if_match: parts.ifMatch },
      }),
      reply: (answer: { readonly etag: string }) => tagged(answer.etag, null),
    }),
    route({
      id: 'deleteStartupEntry',
      method: 'delete',
      path: '/startup/{id}',
      tag: TAG,
      summary: 'Delete an entry of the startup file',
      description: `Also deletes the comment directly above the entry. ${FILE_ONLY}`,
      params,
      isConditional: true,
      success: nothingDoc,
      errors: ['not_found', 'precondition_failed', ...WRITTEN],
      request: ({ path, ifMatch }) => ({
        type: 'startup.delete',
        payload: { id: path.id, if_match: ifMatch },
      }),
      reply: nothing,
    }),
    route({
      id: 'deleteStartupEntries',
      method: 'post',
      path: '/startup/group-actions/bulk-delete',
      tag: TAG,
      summary: 'Delete several entries of the startup file',
      description: `Ignores unknown ids. ${FILE_ONLY}`,
      body: idsBody,
      success: valueDoc('The deleted ids, in the order of the file.', {
        type: 'array',
        items: { type: 'string' },
      }),
      errors: WRITTEN,
      request: (parts) => ({ type: 'startup.bulk_delete', payload: { ids: parts.body } }),
      reply: value,
    }),
  ] as const;
