import type { Json, JsonObject } from '../../domain/json.js';
import { MERGE_PATCH_TYPE, objectBody } from '../body.js';
import { keyParam, nameParam } from '../params.js';
import { asHeader, tagged, taggedDoc, value, valueDoc, WARNING } from '../reply.js';
import { route } from '../route.js';
import { refTo } from '../schemaParts.js';

const common = { tag: 'Scenarios', isEchoed: true } as const;
const path = '/scenarios/{name}/globals';
const params = { name: nameParam('Name of the scenario.') };
const done = taggedDoc('Done. The next event of every member sees the change.', { type: 'null' });
const changed = {
  ...done,
  headers: {
    ...done.headers,
    [WARNING]: 'What the change does not do, such as a key that no member reads. Absent without a warning.',
  },
};
const errors = ['not_found', 'precondition_failed', 'too_large'] as const;

const changeReply = ({
  etag,
  warnings,
}: {
  readonly etag: string;
  readonly warnings?: readonly string[];
}) => {
  const reply = tagged(etag, null);
  return warnings === undefined
    ? reply
    : { ...reply, headers: { ...reply.headers, [WARNING]: asHeader(warnings.join('; ')) } };
};

export const scenarioRoutes = () =>
  [
    route({
      ...common,
      id: 'readGlobals',
      method: 'get',
      path,
      params,
      summary: 'Read scenario global state',
      success: taggedDoc('The global state of the scenario.', refTo('Globals')),
      errors: ['not_found'],
      request: (parts) => ({ type: 'globals.read', payload: { name: parts.path.name } }),
      reply: (answer: { readonly globals: JsonObject; readonly etag: string }) =>
        tagged(answer.etag, answer.globals),
    }),
    route({
      ...common,
      id: 'patchGlobals',
      method: 'patch',
      path,
      params,
      summary: 'Update scenario global state',
      description:
        'application/json replaces each given top-level key as a whole; null is a value. application/merge-patch+json follows RFC 7386: objects merge, null removes a key.',
      body: objectBody('Globals', [MERGE_PATCH_TYPE]),
      isConditional: true,
      success: changed,
      errors,
      request: ({ path: { name }, body, mediaType, ifMatch, user }) => ({
        type: 'globals.change',
        payload: {
          name,
          change: { kind: mediaType === MERGE_PATCH_TYPE ? 'rfc7386' : 'shallow', values: body } as const,
          if_match: ifMatch,
          user,
        },
      }),
      reply: changeReply,
    }),
    route({
      ...common,
      id: 'replaceGlobals',
      method: 'put',
      path,
      params,
      summary: 'Replace scenario global state',
      body: objectBody('Globals', []),
      isConditional: true,
      success: changed,
      errors,
      request: ({ path: { name }, body, ifMatch, user }) => ({
        type: 'globals.change',
        payload: { name, change: { kind: 'replace', values: body } as const, if_match: ifMatch, user },
      }),
      reply: changeReply,
    }),
    route({
      ...common,
      id: 'clearGlobals',
      method: 'delete',
      path,
      params,
      summary: 'Clear scenario global state',
      isConditional: true,
      success: changed,
      errors: ['not_found', 'precondition_failed'],
      request: ({ path: { name }, ifMatch, user }) => ({
        type: 'globals.change',
        payload: { name, change: { kind: 'replace', values: {} } as const, if_match: ifMatch, user },
      }),
      reply: changeReply,
    }),
    route({
      ...common,
      id: 'readGlobalsHistory',
      method: 'get',
      path: '/scenarios/{name}/globals-history',
      params,
      summary: 'Get the last changes of scenario global state',
      description:
        'Returns the last 50 changes over the API, newest first, with user, time, old and new values. Changes by scripts and templates are not included. ' +
        'Kept in memory: a restart of the service clears it. To undo a change, send its old values in a PATCH with the current entity tag.',
      success: valueDoc('The changes.', { type: 'array', items: refTo('GlobalsPatch') }),
      errors: ['not_found'],
      request: (parts) => ({ type: 'globals.history', payload: { name: parts.path.name } }),
      reply: value,
    }),
    route({
      ...common,
      id: 'readGlobalsKey',
      method: 'get',
      path: `${path}/{key}`,
      params: { ...params, key: keyParam('Key to read, percent-encoded.') },
      summary: 'Read one key of scenario global state',
      description: 'Responds with 404 if the key is missing; null is a value.',
      success: taggedDoc('The value. The entity tag belongs to the whole state.', {}),
      errors: ['not_found'],
      request: ({ path: { name, key } }) => ({ type: 'globals.read_key', payload: { name, key } }),
      reply: (answer: { readonly value: Json; readonly etag: string }) => tagged(answer.etag, answer.value),
    }),
    route({
      ...common,
      id: 'deleteGlobalsKey',
      method: 'delete',
      path: `${path}/{key}`,
      params: { ...params, key: keyParam('Key to remove, percent-encoded.') },
      summary: 'Remove one key of scenario global state',
      isConditional: true,
      success: changed,
      errors: ['not_found', 'precondition_failed'],
      request: ({ path: { name, key }, ifMatch, user }) => ({
        type: 'globals.change',
        payload: { name, change: { kind: 'delete_key', key } as const, if_match: ifMatch, user },
      }),
      reply: changeReply,
    }),
  ] as const;
