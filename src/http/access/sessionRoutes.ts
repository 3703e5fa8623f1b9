import * as E from 'fp-ts/lib/Either.js';
import type { Reply } from '../../contract/route.js';
import { AUTH_ROUTES, type AuthRoute } from '../../contract/routes/auth.js';
import type { Caller } from '../../domain/access/origin.js';
import type { Log } from '../../ports/log.js';
import { problemReply } from '../replies.js';
import type { Admission } from './auth.js';
import { endedCookie, type Sessions, sessionCookie, sessionIdsOf } from './sessions.js';

/** Routes that are answered here. */
export const isAuthRoute = (row: object): row is AuthRoute => AUTH_ROUTES.some((each) => each === row);

interface AuthCall {
  readonly caller: Caller;
  readonly admission: Admission;
  /** The text after `?`. */
  readonly query: string;
}

/** Whether the client connected over TLS, directly or to the proxy. */
const isSecure = ({ isEncrypted, headers }: Caller): boolean =>
  isEncrypted || headers['x-forwarded-proto'] === 'https';

const withCookie = (reply: Reply, cookie: string): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'Set-Cookie': cookie },
});

/** Ends the sessions of a request's cookies. */
const endOld = async ({ caller }: AuthCall, sessions: Sessions): Promise<boolean> => {
  const ids = sessionIdsOf(caller.headers.cookie);
  await Promise.all(ids.map(sessions.end));
  return ids.length > 0;
};

/** Answers requests that start, show or end a session. */
export const answerAuth = async (
  route: AuthRoute,
  call: AuthCall,
  sessions: Sessions,
  log: Log,
): Promise<Reply> => {
  const raw = { path: {}, query: call.query, mediaType: '', ifMatch: null };
  const request = route.toRequest(raw);
  if (E.isLeft(request)) return problemReply(request.left, false);
  const { caller, admission } = call;
  const client = caller.remoteAddress ?? '';
  if (route.id === 'logout') {
    const reply = route.toReply(null, {});
    if (!(await endOld(call, sessions))) return reply;
    log.write('info', 'a session ended', { client });
    return withCookie(reply, endedCookie(isSecure(caller)));
  }
  if (route.id === 'readRole') return route.toReply(admission.role, {});
  const reply = route.toReply(admission.user, {});
  if (route.id === 'readUser' || admission.user === null) return reply;
  await endOld(call, sessions);
  log.write('info', 'a session started', { client });
  return withCookie(reply, sessionCookie(sessions.begin(admission.user), isSecure(caller)));
};
