import * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../../domain/errors.js';
import { checkSecretValue, MAX_SECRET_BYTES } from '../../domain/secrets/secret.js';
import { newSecretNameParam } from '../generatorIds.js';
import { nameParam } from '../params.js';
import { nothing, nothingDoc, value, valueDoc } from '../reply.js';
import { type BodySpec, route } from '../route.js';

const TAG = 'Secrets';
const params = { name: nameParam('Name of the secret.') };
const ERRORS = ['keyring_locked', 'unreadable'] as const;
const CHANGED = [...ERRORS, 'unwritable', 'too_large'] as const;

const flaw = (type: string, message: string): E.Either<readonly Issue[], never> =>
  E.left([{ path: [], type, message }]);

/** JSON text; what is wrong with it is said without a part of it. */
const secretBody: BodySpec<string> = {
  kind: 'json',
  mediaTypes: ['application/json'],
  // Every character may be an escape of six.
  limit_bytes: 6 * MAX_SECRET_BYTES + 1_024,
  schemaName: 'SecretValue',
  check: (body) => {
    if (typeof body !== 'string') return flaw('wrong_type', 'must be text in quotes');
    const found = checkSecretValue(body);
    return found === null ? E.right(body) : flaw(found.type, found.message);
  },
};

/** Secrets of the keyring, which configs name as `${secrets.name}`. */
export const secretRoutes = () =>
  [
    route({
      id: 'listSecrets',
      method: 'get',
      path: '/secrets/',
      tag: TAG,
      summary: 'Names of the secrets',
      description:
        'Without values; needs no password of the keyring. A keyring that does not exist yet has none.',
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
      summary: 'Value of a secret',
      description:
        'Only where the settings have `server.secrets_readable: true`; otherwise 403. The access is logged.',
      params,
      success: valueDoc('The value in clear.', { type: 'string' }),
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
        'Creates or replaces it; the first one makes the keyring. Generators take the new value at their next start. The access is logged, the value never.',
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
      summary: 'Remove a secret',
      description: 'Generators that run keep the value they started with.',
      params,
      success: nothingDoc,
      errors: ['not_found', ...CHANGED],
      request: ({ path }) => ({ type: 'secrets.remove', payload: { name: path.name } }),
      reply: nothing,
    }),
  ] as const;
