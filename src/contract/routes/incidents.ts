import type * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../../domain/errors.js';
import {
  checkIncidentName,
  MAX_INCIDENT_CHARACTERS,
  MAX_INCIDENT_NAME,
  MAX_INCIDENT_SEED,
  MAX_ROUNDS,
} from '../../domain/incidents/incident.js';
import { decode, record, required, text } from '../../schema/index.js';
import { checkedParam, integerParam, momentParam, textParam } from '../params.js';
import { value, valueDoc } from '../reply.js';
import { type BodySpec, route } from '../route.js';
import { refTo } from '../schemaParts.js';

const common = { tag: 'Incidents' } as const;
const path = '/incidents/{name}';
const params = {
  name: checkedParam(
    { check: checkIncidentName, pattern: '^(?!\\.)[A-Za-z0-9._-]+$', max_length: MAX_INCIDENT_NAME },
    'Name of the incident: its file without .yml.',
  ),
};

/** Characters of the positions of all members. */
const MAX_AFTER = 400;

const seed = textParam(MAX_INCIDENT_SEED, 'Seed of the entities: the same seed draws the same ones.');

const fileShape = record({
  text: required(text({ maxLength: MAX_INCIDENT_CHARACTERS }), { help: 'The file, YAML.' }),
});

export const incidentFileSchema = fileShape.schema;

const fileBody: BodySpec<{ readonly text: string }> = {
  kind: 'json',
  mediaTypes: ['application/json'],
  limit_bytes: 2 * MAX_INCIDENT_CHARACTERS,
  schemaName: 'IncidentFile',
  check: (body): E.Either<readonly Issue[], { readonly text: string }> => decode(fileShape, body),
};

const done = (description: string) => valueDoc(description, { type: 'null' });

/** Incidents of the service. */
export const incidentRoutes = () =>
  [
    route({
      ...common,
      id: 'listIncidents',
      method: 'get',
      path: '/incidents/',
      summary: 'List incidents',
      description:
        'Returns the incident files of the incidents directory with state and position, sorted by name.',
      success: valueDoc('The incidents.', { type: 'array', items: refTo('Incident') }),
      errors: ['unreadable'],
      request: () => ({ type: 'incidents.list', payload: null }),
      reply: value,
    }),
    route({
      ...common,
      id: 'readIncident',
      method: 'get',
      path,
      params,
      query: { seed },
      summary: 'Read an incident',
      description:
        'Returns file, timeline, members and position. With `seed`, the entities of an incident that is not under way are drawn from it.',
      success: valueDoc('The incident.', refTo('IncidentDetails')),
      errors: ['not_found', 'unreadable', 'too_large'],
      request: (parts) => ({
        type: 'incidents.read',
        payload: { name: parts.path.name, seed: parts.query.seed },
      }),
      reply: value,
    }),
    route({
      ...common,
      id: 'readIncidentTruth',
      method: 'get',
      path: `${path}/truth`,
      params,
      query: {
        after: textParam(MAX_AFTER, 'The `next` of the answer before: only later lines. Default: all.'),
      },
      summary: 'Read the ground truth of an incident',
      description:
        'Returns the lines that the members of the run under way, or of the last one, have written so far, if `ground_truth` is an output ' +
        '`file`. At most 1 MiB at a time: while `is_more` is true, ask again with `after`.',
      success: valueDoc('The lines.', refTo('IncidentTruth')),
      errors: ['not_found', 'unreadable', 'too_large', 'invalid'],
      request: (parts) => ({
        type: 'incidents.truth',
        payload: { name: parts.path.name, after: parts.query.after },
      }),
      reply: value,
    }),
    route({
      ...common,
      id: 'writeIncident',
      method: 'put',
      path,
      params,
      summary: 'Create or replace an incident file',
      description: 'Checks the file first. An incident under way goes on with the file it began with.',
      body: fileBody,
      success: done('Written.'),
      errors: ['unwritable'],
      request: (parts) => ({
        type: 'incidents.write',
        payload: { name: parts.path.name, text: parts.body.text },
      }),
      reply: value,
    }),
    route({
      ...common,
      id: 'deleteIncident',
      method: 'delete',
      path,
      params,
      summary: 'Delete an incident file',
      success: done('Deleted.'),
      errors: ['not_found', 'wrong_state', 'unwritable', 'unreadable'],
      request: (parts) => ({ type: 'incidents.delete', payload: { name: parts.path.name } }),
      reply: value,
    }),
    route({
      ...common,
      id: 'startIncident',
      method: 'post',
      path: `${path}/start`,
      params,
      query: {
        seed,
        rounds: integerParam(1, 1, MAX_ROUNDS, 'How often the incident runs, one round after another.'),
      },
      summary: 'Start an incident',
      description:
        'Answers once all members take part; the incident begins at a full second, one to two seconds later. Generators that do not run are started and stopped at its end; members without a generator get one meanwhile.',
      success: valueDoc('Started.', refTo('IncidentRun')),
      errors: [
        'not_found',
        'wrong_state',
        'unreadable',
        'too_large',
        'plugin_failed',
        'output_failed',
        'timed_out',
      ],
      request: (parts) => ({
        type: 'incidents.start',
        payload: { name: parts.path.name, seed: parts.query.seed, rounds: parts.query.rounds },
      }),
      reply: value,
    }),
    route({
      ...common,
      id: 'pauseIncident',
      method: 'post',
      path: `${path}/pause`,
      params,
      summary: 'Pause an incident',
      description:
        'It holds its position from a full second, one to two seconds later: no events of phases; silent members stay silent, changed globals, rates and outputs stay as they are.',
      success: done('Paused.'),
      errors: ['not_found', 'wrong_state', 'unreadable', 'timed_out'],
      request: (parts) => ({ type: 'incidents.pause', payload: { name: parts.path.name } }),
      reply: value,
    }),
    route({
      ...common,
      id: 'resumeIncident',
      method: 'post',
      path: `${path}/resume`,
      params,
      summary: 'Resume a paused incident',
      success: done('Resumed.'),
      errors: ['not_found', 'wrong_state', 'unreadable', 'timed_out'],
      request: (parts) => ({ type: 'incidents.resume', payload: { name: parts.path.name } }),
      reply: value,
    }),
    route({
      ...common,
      id: 'jumpInIncident',
      method: 'post',
      path: `${path}/jump`,
      params,
      query: { to: momentParam('Time after the start, like 8m, or the name of a phase.') },
      summary: 'Go on at another moment of an incident',
      description:
        'Forward or back. Events of phases that are jumped over are not made; those after a jump back come again.',
      success: done('Done.'),
      errors: ['not_found', 'wrong_state', 'unreadable', 'timed_out'],
      request: (parts) => ({
        type: 'incidents.jump',
        payload: { name: parts.path.name, to: parts.query.to },
      }),
      reply: value,
    }),
    route({
      ...common,
      id: 'stopIncident',
      method: 'post',
      path: `${path}/stop`,
      params,
      summary: 'Stop an incident',
      description: 'Members go on as before it.',
      success: done('Stopped.'),
      errors: ['not_found', 'wrong_state', 'unreadable', 'timed_out'],
      request: (parts) => ({ type: 'incidents.stop', payload: { name: parts.path.name } }),
      reply: value,
    }),
  ] as const;
