import { defaultAnswers } from '../support.js';
import type { ValidRequest } from './validRequest.js';

const answers = defaultAnswers();
const name = 'data-theft';
const path = `/incidents/${name}`;

/** As `VALID`, for incidents. */
export const VALID_INCIDENTS: readonly ValidRequest[] = [
  [
    'listIncidents',
    'GET',
    '/incidents',
    undefined,
    { type: 'incidents.list', payload: null },
    200,
    answers['incidents.list'],
  ],
  [
    'readIncident',
    'GET',
    `${path}?seed=7`,
    undefined,
    { type: 'incidents.read', payload: { name, seed: '7' } },
    200,
    answers['incidents.read'],
  ],
  [
    'readIncidentTruth',
    'GET',
    `${path}/truth?after=0-0`,
    undefined,
    { type: 'incidents.truth', payload: { name, after: '0-0' } },
    200,
    answers['incidents.truth'],
  ],
  [
    'writeIncident',
    'PUT',
    path,
    { text: 'duration: 1m' },
    { type: 'incidents.write', payload: { name, text: 'duration: 1m' } },
    200,
    null,
  ],
  ['deleteIncident', 'DELETE', path, undefined, { type: 'incidents.delete', payload: { name } }, 200, null],
  [
    'startIncident',
    'POST',
    `${path}/start?rounds=3`,
    undefined,
    { type: 'incidents.start', payload: { name, seed: null, rounds: 3 } },
    200,
    answers['incidents.start'],
  ],
  [
    'pauseIncident',
    'POST',
    `${path}/pause`,
    undefined,
    { type: 'incidents.pause', payload: { name } },
    200,
    null,
  ],
  [
    'resumeIncident',
    'POST',
    `${path}/resume`,
    undefined,
    { type: 'incidents.resume', payload: { name } },
    200,
    null,
  ],
  [
    'jumpInIncident',
    'POST',
    `${path}/jump?to=1m30s`,
    undefined,
    { type: 'incidents.jump', payload: { name, to: '1m30s' } },
    200,
    null,
  ],
  [
    'stopIncident',
    'POST',
    `${path}/stop`,
    undefined,
    { type: 'incidents.stop', payload: { name } },
    200,
    null,
  ],
];
