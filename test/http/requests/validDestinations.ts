import { defaultAnswers } from '../support.js';
import type { ValidRequest } from './validRequest.js';

const answers = defaultAnswers();
const OUTPUT = { stdout: { formatter: { format: 'plain' } } };

/** As `VALID`, for destinations. */
export const VALID_DESTINATIONS: readonly ValidRequest[] = [
  [
    'listDestinations',
    'GET',
    '/destinations',
    undefined,
    { type: 'destinations.list', payload: null },
    200,
    answers['destinations.list'],
  ],
  [
    'readDestination',
    'GET',
    '/destinations/siem',
    undefined,
    { type: 'destinations.read', payload: { name: 'siem' } },
    200,
    OUTPUT,
  ],
  [
    'writeDestination',
    'PUT',
    '/destinations/siem',
    OUTPUT,
    { type: 'destinations.write', payload: { name: 'siem', output: OUTPUT, if_match: null } },
    200,
    null,
  ],
  [
    'deleteDestination',
    'DELETE',
    '/destinations/siem?force=true',
    undefined,
    { type: 'destinations.delete', payload: { name: 'siem', force: true } },
    200,
    null,
  ],
  [
    'checkOutput',
    'POST',
    '/preview/output?destination=siem',
    OUTPUT,
    { type: 'destinations.check', payload: { output: OUTPUT, masked: 'siem' } },
    200,
    { plugin: 'stdout', error: null, error_code: null },
  ],
];
