import {
  checkIncidentName,
  MAX_INCIDENT_CHARACTERS,
  MAX_INCIDENT_NAME,
  MAX_INCIDENT_SEED,
  MAX_ROUNDS,
} from '../../domain/incidents/incident.js';
import { defaulted, integer, oneOf, optional, record, required, text } from '../../schema/index.js';
import { apiPath } from '../api.js';
import { asks, does, type Tool, tool } from '../tool.js';

const incident = required(
  text({ label: 'name of an incident', maxLength: MAX_INCIDENT_NAME, check: checkIncidentName }),
  { help: 'Name of the incident, as list_incidents shows it.', example: 'account-takeover' },
);

const seed = optional(text({ minLength: 1, maxLength: MAX_INCIDENT_SEED }), {
  help: 'Seed of the entities: the same seed draws the same attacker and victim.',
  example: '7',
});

export const incidentTools: readonly Tool[] = [
  tool({
    name: 'list_incidents',
    title: 'List incidents',
    description:
      'Lists incidents, such as an attack over several generators, with ground truth. Shows length and position in seconds, and ' +
      'whether each is idle, running or paused.',
    effect: 'reads',
    input: record({}),
    run: asks('incidents', () => ({ method: 'get', path: '/incidents/' })),
  }),
  tool({
    name: 'get_incident',
    title: 'Get an incident',
    description:
      'Returns the file of one incident, its timeline of phases, the generators that take part, the entities that a seed draws, and its position.',
    effect: 'reads',
    input: record({ name: incident, seed }),
    run: asks('incident', ({ name, seed: given }) => ({
      method: 'get',
      path: apiPath`/incidents/${name}`,
      query: { seed: given },
    })),
  }),
  tool({
    name: 'write_incident',
    title: 'Write an incident file',
    description:
      'Creates or replaces the file of an incident, YAML. It is checked first. get_incident of another one shows the format.',
    effect: 'changes',
    input: record({
      name: incident,
      content: required(text({ maxLength: MAX_INCIDENT_CHARACTERS }), { help: 'The whole file.' }),
    }),
    run: does(
      ({ name, content }) => [{ method: 'put', path: apiPath`/incidents/${name}`, body: { text: content } }],
      ({ name }) => ({ name, written: true }),
    ),
  }),
  tool({
    name: 'start_incident',
    title: 'Start an incident',
    description:
      'Runs the incident within the traffic of the generators that run, from a full second, one to two seconds later; starts those that do not, and stops them at its end.',
    effect: 'changes',
    input: record({
      name: incident,
      seed,
      rounds: defaulted(integer({ min: 1, max: MAX_ROUNDS }), 1, {
        help: 'How often it runs, one round after another.',
      }),
    }),
    run: asks('run', ({ name, ...query }) => ({
      method: 'post',
      path: apiPath`/incidents/${name}/start`,
      query,
    })),
  }),
  tool({
    name: 'control_incident',
    title: 'Pause, resume, jump in or stop an incident',
    description:
      'Changes the position of a running incident: pause and resume, jump to a time after its start or to a phase, or stop, after which its ' +
      'generators go on as before.',
    effect: 'changes',
    input: record({
      name: incident,
      action: required(oneOf(['pause', 'resume', 'jump', 'stop']), { help: 'What to do.' }),
      to: optional(text({ minLength: 1, maxLength: 100 }), {
        help: 'For jump: a time such as 8m, or the name of a phase.',
        example: '8m',
      }),
    }),
    run: does(
      ({ name, action, to }) => [
        {
          method: 'post',
          path: apiPath`/incidents/${name}/${action}`,
          query: { to: action === 'jump' ? to : null },
        },
      ],
      ({ name, action }) => ({ name, done: action }),
    ),
  }),
];
