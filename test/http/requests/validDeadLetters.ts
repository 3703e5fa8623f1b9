import { defaultAnswers } from '../support.js';
import type { ValidRequest } from './validRequest.js';

const answers = defaultAnswers();
const PATH = '/generators/g/dead-letters';

/** As `VALID`, for dead letters. */
export const VALID_DEAD_LETTERS: readonly ValidRequest[] = [
  [
    'listDeadLetters',
    'GET',
    PATH,
    undefined,
    { type: 'dead_letters.list', payload: { id: 'g' } },
    200,
    answers['dead_letters.list'],
  ],
  [
    'readDeadLetters',
    'GET',
    `${PATH}/1-file?offset=2&limit=3`,
    undefined,
    { type: 'dead_letters.read', payload: { id: 'g', output: '1-file', offset: 2, limit: 3 } },
    200,
    answers['dead_letters.read'],
  ],
  [
    'resendDeadLetters',
    'POST',
    '/generators/g/resend-dead-letters?output=1',
    undefined,
    { type: 'dead_letters.resend', payload: { id: 'g', output: '1', limit: 100_000 } },
    200,
    answers['dead_letters.resend'],
  ],
  [
    'replayDeadLetters',
    'POST',
    '/generators/g/replay-dead-letters?output=1&limit=2',
    undefined,
    { type: 'dead_letters.resend', payload: { id: 'g', output: '1', limit: 2 } },
    200,
    answers['dead_letters.resend'],
  ],
  [
    'purgeDeadLetters',
    'DELETE',
    `${PATH}?until=2026-01-01T00:00:00%2B00:00`,
    undefined,
    { type: 'dead_letters.purge', payload: { id: 'g', output: null, until: '2026-01-01T00:00:00+00:00' } },
    200,
    answers['dead_letters.purge'],
  ],
];
