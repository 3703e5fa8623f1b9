import { defaultAnswers } from '../support.js';
import type { ValidRequest } from './validRequest.js';

const answers = defaultAnswers();

/** As `VALID`, for ready-made generators. */
export const VALID_LIBRARY: readonly ValidRequest[] = [
  [
    'listLibrary',
    'GET',
    '/library',
    undefined,
    { type: 'library.list', payload: null },
    200,
    answers['library.list'],
  ],
  [
    'readLibraryGenerator',
    'GET',
    '/library/web%20access',
    undefined,
    { type: 'library.read', payload: { name: 'web access' } },
    200,
    answers['library.read'],
  ],
  [
    'copyLibraryGenerator',
    'POST',
    '/library/web-access/copy',
    { name: 'my web' },
    { type: 'library.copy', payload: { library: 'web-access', name: 'my web' } },
    201,
    { name: 'my-web', path: 'my-web/generator.yml' },
  ],
];
