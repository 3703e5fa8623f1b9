import { nameParam } from '../params.js';
import { nothing, nothingDoc, value, valueDoc } from '../reply.js';
import { refTo } from '../responses.js';
import { route } from '../route.js';

const TAG = 'Generators';
const params = { id: nameParam('Id of the generator.') };

/** Generators of the running instance. */
export const generatorRoutes = () =>
  [
    route({
      id: 'listGenerators',
      method: 'get',
      path: '/generators/',
      tag: TAG,
      summary: 'List generators of the instance',
      success: valueDoc('Generators with their status.', {
        type: 'array',
        items: refTo('GeneratorListItem'),
      }),
      errors: [],
      request: () => ({ type: 'generators.list', payload: null }),
      reply: value,
    }),
    route({
      id: 'readGenerator',
      method: 'get',
      path: '/generators/{id}',
      tag: TAG,
      summary: 'Parameters of a generator',
      params,
      success: valueDoc('Parameters with all defaults filled in.', refTo('GeneratorParams')),
      errors: ['not_found'],
      request: ({ path }) => ({ type: 'generators.read', payload: { id: path.id } }),
      reply: value,
    }),
    route({
      id: 'readGeneratorStatus',
      method: 'get',
      path: '/generators/{id}/status',
      tag: TAG,
      summary: 'Status of a generator',
      params,
      success: valueDoc('The status; `reason` says why it failed or backs off.', refTo('GeneratorStatus')),
      errors: ['not_found'],
      request: ({ path }) => ({ type: 'generators.status', payload: { id: path.id } }),
      reply: value,
    }),
    route({
      id: 'readGeneratorStats',
      method: 'get',
      path: '/generators/{id}/stats',
      tag: TAG,
      summary: 'Counters of a running generator',
      params,
      success: valueDoc('The counters.', refTo('GeneratorStats')),
      errors: ['not_found', 'wrong_state'],
      request: ({ path }) => ({ type: 'generators.stats', payload: { id: path.id } }),
      reply: value,
    }),
    route({
      id: 'startGenerator',
      method: 'post',
      path: '/generators/{id}/start',
      tag: TAG,
      summary: 'Start a generator',
      description: 'Answers once it runs; fine when it runs already. The config is read again.',
      params,
      success: valueDoc('It runs.', { const: true }),
      errors: ['not_found', 'wrong_state', 'unreadable', 'output_failed'],
      request: ({ path }) => ({ type: 'generators.start', payload: { id: path.id } }),
      reply: value,
    }),
    route({
      id: 'stopGenerator',
      method: 'post',
      path: '/generators/{id}/stop',
      tag: TAG,
      summary: 'Stop a generator',
      description: 'Answers once it has ended, events in flight delivered; fine when it does not run.',
      params,
      success: nothingDoc,
      errors: ['not_found'],
      request: ({ path }) => ({ type: 'generators.stop', payload: { id: path.id } }),
      reply: nothing,
    }),
  ] as const;
