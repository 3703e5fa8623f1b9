import { defaultAnswers } from '../support.js';
import type { ValidRequest } from './validRequest.js';
import { LOOKED_AT } from './worldAnswers.js';

const asked = (payload: Readonly<Record<string, unknown>>) => ({
  type: 'worlds.ask',
  payload: { name: 'acme', ...payload },
});

/** As `VALID`, for worlds. */
export const VALID_WORLDS: readonly ValidRequest[] = [
  [
    'listWorlds',
    'GET',
    '/worlds',
    undefined,
    { type: 'worlds.list', payload: null },
    200,
    defaultAnswers()['worlds.list'],
  ],
  [
    'readWorld',
    'GET',
    '/worlds/acme?at=1970-01-01T00%3A00%3A01Z',
    undefined,
    asked({ kind: 'contents', at: 1_000_000 }),
    200,
    LOOKED_AT.contents,
  ],
  [
    'readWorldActivity',
    'GET',
    '/worlds/acme/activity',
    undefined,
    asked({ kind: 'activity' }),
    200,
    LOOKED_AT.activity,
  ],
  [
    'listWorldPeople',
    'GET',
    '/worlds/acme/people?search=ada+it&offset=5&limit=1',
    undefined,
    asked({ kind: 'people', search: 'ada it', offset: 5, limit: 1 }),
    200,
    LOOKED_AT.people,
  ],
  [
    'readWorldDay',
    'GET',
    '/worlds/acme/people/ada.lovelace/day?date=2026-03-10',
    undefined,
    asked({ kind: 'day', person: 'ada.lovelace', date: '2026-03-10' }),
    200,
    LOOKED_AT.day,
  ],
];
