import { ROLES } from '../../domain/access/roles.js';
import { nothing, nothingDoc, value, valueDoc } from '../reply.js';
import type { Reply, Route } from '../route.js';
import { route } from '../route.js';

const TAG = 'Authentication';

/** The user name while no credentials are configured. */
const LOCAL_USER = 'local';

/** The HTTP facade answers these itself, because it owns the sessions. */
type AuthRequest = 'auth.login' | 'auth.me' | 'auth.role' | 'auth.logout';

export type AuthRoute = Route<AuthRequest, null, string | null>;

const USER = valueDoc(`Name of the user; \`${LOCAL_USER}\` if no credentials are configured.`, {
  type: 'string',
});

const named = (user: string | null): Reply => value(user ?? LOCAL_USER);

/** A page logs in once and sends a cookie instead of a password. */
export const AUTH_ROUTES: readonly AuthRoute[] = [
  route({
    id: 'login',
    method: 'post',
    path: '/auth/login',
    tag: TAG,
    summary: 'Log in',
    description:
      'Takes HTTP Basic credentials and sets the cookie `session_id`. A session ends after an hour without a request, ' +
      'after twelve hours, on logout, and when the credentials change. It survives a restart of the service.',
    needsBasic: true,
    success: {
      ...USER,
      headers: { 'Set-Cookie': 'The session cookie; absent if no credentials are configured.' },
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
    summary: 'Get the current user',
    success: USER,
    errors: [],
    request: () => ({ type: 'auth.me', payload: null }),
    reply: named,
  }),
  route({
    id: 'readRole',
    method: 'get',
    path: '/auth/role',
    tag: TAG,
    summary: 'Get the role of the current user',
    success: valueDoc('What the user may do; `admin` if no credentials are configured.', {
      type: 'string',
      enum: [...ROLES],
    }),
    errors: [],
    request: () => ({ type: 'auth.role', payload: null }),
    reply: named,
  }),
  route({
    id: 'logout',
    method: 'post',
    path: '/auth/logout',
    tag: TAG,
    summary: 'Log out',
    description: 'Ends the session of the cookie. Succeeds without a cookie too.',
    isOpen: true,
    success: { ...nothingDoc, headers: { 'Set-Cookie': 'Deletes the cookie.' } },
    errors: [],
    request: () => ({ type: 'auth.logout', payload: null }),
    reply: () => nothing(null),
  }),
];
