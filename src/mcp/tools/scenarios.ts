import * as E from 'fp-ts/lib/Either.js';
import { freeObject, record, required } from '../../schema/index.js';
import { apiPath } from '../api.js';
import { asks, name, type Tool, tool } from '../tool.js';

const scenario = required(name, {
  help: 'Name of the scenario, as list_scenarios shows it.',
  example: 'shop',
});

export const scenarioTools: readonly Tool[] = [
  tool({
    name: 'list_scenarios',
    title: 'List scenarios',
    description:
      'Lists the names of scenarios. Generators of a scenario share live globals, such as the switch of an anomaly; list_generators shows ' +
      'the scenarios of each.',
    effect: 'reads',
    input: record({}),
    run: asks('scenarios', () => ({ method: 'get', path: '/scenarios/' })),
  }),
  tool({
    name: 'get_globals',
    title: 'Get the globals of a scenario',
    description: 'Returns the live globals that templates and scripts of the scenario read and write.',
    effect: 'reads',
    input: record({ name: scenario }),
    run: asks('globals', ({ name: given }) => ({
      method: 'get',
      path: apiPath`/scenarios/${given}/globals`,
    })),
  }),
  tool({
    name: 'patch_globals',
    title: 'Change globals of a scenario',
    description:
      'Replaces the given top-level keys of the live globals; other keys stay. The next event of every member sees it. Library generators ' +
      'switch anomalies on with {"anomaly": NAME} and off with {"anomaly": "none"}. warning is null, or names keys that nothing reads.',
    effect: 'changes',
    input: record({
      name: scenario,
      globals: required(freeObject(), {
        help: 'Keys and values to set.',
        example: { anomaly: 'brute_force' },
      }),
    }),
    run: async ({ name: given, globals }, { api }) => {
      let warning: string | null = null;
      const onWarning = (text: string): void => {
        warning = text;
      };
      const url = apiPath`/scenarios/${given}/globals`;
      const answer = await api({ method: 'patch', path: url, body: globals, onWarning });
      return E.isLeft(answer) ? answer : E.right({ name: given, changed: Object.keys(globals), warning });
    },
  }),
];
