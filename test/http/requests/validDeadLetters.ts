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
    { type: 'letters.list', payload: { id: 'g' } },
    200,
    answers['letters.list'],
  ],
  [
    'readDeadLetters',
    'GET',
    `${PATH}/1-file?offset=2&limit=3`,
    undefined,
    { type: 'letters.read', payload: { id: 'g', output: '1-file', offset: 2, limit: 3 } },
    200,
    answers['letters.read'],
  ],
  [
    'replayDeadLetters',
    'POST',
    '/generators/g/replay-dead-letters?output=1',
    undefined,
    { type: 'letters.replay', payload: { id: 'g', output: '1', limit: 100_000 } },
    200,
    answers['letters.replay'],
  ],
  [
    'purgeDeadLetters',
    'DELETE',
    `${PATH}?until=2026-01-01T00:00:00%2B00:00`,
    undefined,
    { type: 'letters.purge', payload: { id: 'g', output: null, until: '2026-01-01T00:00:00+00:00' } },
    200,
    answers['letters.purge'],
  ],
];
