import type { IncomingHttpHeaders } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import {
  type Caller,
  isCrossSite,
  isForWebSocket,
  isForwarded,
  isFromPage,
  isLoopbackAddress,
  isLoopbackHost,
  isSameOrigin,
} from '../../domain/access/origin.js';
import { type Account, mayDo, type Role } from '../../domain/access/roles.js';
import { failure, type Result, type SpateError } from '../../domain/errors.js';
import type { Log } from '../../ports/log.js';
import { type CheckPassword, checkOfNobody, makePasswordCheck, tokenHash } from './password.js';
import { clientOf, type GuessLimiter } from './rateLimit.js';
import { type Sessions, sessionIdsOf } from './sessions.js';

/** Users with credentials (at least one) or, if none are configured, clients on this machine. */
export type Auth =
  | { readonly kind: 'accounts'; readonly accounts: readonly Account[] }
  | { readonly kind: 'none'; readonly isRemoteAllowed: boolean };

/** Needs nothing; Basic credentials, a token or a session; Basic credentials. */
type Way = 'open' | 'credentials' | 'basic';

/** How a client must show who it is, and the least role that it needs. */
export interface Access {
  readonly way: Way;
  readonly role: Role;
}

/** Whoever has credentials. */
export const ANY_USER: Access = { way: 'credentials', role: 'read' };

/** Why a request is rejected, with headers for the response. */
export interface AuthRefusal {
  readonly error: SpateError;
  readonly headers: Readonly<Record<string, string>>;
  /** False for repeated rejections, which could flood the log. */
  readonly isLogged: boolean;
  /** Who was rejected. Null when that is not known. */
  readonly user: string | null;
}

export interface Admission {
  /** `null` if no user was needed. */
  readonly user: string | null;
  readonly role: Role;
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
const NO_HEADER = unauthenticated(
  'Credentials are missing. Send HTTP Basic credentials or a token, or log in.',
);
const NO_BASIC = unauthenticated('Credentials are missing. Send HTTP Basic credentials to log in.');
const OTHER_SCHEME = unauthenticated(
  'The authorization scheme is not supported. Send HTTP Basic credentials, or a token as Bearer.',
);
const MALFORMED = unauthenticated('The Basic credentials are malformed. Send base64 of user:password.');
const WRONG = unauthenticated('The user or the password is wrong.');
const WRONG_TOKEN = unauthenticated('The token is wrong.');
const NO_TOKEN_LOGIN = unauthenticated(
  'A token cannot log in. Send it with every request, or log in with a user and a password.',
);
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
  E.left({
    error,
    headers: error.code === 'unauthenticated' ? challengeOf(caller) : {},
    isLogged,
    user: null,
  });

const tooManyGuesses = (wait_ms: number): E.Either<AuthRefusal, never> => {
  const seconds = Math.ceil(wait_ms / 1_000);
  const message = `Too many wrong credentials came from this address. Try again in ${seconds} seconds.`;
  const headers = { 'Retry-After': String(seconds) };
  return E.left({ error: failure('too_many_requests', message), headers, isLogged: false, user: null });
};

const ALWAYS = (): boolean => true;
/** Without a session, nothing ends. */
const NEVER = (): (() => void) => () => {};
const ANONYMOUS: E.Either<never, Admission> = E.right({
  user: null,
  role: 'admin',
  isStillAdmitted: ALWAYS,
  onOver: NEVER,
});

const admission = ({ user, role }: Account): E.Either<never, Admission> =>
  E.right({ user, role, isStillAdmitted: ALWAYS, onOver: NEVER });

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

/** An account with a password, and its check. */
interface Login {
  readonly account: Account;
  readonly check: CheckPassword;
}

/** What came of credentials: the account whose they are, or null when they are wrong. */
type Judge = () => Promise<Account | null | 'busy'>;

/** Admits right credentials and limits wrong ones: those of `budget` wait after too many different `guess`es. */
const judged = async (
  caller: Caller,
  { budget, guess, wrong }: { readonly budget: string; readonly guess: string; readonly wrong: SpateError },
  judge: Judge,
  { limiter, log }: GateParts,
): Promise<E.Either<AuthRefusal, Admission>> => {
  const mayGuess = limiter.mayGuess(budget, guess);
  if (mayGuess === 'known') return refuse(caller, wrong, false);
  if (mayGuess !== 'yes') return tooManyGuesses(mayGuess);
  const account = await judge();
  if (account === 'busy') return refuse(caller, BUSY, false);
  if (account !== null) return admission(account);
  if (limiter.wrong(budget, guess)) {
    const client = clientOf(caller.remoteAddress);
    log.write('warning', 'too many wrong credentials from a client: it has to wait', { client });
  }
  return refuse(caller, wrong);
};

/**
 * Checks Basic credentials, of unknown users with as much work as of known ones, with a limit on wrong ones. Each user
 * has a budget of its own at each address: who guesses other names behind the same proxy does not lock it out. That
 * tells a patient guesser the name, which is no secret.
 */
const basicGate =
  (logins: ReadonlyMap<string, Login>, nobody: CheckPassword, parts: GateParts) =>
  async (caller: Caller, header: string): Promise<E.Either<AuthRefusal, Admission>> => {
    const given = readBasic(header);
    if (E.isLeft(given)) return refuse(caller, given.left);
    const { user, password } = given.right;
    const client = clientOf(caller.remoteAddress);
    const login = logins.get(user);
    const budget = login === undefined ? client : `${client} as ${user}`;
    const judge: Judge = async () => {
      const verdict = await (login?.check ?? nobody)(password);
      if (verdict === 'busy') return verdict;
      return login !== undefined && verdict === 'right' ? login.account : null;
    };
    return judged(caller, { budget, guess: `${user}:${password}`, wrong: WRONG }, judge, parts);
  };

const BEARER = /^bearer +(\S+)$/i;

/** Looks tokens up by their hash: a token has more than 128 random bits, so its hash tells nothing of it. */
const tokenGate =
  (accounts: ReadonlyMap<string, Account>, parts: GateParts) =>
  async (caller: Caller, token: string): Promise<E.Either<AuthRefusal, Admission>> => {
    const account = accounts.get(tokenHash(token));
    if (account !== undefined) return admission(account);
    const budget = clientOf(caller.remoteAddress);
    return judged(caller, { budget, guess: token, wrong: WRONG_TOKEN }, async () => null, parts);
  };

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Requests that must come from a page of this service: changes and long reads. */
const isSensitive = (caller: Caller): boolean =>
  !SAFE_METHODS.includes(caller.method) || isForWebSocket(caller);

const sessionGate =
  (logins: ReadonlyMap<string, Login>, { sessions }: GateParts) =>
  (caller: Caller, ids: readonly string[]): E.Either<AuthRefusal, Admission> => {
    const id = ids.find((each) => sessions.use(each));
    const login = id === undefined ? undefined : logins.get(sessions.userOf(id) ?? '');
    if (id === undefined || login === undefined) return refuse(caller, NO_SESSION);
    if (isSensitive(caller) && !isSameOrigin(caller)) return refuse(caller, NO_ORIGIN);
    const { user, role } = login.account;
    return E.right({
      user,
      role,
      isStillAdmitted: () => sessions.use(id),
      onOver: (listener) => sessions.onOver(id, listener),
    });
  };

const loginsOf = (accounts: readonly Account[]): Result<ReadonlyMap<string, Login>> => {
  const logins = new Map<string, Login>();
  for (const account of accounts) {
    if (account.password === null) continue;
    const check = makePasswordCheck(account.password);
    if (E.isLeft(check)) return check;
    logins.set(account.user, { account, check: check.right });
  }
  return E.right(logins);
};

export const roleRefusal = ({ user, role }: Pick<Admission, 'user' | 'role'>, needed: Role): SpateError =>
  failure(
    'forbidden',
    `This needs the role ${needed}; ${user ?? 'the client'} has ${role}. Roles are in server.users of the settings.`,
  );

/** Refuses an admitted client whose role is not enough. */
const withRole =
  (needed: Role) =>
  (admitted: Admission): E.Either<AuthRefusal, Admission> =>
    mayDo(admitted.role, needed)
      ? E.right(admitted)
      : E.left({ error: roleRefusal(admitted, needed), headers: {}, isLogged: true, user: admitted.user });

/**
 * Makes the check of credentials and roles. An `Authorization` header wins over a cookie. Returns an error when a
 * stored password is malformed.
 */
export const makeAdmit = (auth: Auth, parts: GateParts): Result<Admit> => {
  if (auth.kind === 'none') return E.right(admitOpen(auth.isRemoteAllowed));
  const logins = loginsOf(auth.accounts);
  if (E.isLeft(logins)) return logins;
  const tokens = new Map(
    auth.accounts.flatMap((account) => (account.token === null ? [] : [[account.token, account] as const])),
  );
  const byBasic = basicGate(logins.right, checkOfNobody(auth.accounts), parts);
  const byToken = tokenGate(tokens, parts);
  const bySession = sessionGate(logins.right, parts);

  const whoIs = async (caller: Caller, way: Way): Promise<E.Either<AuthRefusal, Admission>> => {
    const { authorization, cookie } = caller.headers;
    const [, token] = BEARER.exec(authorization?.trim() ?? '') ?? [];
    if (token !== undefined) return way === 'basic' ? refuse(caller, NO_TOKEN_LOGIN) : byToken(caller, token);
    if (authorization !== undefined) return byBasic(caller, authorization);
    if (way === 'basic') return refuse(caller, NO_BASIC);
    const ids = sessionIdsOf(cookie);
    return ids.length === 0 ? refuse(caller, NO_HEADER) : bySession(caller, ids);
  };

  return E.right(async (caller, { way, role }) => {
    if (isCrossSite(caller)) return refuse(caller, CROSS_SITE);
    if (way === 'open') return ANONYMOUS;
    return E.flatMap(withRole(role))(await whoIs(caller, way));
  });
};
