import { newScenarioNameParam } from '../generatorIds.js';
import { nameParam } from '../params.js';
import { created, createdDoc, nothing, nothingDoc, value, valueDoc } from '../reply.js';
import { refTo } from '../responses.js';
import { route } from '../route.js';

const TAG = 'Scenarios';
const params = { name: nameParam('Name of the scenario.') };
const generator_id = nameParam('Id of an entry of the startup list.');
const AT_NEXT_START = 'Running generators go on as they are; the change acts at their next start.';

/** Which scenarios there are and who is in them: the startup list says so. */
export const membershipRoutes = () =>
  [
    route({
      id: 'listScenarios',
      method: 'get',
      path: '/scenarios/',
      tag: TAG,
      summary: 'List scenarios',
      description: 'Those that an entry of the startup list names, and those that a running generator is in.',
      success: valueDoc('Names, sorted.', { type: 'array', items: { type: 'string' } }),
      errors: ['unreadable'],
      request: () => ({ type: 'scenarios.list', payload: null }),
      reply: value,
    }),
    route({
      id: 'readScenario',
      method: 'get',
      path: '/scenarios/{name}',
      tag: TAG,
      summary: 'Members of a scenario',
      description:
        'Those of the startup list in its order, then others that run and joined when they started.',
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
      summary: 'Take all members out of a scenario',
      description: `Removes the name from every entry of the startup list. ${AT_NEXT_START}`,
      params,
      success: nothingDoc,
      errors: ['not_found', 'unreadable', 'unwritable'],
      request: ({ path }) => ({ type: 'scenarios.delete', payload: { name: path.name } }),
      reply: nothing,
    }),
    route({
      id: 'readGlobalsUsage',
      method: 'get',
      path: '/scenarios/{name}/generators/{generator_name}/globals-usage',
      tag: TAG,
      summary: 'What the templates of a generator directory do with globals',
      description:
        'One item per occurrence in files that end in .jinja or .j2; a key that only a run knows, and update(), are warnings. ' +
        'Files that do not parse are left out.',
      params: {
        ...params,
        generator_name: nameParam('Name of a generator directory, or id of a generator.'),
      },
      success: valueDoc('Keys that are written and read, and where.', refTo('GlobalsUsage')),
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
      description: `A new name makes a new scenario. The first scenario of an entry is its home. ${AT_NEXT_START}`,
      params: { name: newScenarioNameParam('Name of the scenario.'), generator_id },
      success: createdDoc,
      errors: ['not_found', 'already_exists', 'unreadable', 'unwritable'],
      request: ({ path }) => ({ type: 'scenarios.join', payload: path }),
      reply: created,
    }),
    route({
      id: 'leaveScenario',
      method: 'delete',
      path: '/scenarios/{name}/generators/{generator_id}',
      tag: TAG,
      summary: 'Take a generator out of a scenario',
      description: `The last one to leave ends the scenario. ${AT_NEXT_START}`,
      params: { ...params, generator_id },
      success: nothingDoc,
      errors: ['not_found', 'unreadable', 'unwritable'],
      request: ({ path }) => ({ type: 'scenarios.leave', payload: path }),
      reply: nothing,
    }),
  ] as const;
