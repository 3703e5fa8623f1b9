import * as E from 'fp-ts/lib/Either.js';
import { failure, type SpateError } from '../domain/errors.js';
import { type Caller, isCrossSite, isForwarded, isLoopbackAddress, isLoopbackHost } from './origin.js';
import { isSameText, makePasswordCheck } from './password.js';

/** Who is served: whoever has the credentials, or, when none are set, clients of this machine. */
export type Auth =
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'none'; readonly isRemoteAllowed: boolean };

/** `null` when the request may go on. `isOpen`: the route asks for no credentials. */
export type Admit = (caller: Caller, isOpen: boolean) => Promise<SpateError | null>;

const CROSS_SITE = failure(
  'forbidden',
  'A page of another site may not use this service; open it under its own address.',
);

const REMOTE = failure(
  'forbidden',
  'No credentials are set, so only clients of this machine are served, not forwarded ones: set server.auth.user and server.auth.password in the settings file and restart, or start with SPATE_ALLOW_REMOTE_WITHOUT_AUTH=1 to serve everyone without credentials.',
);

const FOREIGN_HOST = failure(
  'forbidden',
  'No credentials are set, so the Host header must name this machine (localhost, 127.0.0.1 or [::1]); to use another name set server.auth.user and server.auth.password in the settings file, or start with SPATE_ALLOW_REMOTE_WITHOUT_AUTH=1.',
);

const unauthenticated = (message: string): SpateError => failure('unauthenticated', message);
const NO_HEADER = unauthenticated('Credentials are missing: send HTTP Basic credentials.');
const OTHER_SCHEME = unauthenticated(
  'The authorization scheme is not supported: send HTTP Basic credentials.',
);
const MALFORMED = unauthenticated('The Basic credentials are malformed: send base64 of user:password.');
const WRONG = unauthenticated('The user or the password is wrong.');
const BUSY = failure('too_many_requests', 'Too many credentials are being checked; try again in a moment.');

/** Checks for an instance without credentials. */
const admitOpen =
  (isRemoteAllowed: boolean): Admit =>
  async (caller) => {
    if (!isRemoteAllowed) {
      if (!isLoopbackAddress(caller.remoteAddress) || isForwarded(caller.headers)) return REMOTE;
      if (!isLoopbackHost(caller.headers.host)) return FOREIGN_HOST;
    }
    return isCrossSite(caller) ? CROSS_SITE : null;
  };

interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Reads a Basic header (RFC 7617, UTF-8); the user ends at the first colon. */
const readBasic = (header: string | undefined): E.Either<SpateError, Credentials> => {
  if (header === undefined) return E.left(NO_HEADER);
  const [scheme = '', encoded = '', extra] = header.trim().split(/ +/);
  if (scheme.toLowerCase() !== 'basic') return E.left(OTHER_SCHEME);
  if (extra !== undefined || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return E.left(MALFORMED);
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0
    ? E.left(MALFORMED)
    : E.right({ user: text.slice(0, colon), password: text.slice(colon + 1) });
};

/**
 * Makes the gate of the service. Credentials are compared in constant time, user and password always both.
 * Left: the stored password is malformed.
 */
export const makeAdmit = (auth: Auth): E.Either<SpateError, Admit> => {
  if (auth.kind === 'none') return E.right(admitOpen(auth.isRemoteAllowed));
  const { user } = auth;
  return E.map((check: (password: string) => Promise<'right' | 'wrong' | 'busy'>): Admit => {
    return async (caller, isOpen) => {
      if (isCrossSite(caller)) return CROSS_SITE;
      if (isOpen) return null;
      const given = readBasic(caller.headers.authorization);
      if (E.isLeft(given)) return given.left;
      const isUser = isSameText(given.right.user, user);
      const verdict = await check(given.right.password);
      if (verdict === 'busy') return BUSY;
      return isUser && verdict === 'right' ? null : WRONG;
    };
  })(makePasswordCheck(auth.password));
};
