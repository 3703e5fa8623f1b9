import { defaultAnswers } from '../support.js';

const answers = defaultAnswers();

/** As `VALID`, for ready-made generators. */
export const VALID_LIBRARY: readonly (readonly [
  id: string,
  method: string,
  path: string,
  body: unknown,
  asked: { readonly type: string; readonly payload: unknown },
  status: number,
  answer: unknown,
])[] = [
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
