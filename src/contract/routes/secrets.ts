import * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../../domain/errors.js';
import { checkSecretValue, MAX_SECRET_BYTES } from '../../domain/secrets.js';
import { booleanParam, inQuery, nameParam, newSecretNameParam } from '../params.js';
import { nothing, nothingDoc, value, valueDoc } from '../reply.js';
import { type BodySpec, route } from '../route.js';
import { object, refTo, textField } from '../schemaParts.js';

const TAG = 'Secrets';
const params = { name: nameParam('Name of the secret.') };
const ERRORS = ['keyring_locked', 'unreadable'] as const;
const CHANGED = [...ERRORS, 'unwritable', 'too_large'] as const;

export const secretReferenceSchema = object({
  kind: { enum: ['generator', 'destination', 'startup', 'settings'] },
  file: textField,
});

const flaw = (type: string, message: string): E.Either<readonly Issue[], never> =>
  E.left([{ path: [], type, message }]);

/** A JSON string; errors never contain a part of it. */
const secretBody: BodySpec<string> = {
  kind: 'json',
  mediaTypes: ['application/json'],
  // An escape takes up to six characters.
  limit_bytes: 6 * MAX_SECRET_BYTES + 1_024,
  schemaName: 'SecretValue',
  check: (body) => {
    if (typeof body !== 'string') return flaw('wrong_type', 'must be a JSON string');
    const found = checkSecretValue(body);
    return found === null ? E.right(body) : flaw(found.type, found.message);
  },
};

/** Secrets of the keyring, used as `${secrets.name}` in configs. */
export const secretRoutes = () =>
  [
    route({
      id: 'listSecrets',
      method: 'get',
      path: '/secrets/',
      tag: TAG,
      summary: 'List secrets',
      description: 'Returns names only; needs no keyring password. A missing keyring is an empty list.',
      success: valueDoc('The names, sorted.', { type: 'array', items: { type: 'string' } }),
      errors: ['unreadable'],
      request: () => ({ type: 'secrets.list', payload: null }),
      reply: value,
    }),
    route({
      id: 'readSecret',
      method: 'get',
      path: '/secrets/{name}',
      tag: TAG,
      summary: 'Read a secret',
      description:
        'Needs `server.secrets_readable: true` in the settings; responds with 403 otherwise. The access is logged.',
      params,
      success: valueDoc('The value in plain text.', { type: 'string' }),
      errors: ['forbidden', 'not_found', ...ERRORS],
      request: ({ path }) => ({ type: 'secrets.read', payload: { name: path.name } }),
      reply: value,
    }),
    route({
      id: 'setSecret',
      method: 'put',
      path: '/secrets/{name}',
      tag: TAG,
      summary: 'Store a secret',
      description:
        'Creates or replaces the secret, and the keyring if it is missing. Generators use the new value at their next start. The access is logged, never the value.',
      params: { name: newSecretNameParam('Name of the secret.') },
      body: secretBody,
      success: nothingDoc,
      errors: CHANGED,
      request: ({ path, body }) => ({ type: 'secrets.set', payload: { name: path.name, value: body } }),
      reply: nothing,
    }),
    route({
      id: 'deleteSecret',
      method: 'delete',
      path: '/secrets/{name}',
      tag: TAG,
      summary: 'Delete a secret',
      description: 'Running generators keep the value they started with.',
      params,
      success: nothingDoc,
      errors: ['not_found', ...CHANGED],
      request: ({ path }) => ({ type: 'secrets.remove', payload: { name: path.name } }),
      reply: nothing,
    }),
    route({
      id: 'renameSecret',
      method: 'post',
      path: '/secrets/{name}/rename',
      tag: TAG,
      summary: 'Rename a secret',
      description:
        'The keyring has either the former name or the new one, also after a crash. Fails with 409 while settings, startup list or configs use the former name; the error names these files, which are never edited. The access is logged.',
      params,
      query: {
        to: inQuery(newSecretNameParam('New name of the secret.')),
        force: booleanParam(false, 'Rename it although files use the former name.'),
      },
      success: nothingDoc,
      errors: ['not_found', 'already_exists', 'wrong_state', ...CHANGED],
      request: ({ path, query }) => ({ type: 'secrets.rename', payload: { name: path.name, ...query } }),
      reply: nothing,
    }),
    route({
      id: 'listSecretReferences',
      method: 'get',
      path: '/secrets/{name}/references',
      tag: TAG,
      summary: 'List the files that use a secret',
      description:
        'Settings, startup list and configs of generators with the placeholder of the secret, which need not exist. Lines that are comments do not count.',
      params,
      success: valueDoc('The files.', { type: 'array', items: refTo('SecretReference') }),
      errors: ['unreadable'],
      request: ({ path }) => ({ type: 'secrets.references', payload: { name: path.name } }),
      reply: value,
    }),
  ] as const;
