import type { IncomingHttpHeaders } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../../domain/errors.js';
import {
  type Caller,
  isCrossSite,
  isForWebSocket,
  isForwarded,
  isFromPage,
  isLoopbackAddress,
  isLoopbackHost,
  isSameOrigin,
} from '../../domain/origin.js';
import type { Log } from '../../ports/log.js';
import { type CheckPassword, isSameText, makePasswordCheck } from './password.js';
import { clientOf, type GuessLimiter } from './rateLimit.js';
import { type Sessions, sessionIdsOf } from './sessions.js';

/** Users with credentials or, if none are configured, clients on this machine. */
export type Auth =
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'none'; readonly isRemoteAllowed: boolean };

/** Needs nothing; Basic credentials or a session; Basic credentials. */
export type Access = 'open' | 'credentials' | 'basic';

/** Why a request is rejected, with headers for the response. */
export interface AuthRefusal {
  readonly error: SpateError;
  readonly headers: Readonly<Record<string, string>>;
  /** False for repeated rejections, which could flood the log. */
  readonly isLogged: boolean;
}

export interface Admission {
  /** `null` if no user was needed. */
  readonly user: string | null;
  /** False once the session is over, for long responses. The call counts as a use. */
  readonly isStillAdmitted: () => boolean;
  /** Calls the listener when the session ends. Returns how to stop listening. */
  readonly onOver: (listener: () => void) => () => void;
}

export type Admit = (caller: Caller, access: Access) => Promise<E.Either<AuthRefusal, Admission>>;

const CROSS_SITE = failure(
  'forbidden',
  'Requests from pages of other sites are not allowed. Open the service at its own address.',
);

const REMOTE = failure(
  'forbidden',
  'No credentials are configured, so only direct clients on this machine are served. Set server.auth.user and server.auth.password in the settings file and restart, or start with SPATE_ALLOW_REMOTE_WITHOUT_AUTH=1 to serve everyone without credentials.',
);

const FOREIGN_HOST = failure(
  'forbidden',
  'No credentials are configured, so the Host header must name this machine (localhost, 127.0.0.1 or [::1]). To use another name, set server.auth.user and server.auth.password in the settings file, or start with SPATE_ALLOW_REMOTE_WITHOUT_AUTH=1.',
);

const unauthenticated = (message: string): SpateError => failure('unauthenticated', message);
const NO_HEADER = unauthenticated('Credentials are missing. Send HTTP Basic credentials or log in.');
const NO_BASIC = unauthenticated('Credentials are missing. Send HTTP Basic credentials to log in.');
const OTHER_SCHEME = unauthenticated(
  'The authorization scheme is not supported. Send HTTP Basic credentials.',
);
const MALFORMED = unauthenticated('The Basic credentials are malformed. Send base64 of user:password.');
const WRONG = unauthenticated('The user or the password is wrong.');
const NO_SESSION = unauthenticated('The session is unknown or has expired. Log in again.');
const BUSY = failure('too_many_requests', 'Too many credentials are being checked. Try again in a moment.');
const NO_ORIGIN = failure(
  'forbidden',
  'A session allows changes from pages of this service only, and the request lacks Origin and Sec-Fetch-Site. Programs send HTTP Basic credentials instead.',
);

/** Names the login scheme. Pages get one for which browsers show no dialog. */
const challengeOf = (caller: Caller): Readonly<Record<string, string>> => ({
  'WWW-Authenticate': isFromPage(caller) ? 'Session realm="spate"' : 'Basic realm="spate", charset="UTF-8"',
});

const refuse = (caller: Caller, error: SpateError, isLogged = true): E.Either<AuthRefusal, never> =>
  E.left({ error, headers: error.code === 'unauthenticated' ? challengeOf(caller) : {}, isLogged });

const tooManyGuesses = (wait_ms: number): E.Either<AuthRefusal, never> => {
  const seconds = Math.ceil(wait_ms / 1_000);
  const message = `Too many wrong credentials came from this address. Try again in ${seconds} seconds.`;
  const headers = { 'Retry-After': String(seconds) };
  return E.left({ error: failure('too_many_requests', message), headers, isLogged: false });
};

const ALWAYS = (): boolean => true;
/** Without a session, nothing ends. */
const NEVER = (): (() => void) => () => {};
const ANONYMOUS: E.Either<never, Admission> = E.right({ user: null, isStillAdmitted: ALWAYS, onOver: NEVER });

/** For an instance without credentials. */
const admitOpen =
  (isRemoteAllowed: boolean): Admit =>
  async (caller) => {
    if (!isRemoteAllowed) {
      if (!isLoopbackAddress(caller.remoteAddress) || isForwarded(caller.headers))
        return refuse(caller, REMOTE);
      if (!isLoopbackHost(caller.headers.host)) return refuse(caller, FOREIGN_HOST);
    }
    return isCrossSite(caller) ? refuse(caller, CROSS_SITE) : ANONYMOUS;
  };

interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Reads a Basic header (RFC 7617, UTF-8); the user ends at the first colon. */
const readBasic = (header: string): Result<Credentials> => {
  const [scheme = '', encoded = '', extra] = header.trim().split(/ +/);
  if (scheme.toLowerCase() !== 'basic') return E.left(OTHER_SCHEME);
  if (extra !== undefined || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return E.left(MALFORMED);
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0
    ? E.left(MALFORMED)
    : E.right({ user: text.slice(0, colon), password: text.slice(colon + 1) });
};

/** The user that a request names, right or wrong; null when it names none. */
export const namedUser = ({ authorization }: IncomingHttpHeaders): string | null => {
  const given = authorization === undefined ? null : readBasic(authorization);
  return given !== null && E.isRight(given) ? given.right.user : null;
};

export interface GateParts {
  readonly sessions: Sessions;
  readonly limiter: GuessLimiter;
  readonly log: Log;
}

/**
 * Checks Basic credentials in constant time, always both parts, with a limit on wrong ones. The user has a budget of
 * its own at each address: who guesses other names behind the same proxy does not lock it out. That tells a patient
 * guesser the name, which is no secret.
 */
const basicGate =
  (known: Credentials, check: CheckPassword, { limiter, log }: GateParts) =>
  async (caller: Caller, header: string): Promise<E.Either<AuthRefusal, Admission>> => {
    const given = readBasic(header);
    if (E.isLeft(given)) return refuse(caller, given.left);
    const { user, password } = given.right;
    const client = clientOf(caller.remoteAddress);
    const guess = `${user}:${password}`;
    const isUser = isSameText(user, known.user);
    const budget = isUser ? `${client} as the user` : client;
    const mayGuess = limiter.mayGuess(budget, guess);
    if (mayGuess === 'known') return refuse(caller, WRONG, false);
    if (mayGuess !== 'yes') return tooManyGuesses(mayGuess);
    const verdict = await check(password);
    if (verdict === 'busy') return refuse(caller, BUSY, false);
    if (isUser && verdict === 'right') return E.right({ user, isStillAdmitted: ALWAYS, onOver: NEVER });
    if (limiter.wrong(budget, guess))
      log.write('warning', 'too many wrong credentials from a client: it has to wait', { client });
    return refuse(caller, WRONG);
  };

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Requests that must come from a page of this service: changes and long reads. */
const isSensitive = (caller: Caller): boolean =>
  !SAFE_METHODS.includes(caller.method) || isForWebSocket(caller);

const sessionGate =
  (user: string, { sessions }: GateParts) =>
  (caller: Caller, ids: readonly string[]): E.Either<AuthRefusal, Admission> => {
    const id = ids.find((each) => sessions.use(each));
    if (id === undefined) return refuse(caller, NO_SESSION);
    if (isSensitive(caller) && !isSameOrigin(caller)) return refuse(caller, NO_ORIGIN);
    return E.right({
      user,
      isStillAdmitted: () => sessions.use(id),
      onOver: (listener) => sessions.onOver(id, listener),
    });
  };

/**
 * Makes the check of credentials. An `Authorization` header wins over a cookie. Returns an error when the stored
 * password is malformed.
 */
export const makeAdmit = (auth: Auth, parts: GateParts): Result<Admit> => {
  if (auth.kind === 'none') return E.right(admitOpen(auth.isRemoteAllowed));
  const bySession = sessionGate(auth.user, parts);
  return E.map((check: CheckPassword): Admit => {
    const byBasic = basicGate(auth, check, parts);
    return async (caller, access) => {
      if (isCrossSite(caller)) return refuse(caller, CROSS_SITE);
      if (access === 'open') return ANONYMOUS;
      const { authorization, cookie } = caller.headers;
      if (authorization !== undefined) return byBasic(caller, authorization);
      if (access === 'basic') return refuse(caller, NO_BASIC);
      const ids = sessionIdsOf(cookie);
      return ids.length === 0 ? refuse(caller, NO_HEADER) : bySession(caller, ids);
    };
  })(makePasswordCheck(auth.password));
};
