import { inQuery, nameParam, newScenarioNameParam } from '../params.js';
import { created, createdDoc, nothing, nothingDoc, value, valueDoc } from '../reply.js';
import { route } from '../route.js';
import { refTo } from '../schemaParts.js';

const TAG = 'Scenarios';
const params = { name: nameParam('Name of the scenario.') };
const generator_id = nameParam('Id of an entry of the startup list.');
const AT_NEXT_START = 'Running generators apply the change at their next start.';

/** Scenarios and their members, as the startup list declares them. */
export const membershipRoutes = () =>
  [
    route({
      id: 'listScenarios',
      method: 'get',
      path: '/scenarios/',
      tag: TAG,
      summary: 'List scenarios',
      description: 'Returns the scenarios of the startup list and of running generators.',
      success: valueDoc('The names, sorted.', { type: 'array', items: { type: 'string' } }),
      errors: ['unreadable'],
      request: () => ({ type: 'scenarios.list', payload: null }),
      reply: value,
    }),
    route({
      id: 'readScenario',
      method: 'get',
      path: '/scenarios/{name}',
      tag: TAG,
      summary: 'List the members of a scenario',
      description:
        'Returns the members of the startup list in its order, then running generators that joined at their start.',
      params,
      success: valueDoc('The scenario.', refTo('Scenario')),
      errors: ['not_found', 'unreadable'],
      request: ({ path }) => ({ type: 'scenarios.read', payload: { name: path.name } }),
      reply: value,
    }),
    route({
      id: 'deleteScenario',
      method: 'delete',
      path: '/scenarios/{name}',
      tag: TAG,
      summary: 'Remove all members of a scenario',
      description: `Removes the name from every entry of the startup list. ${AT_NEXT_START}`,
      params,
      success: nothingDoc,
      errors: ['not_found', 'unreadable', 'unwritable'],
      request: ({ path }) => ({ type: 'scenarios.delete', payload: { name: path.name } }),
      reply: nothing,
    }),
    route({
      id: 'renameScenario',
      method: 'post',
      path: '/scenarios/{name}/rename',
      tag: TAG,
      summary: 'Rename a scenario',
      description:
        'Writes the new name into every entry of the startup list that has the former one, and keeps the globals. No member may run. ' +
        'Fails with 409 if an entry, a running generator or saved globals have the new name, and in a cluster.',
      params,
      query: { to: inQuery(newScenarioNameParam('New name of the scenario.')) },
      success: nothingDoc,
      errors: ['not_found', 'already_exists', 'wrong_state', 'unreadable', 'unwritable'],
      request: ({ path, query }) => ({ type: 'scenarios.rename', payload: { name: path.name, ...query } }),
      reply: nothing,
    }),
    route({
      id: 'readGlobalsUsage',
      method: 'get',
      path: '/scenarios/{name}/generators/{generator_name}/globals-usage',
      tag: TAG,
      summary: 'Find the globals that a generator uses',
      description:
        'Returns one item per occurrence in templates (.jinja, .j2) and scripts (.js, .ts, .mjs, .py and the like) of the directory; `template` is ' +
        'the file. A declared knob, and what an input `world` reads, is a read of the config. Keys that are only known at run time, and an update() ' +
        'of such keys, are warnings; of a template, any update(). Skips files that do not parse, and those outside of the directory.',
      params: {
        ...params,
        generator_name: nameParam('Name of a generator directory, or id of a generator.'),
      },
      success: valueDoc(
        'The keys that are written and read, by file, and the declared knobs.',
        refTo('GlobalsUsage'),
      ),
      errors: ['forbidden', 'not_found', 'unreadable'],
      request: ({ path }) => ({ type: 'configs.globals_usage', payload: { name: path.generator_name } }),
      reply: value,
    }),
    route({
      id: 'joinScenario',
      method: 'post',
      path: '/scenarios/{name}/generators/{generator_id}',
      tag: TAG,
      summary: 'Add a generator to a scenario',
      description: `Creates the scenario if it is new. The first scenario of an entry is its home. ${AT_NEXT_START}`,
      params: { name: newScenarioNameParam('Name of the scenario.'), generator_id },
      success: createdDoc,
      errors: ['not_found', 'already_exists', 'wrong_state', 'unreadable', 'unwritable'],
      request: ({ path }) => ({ type: 'scenarios.join', payload: path }),
      reply: created,
    }),
    route({
      id: 'leaveScenario',
      method: 'delete',
      path: '/scenarios/{name}/generators/{generator_id}',
      tag: TAG,
      summary: 'Remove a generator from a scenario',
      description: `A scenario ends with its last member. ${AT_NEXT_START}`,
      params: { ...params, generator_id },
      success: nothingDoc,
      errors: ['not_found', 'unreadable', 'unwritable'],
      request: ({ path }) => ({ type: 'scenarios.leave', payload: path }),
      reply: nothing,
    }),
  ] as const;
