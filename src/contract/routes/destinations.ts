import type { Json } from '../../domain/json.js';
import type { CheckedOutput } from '../../domain/preview.js';
import type { AnyShape, JsonSchema } from '../../schema/index.js';
import { storedBody } from '../body.js';
import { booleanParam, optionalNameParam, storedNameParam } from '../params.js';
import { nothing, nothingDoc, tagged, taggedDoc, value, valueDoc } from '../reply.js';
import { route } from '../route.js';
import { errorCode, list, maybe, object, refTo, textField } from '../schemaParts.js';

export const DESTINATION_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  CheckedOutput: object({
    plugin: { ...textField, description: 'Name of the output plugin.' },
    error: { ...maybe(textField), description: 'Why it could not be opened; null: it could.' },
    error_code: errorCode,
  }),
  Destination: object({
    name: textField,
    plugin: maybe({ ...textField, description: 'Output plugin; null: the file is invalid.' }),
    error: maybe(textField),
    used_by: { ...list(textField), description: 'Ids of the generators whose config names it.' },
  }),
};

const TAG = 'Destinations';

/** Rows of destinations: outputs with a name that many generators use. `output`: the shape of one output. */
export const destinationRoutes = (output: AnyShape) => {
  const body = storedBody('Output', output);
  const params = {
    name: storedNameParam('Name of the destination: its file without .yml.'),
  };
  return [
    route({
      id: 'listDestinations',
      method: 'get',
      path: '/destinations/',
      tag: TAG,
      summary: 'List destinations',
      description: 'Returns the destinations with the generators that use them, sorted by name.',
      success: valueDoc('The destinations.', { type: 'array', items: refTo('Destination') }),
      errors: ['unreadable'],
      request: () => ({ type: 'destinations.list', payload: null }),
      reply: value,
    }),
    route({
      id: 'readDestination',
      method: 'get',
      path: '/destinations/{name}',
      tag: TAG,
      summary: 'Read a destination',
      description: 'Returns its output as it is written, with secrets masked.',
      params,
      success: taggedDoc('The output.', refTo('Output')),
      errors: ['not_found', 'unreadable', 'too_large'],
      request: ({ path }) => ({ type: 'destinations.read', payload: { name: path.name } }),
      reply: (answer: { readonly output: Json; readonly etag: string }) => tagged(answer.etag, answer.output),
    }),
    route({
      id: 'writeDestination',
      method: 'put',
      path: '/destinations/{name}',
      tag: TAG,
      summary: 'Create or replace a destination',
      description:
        'The file keeps its comments and the order of its keys; a mask keeps the stored secret. Generators use it from their next start. Refused in a cluster, whose nodes have files of their own.',
      params,
      body,
      isConditional: true,
      success: taggedDoc('Done.', { type: 'null' }),
      errors: ['precondition_failed', 'wrong_state', 'unreadable', 'too_large', 'unwritable'],
      request: (parts) => ({
        type: 'destinations.write',
        payload: { name: parts.path.name, output: parts.body, if_match: parts.ifMatch },
      }),
      reply: (answer: { readonly etag: string }) => tagged(answer.etag, null),
    }),
    route({
      id: 'deleteDestination',
      method: 'delete',
      path: '/destinations/{name}',
      tag: TAG,
      summary: 'Delete a destination',
      description: 'Fails with 409 while the config of a generator names it.',
      params,
      query: { force: booleanParam(false, 'Delete it even if it is in use.') },
      success: nothingDoc,
      errors: ['not_found', 'wrong_state', 'unreadable', 'unwritable'],
      request: ({ path, query }) => ({
        type: 'destinations.delete',
        payload: { name: path.name, force: query.force },
      }),
      reply: nothing,
    }),
    route({
      id: 'checkOutput',
      method: 'post',
      path: '/preview/output',
      tag: TAG,
      summary: 'Check an output',
      description:
        'Opens an output as a generator would and closes it, without an event: is the server there, is the login right? The output need not be stored; `{"use": "siem"}` checks a destination. Secrets are read from the keyring. A file is not opened, but its folder must be writable. Masks stand for the secrets of the destination that `destination` names. An output has 5 seconds to open.',
      query: { destination: optionalNameParam('Destination whose secrets masks stand for.') },
      body,
      success: valueDoc('Whether it could be opened.', refTo('CheckedOutput')),
      errors: ['not_found', 'unreadable', 'plugin_failed', 'too_many_requests'],
      request: (parts) => ({
        type: 'destinations.check',
        payload: { output: parts.body, masked: parts.query.destination },
      }),
      reply: (answer: CheckedOutput) => ({
        status: 200,
        kind: 'json' as const,
        value: checkedOutput(answer),
      }),
    }),
  ] as const;
};

/** A checked output in an answer. */
export const checkedOutput = ({ kind, error }: CheckedOutput) => ({
  plugin: kind,
  error: error?.message ?? null,
  error_code: error?.code ?? null,
});
