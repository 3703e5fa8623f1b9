import { nothing, nothingDoc, value, valueDoc } from '../reply.js';
import type { Reply, Route } from '../route.js';
import { route } from '../route.js';

const TAG = 'Authentication';

/** Name of everyone while no credentials are set, so that nobody has to log in. */
export const LOCAL_USER = 'local';

/** What the endpoints ask; the HTTP facade, which keeps the sessions, answers itself. */
export type AuthRequest = 'auth.login' | 'auth.me' | 'auth.logout';

/** A row that the facade answers itself. */
export type AuthRoute = Route<AuthRequest, null, string | null>;

const USER = valueDoc(`Name of the user; \`${LOCAL_USER}\` when no credentials are set.`, { type: 'string' });

const named = (user: string | null): Reply => value(user ?? LOCAL_USER);

/** Sessions: a page logs in once and then sends a cookie instead of a password. */
export const AUTH_ROUTES: readonly AuthRoute[] = [
  route({
    id: 'login',
    method: 'post',
    path: '/auth/login',
    tag: TAG,
    summary: 'Log in: begin a session',
    description:
      'Needs HTTP Basic credentials and sets the cookie `session_id`. The session ends after an hour without a ' +
      'request, after twelve hours, by logging out, and when the credentials change. It survives a restart of the service.',
    needsBasic: true,
    success: {
      ...USER,
      headers: { 'Set-Cookie': 'The session; absent when no credentials are set.' },
    },
    errors: [],
    request: () => ({ type: 'auth.login', payload: null }),
    reply: named,
  }),
  route({
    id: 'readUser',
    method: 'get',
    path: '/auth/me',
    tag: TAG,
    summary: 'Who the request comes from',
    success: USER,
    errors: [],
    request: () => ({ type: 'auth.me', payload: null }),
    reply: named,
  }),
  route({
    id: 'logout',
    method: 'post',
    path: '/auth/logout',
    tag: TAG,
    summary: 'Log out: end the session of the cookie',
    description: 'Without a cookie nothing happens.',
    isOpen: true,
    success: { ...nothingDoc, headers: { 'Set-Cookie': 'Deletes the cookie.' } },
    errors: [],
    request: () => ({ type: 'auth.logout', payload: null }),
    reply: () => nothing(null),
  }),
];
