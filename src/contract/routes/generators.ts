import { isJsonObject, type JsonObject } from '../../domain/json.js';
import type { CheckedOutput } from '../../domain/preview.js';
import type { AnyShape } from '../../schema/index.js';
import { idsBody, objectBody, storedBody } from '../body.js';
import { booleanParam, inQuery, nameParam, newGeneratorIdParam } from '../params.js';
import { created, createdDoc, EXTENSIONS_STAY, nothing, nothingDoc, value, valueDoc } from '../reply.js';
import { route } from '../route.js';
import { list, refTo } from '../schemaParts.js';
import { checkedOutput } from './destinations.js';

const TAG = 'Generators';
const params = { id: nameParam('Id of the generator.') };
const body = objectBody('GivenGeneratorParams', []);
const GROUP = '/generators/group-actions';
const startErrors = ['not_found', 'wrong_state', 'unreadable', 'output_failed'] as const;

export const generatorRoutes = () =>
  [
    route({
      id: 'listGenerators',
      method: 'get',
      path: '/generators/',
      tag: TAG,
      summary: 'List generators',
      success: valueDoc('The generators with their status.', {
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
      summary: 'Get the parameters of a generator',
      params,
      success: valueDoc('The parameters with every default.', refTo('GeneratorParams')),
      errors: ['not_found'],
      request: ({ path }) => ({ type: 'generators.read', payload: { id: path.id } }),
      reply: value,
    }),
    route({
      id: 'readGeneratorStatus',
      method: 'get',
      path: '/generators/{id}/status',
      tag: TAG,
      summary: 'Get the status of a generator',
      params,
      success: valueDoc(
        'The status; `reason` is the cause of a failure or backoff.',
        refTo('GeneratorStatus'),
      ),
      errors: ['not_found'],
      request: ({ path }) => ({ type: 'generators.status', payload: { id: path.id } }),
      reply: value,
    }),
    route({
      id: 'readGeneratorStats',
      method: 'get',
      path: '/generators/{id}/stats',
      tag: TAG,
      summary: 'Get the statistics of a generator',
      params,
      description:
        'Returns the counters of the current or last run. Fails with 400 if the generator has never run.',
      success: valueDoc('The statistics.', refTo('GeneratorStats')),
      errors: ['not_ready', 'not_found'],
      request: ({ path }) => ({ type: 'generators.stats', payload: { id: path.id } }),
      reply: value,
    }),
    route({
      id: 'readGeneratorHistory',
      method: 'get',
      path: '/generators/{id}/history',
      tag: TAG,
      summary: 'Get the last starts, ends and failures of a generator',
      params,
      description:
        'Returns the last 50, newest first; the same failure in a row is counted. Kept in memory: a restart of the service and a new registration ' +
        'of the generator clear it. The log files have all of them.',
      success: valueDoc('The starts, ends and failures.', { type: 'array', items: refTo('GeneratorTurn') }),
      errors: ['not_found'],
      request: ({ path }) => ({ type: 'generators.history', payload: { id: path.id } }),
      reply: value,
    }),
    route({
      id: 'checkOutputs',
      method: 'post',
      path: '/generators/{id}/check-outputs',
      tag: TAG,
      summary: 'Check the outputs of a generator',
      description:
        'Opens the outputs as a start does and closes them: is the server there, is the login right? Sends no event and disturbs no run. Reads the stored ' +
        'config, with its parameters and secrets. Files are not opened, but their folder must be writable. An output has 5 seconds to open.',
      params,
      success: valueDoc('The outputs in the order of the config.', list(refTo('CheckedOutput'))),
      errors: ['not_found', 'wrong_state', 'unreadable', 'plugin_failed', 'too_many_requests'],
      request: ({ path }) => ({ type: 'generators.check_outputs', payload: { id: path.id } }),
      reply: (outputs: readonly CheckedOutput[]) => ({
        status: 200,
        kind: 'json' as const,
        value: outputs.map(checkedOutput),
      }),
    }),
    route({
      id: 'startGenerator',
      method: 'post',
      path: '/generators/{id}/start',
      tag: TAG,
      summary: 'Start a generator',
      description: 'Reads the config and responds once the generator runs. Succeeds if it already runs.',
      params,
      success: valueDoc('It runs.', { const: true }),
      errors: startErrors,
      request: ({ path }) => ({ type: 'generators.start', payload: { id: path.id } }),
      reply: value,
    }),
    route({
      id: 'stopGenerator',
      method: 'post',
      path: '/generators/{id}/stop',
      tag: TAG,
      summary: 'Stop a generator',
      description:
        'Delivers events in flight and responds once the generator has stopped. Succeeds if it does not run.',
      params,
      success: nothingDoc,
      errors: ['not_found'],
      request: ({ path }) => ({ type: 'generators.stop', payload: { id: path.id } }),
      reply: nothing,
    }),
    route({
      id: 'restartGenerator',
      method: 'post',
      path: '/generators/{id}/restart',
      tag: TAG,
      summary: 'Restart a generator',
      description: 'Stops the generator and starts it again. Starts it if it does not run.',
      params,
      success: valueDoc('It runs.', { const: true }),
      errors: startErrors,
      request: ({ path }) => ({ type: 'generators.restart', payload: { id: path.id } }),
      reply: value,
    }),
    route({
      id: 'createGenerator',
      method: 'post',
      path: '/generators/{id}',
      tag: TAG,
      summary: 'Register a generator',
      description:
        'The config must be a file in the generators directory. Missing parameters default to the settings. ' +
        'Does not start the generator. Only generators of the startup list survive a restart of the service. The id of the path wins over the id of the body.',
      params: { id: newGeneratorIdParam('Id of the new generator.') },
      body,
      success: createdDoc,
      errors: ['forbidden', 'not_found', 'already_exists', 'unreadable'],
      request: (parts) => ({ type: 'generators.create', payload: { id: parts.path.id, params: parts.body } }),
      reply: created,
    }),
    route({
      id: 'replaceGenerator',
      method: 'put',
      path: '/generators/{id}',
      tag: TAG,
      summary: 'Replace the parameters of a generator',
      description: `Fails with 409 while the generator runs. Resets its status and counters. ${EXTENSIONS_STAY}`,
      params,
      body,
      success: nothingDoc,
      errors: ['forbidden', 'not_found', 'wrong_state', 'unreadable'],
      request: (parts) => ({
        type: 'generators.replace',
        payload: { id: parts.path.id, params: parts.body },
      }),
      reply: nothing,
    }),
    route({
      id: 'removeGenerator',
      method: 'delete',
      path: '/generators/{id}',
      tag: TAG,
      summary: 'Remove a generator',
      description:
        'Stops the generator first and delivers events in flight. Its files and its startup entry stay.',
      params,
      success: nothingDoc,
      errors: ['not_found'],
      request: ({ path }) => ({ type: 'generators.delete', payload: { id: path.id } }),
      reply: nothing,
    }),
    route({
      id: 'renameGenerator',
      method: 'post',
      path: '/generators/{id}/rename',
      tag: TAG,
      summary: 'Rename a generator',
      description:
        'Fails with 409 while the generator runs, and in a cluster. Its entry of the startup list, its checkpoint and its dead letters get the new id, so it resumes where it was. ' +
        'Counters, history and log begin anew. Its directory and config keep their names, and incident files that name it are not edited.',
      params,
      query: { to: inQuery(newGeneratorIdParam('New id of the generator.')) },
      success: nothingDoc,
      errors: ['not_found', 'already_exists', 'wrong_state', 'unreadable', 'unwritable'],
      request: ({ path, query }) => ({ type: 'generators.rename', payload: { id: path.id, ...query } }),
      reply: nothing,
    }),
  ] as const;

const running = valueDoc('The ids that run and those that do not.', refTo('BulkStart'));

export const generatorGroupRoutes = () =>
  [
    route({
      id: 'readRunningStats',
      method: 'get',
      path: `${GROUP}/stats-running`,
      tag: TAG,
      summary: 'Get the statistics of all running generators',
      success: valueDoc('The statistics.', { type: 'array', items: refTo('GeneratorStats') }),
      errors: [],
      request: () => ({ type: 'generators.stats_running', payload: null }),
      reply: value,
    }),
    route({
      id: 'startGenerators',
      method: 'post',
      path: `${GROUP}/bulk-start`,
      tag: TAG,
      summary: 'Start several generators',
      description: 'Unknown ids are reported as not running.',
      body: idsBody,
      success: running,
      errors: [],
      request: (parts) => ({ type: 'generators.bulk_start', payload: { ids: parts.body } }),
      reply: value,
    }),
    route({
      id: 'restartGenerators',
      method: 'post',
      path: `${GROUP}/bulk-restart`,
      tag: TAG,
      summary: 'Restart several generators',
      description: 'Unknown ids are reported as not running.',
      body: idsBody,
      success: running,
      errors: [],
      request: (parts) => ({ type: 'generators.bulk_restart', payload: { ids: parts.body } }),
      reply: value,
    }),
    route({
      id: 'stopGenerators',
      method: 'post',
      path: `${GROUP}/bulk-stop`,
      tag: TAG,
      summary: 'Stop several generators',
      description: 'Responds once all have stopped. Ignores unknown ids.',
      body: idsBody,
      success: nothingDoc,
      errors: [],
      request: (parts) => ({ type: 'generators.bulk_stop', payload: { ids: parts.body } }),
      reply: nothing,
    }),
    route({
      id: 'removeGenerators',
      method: 'post',
      path: `${GROUP}/bulk-delete`,
      tag: TAG,
      summary: 'Remove several generators',
      description: 'Stops the generators first. Ignores unknown ids.',
      body: idsBody,
      success: nothingDoc,
      errors: [],
      request: (parts) => ({ type: 'generators.bulk_delete', payload: { ids: parts.body } }),
      reply: nothing,
    }),
  ] as const;

/** Drops sections that are null, which means "not given". */
const givenOf = (body: unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(isJsonObject(body) ? (body as JsonObject) : {}).filter(([, section]) => section !== null),
  );

/** `patch`: the shape of the sections, all optional. */
export const generatorPatchRoutes = (patch: AnyShape) =>
  [
    route({
      id: 'patchGenerator',
      method: 'patch',
      path: '/generators/{id}',
      tag: 'Generators',
      summary: 'Patch a running generator',
      description:
        'Replaces each given section as a whole while events flow. New outputs open before ' +
        'the former ones flush and close. New inputs start after the last event. A new event plugin of ' +
        'the same kind takes over the state of the former one. Unchanged parts keep running. ' +
        'If a part cannot be built, nothing changes (422). Automatic restarts keep the patch; a manual start reads the config file.',
      params: { id: nameParam('Id of the generator.') },
      query: { persist: booleanParam(false, 'Also write the sections to the config file.') },
      body: storedBody('GeneratorPatch', patch),
      success: { ...nothingDoc, description: 'The patch is applied.' },
      errors: ['not_found', 'wrong_state', 'plugin_failed', 'timed_out', 'forbidden', 'unwritable'],
      request: (parts) => ({
        type: 'generators.patch',
        payload: { id: parts.path.id, sections: givenOf(parts.body), persist: parts.query.persist },
      }),
      reply: nothing,
    }),
  ] as const;
