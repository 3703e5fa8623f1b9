import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import * as E from 'fp-ts/lib/Either.js';
import type { Reply } from '../../contract/route.js';
import { ERRORS, failure, type Result, type SpateError } from '../../domain/errors.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Tls } from '../listener/tls.js';
import { errorReply } from '../replies.js';
import { callerOf } from '../target.js';
import { type Access, type Admission, type Admit, type Auth, type AuthRefusal, makeAdmit } from './auth.js';
import { guessLimiter } from './rateLimit.js';
import { makeSessions, type Sessions } from './sessions.js';

/** Decides whether a request may continue. Every request passes it, WebSockets too. */
export type AccessGate = (
  request: IncomingMessage,
  access: Access,
) => Promise<E.Either<AuthRefusal, Admission>>;

interface GateConfig {
  readonly auth: Auth;
  /** Settings of HTTPS. Null for plain HTTP. */
  readonly tls: Tls | null;
  readonly log: Log;
  readonly clock: Clock;
  /** Random text of at least 128 bits, in characters that a cookie may contain. */
  readonly drawToken: () => string;
  /** Sessions of these credentials; without them, sessions end with the gate. */
  readonly sessions?: Sessions;
}

const gateOf =
  (clients: Tls['clients'], admit: Admit): AccessGate =>
  async (request, access) => {
    const trouble = certificateTrouble(clients, request.socket);
    if (trouble === null) return admit(callerOf(request), access);
    return E.left({ error: trouble, headers: { Connection: 'close' }, isLogged: true, user: null });
  };

/** Makes the gate and its sessions. Returns an error when the stored password is malformed. */
export const makeAccessGate = ({
  auth,
  tls,
  log,
  clock,
  drawToken,
  sessions = makeSessions(clock, drawToken),
}: GateConfig): Result<{ readonly gate: AccessGate; readonly sessions: Sessions }> => {
  const clients = tls?.clients ?? 'none';
  return E.map((admit: Admit) => ({ sessions, gate: gateOf(clients, admit) }))(
    makeAdmit(auth, { sessions, limiter: guessLimiter(clock), log }),
  );
};

export const refusalReply = ({ error, headers }: AuthRefusal): Reply => {
  const reply = errorReply(error);
  return { ...reply, headers: { ...reply.headers, ...headers } };
};

/** Logs a rejected request and why, never its credentials. */
export const logRefusal = (log: Log, request: IncomingMessage, { error, isLogged }: AuthRefusal): void => {
  if (!isLogged) return;
  log.write(ERRORS[error.code].level, error.message, {
    code: error.code,
    client: request.socket.remoteAddress ?? '',
    method: request.method ?? '',
  });
};

/** Texts for errors of OpenSSL. */
const REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  INVALID_PURPOSE: 'it is not meant for clients',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is not signed by an authority of this service',
  SELF_SIGNED_CERT_IN_CHAIN: 'it is not signed by an authority of this service',
  UNABLE_TO_GET_ISSUER_CERT: 'it is not signed by an authority of this service',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'it is not signed by an authority of this service',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it is not signed by an authority of this service',
  CERT_SIGNATURE_FAILURE: 'it is not signed by an authority of this service',
};

const MISSING = failure(
  'forbidden',
  'A client certificate is required. Send one that is signed by the authority of this service.',
);

/** Node types it as an error; it is the code of OpenSSL. */
const reasonFor = (code: unknown): string =>
  REASONS[String(code)] ?? `it cannot be verified (${String(code)})`;

/** Why a client certificate is rejected, or `null`. A presented one must be valid even if not required. */
const certificateTrouble = (clients: Tls['clients'], socket: Socket): SpateError | null => {
  if (clients === 'none') return null;
  if (!(socket instanceof TLSSocket)) return MISSING;
  if (socket.authorized) return null;
  const isShown = Object.keys(socket.getPeerCertificate()).length > 0;
  if (!isShown) return clients === 'required' ? MISSING : null;
  return failure(
    'forbidden',
    `The client certificate is rejected: ${reasonFor(socket.authorizationError)}. Send one that is signed by the authority of this service.`,
  );
};
