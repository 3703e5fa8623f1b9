import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import * as E from 'fp-ts/lib/Either.js';
import { ERRORS, failure } from '../../domain/errors.js';
import type { Log } from '../../ports/log.js';
import type { Admission } from '../access/auth.js';
import { type Gate, logRefusal, refusalReply } from '../access/gate.js';
import { type RawReply, rawReply } from '../rawReply.js';
import { ambiguityOf } from '../requestForm.js';

/** Takes over the connection of an admitted upgrade request. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer, admission: Admission) => void;

interface UpgradeParts {
  readonly gate: Gate;
  readonly log: Log;
  readonly version: string;
  readonly max_headers: number;
  readonly isStopping: () => boolean;
}

const STOPPING = failure('unavailable', 'The service is stopping. Try again when it runs.');

const UPGRADE_HEADERS = ['upgrade', 'http2-settings'];

/** The request without its upgrade headers. */
const plainRequest = ({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer => {
  const lines = rawHeaders.flatMap((name, i) =>
    i % 2 === 0 && !UPGRADE_HEADERS.includes(name.toLowerCase())
      ? [`${name}: ${rawHeaders[i + 1] ?? ''}`]
      : [],
  );
  return Buffer.from([`${method} ${url} HTTP/${httpVersion}`, ...lines, '', ''].join('\r\n'), 'latin1');
};

/**
 * Returns a connection to the server as a plain request (RFC 9110, 7.8): some clients send `Upgrade: h2c` with
 * each first request, and Node stops parsing HTTP at any upgrade.
 */
export const declineUpgrade = (
  server: Server,
  request: IncomingMessage,
  head: Buffer,
  isEncrypted: boolean,
): void => {
  const { socket } = request;
  if (socket.destroyed) return;
  socket.unshift(Buffer.concat([plainRequest(request), head]));
  server.emit(isEncrypted ? 'secureConnection' : 'connection', socket);
};

/** Rejections that need no credentials. */
const formTrouble = (
  request: IncomingMessage,
  { max_headers, isStopping }: UpgradeParts,
): RawReply | null => {
  const ambiguity = ambiguityOf(request);
  if (ambiguity !== null) return { status: 400, error: ambiguity };
  if (request.rawHeaders.length > 2 * max_headers) {
    const error = failure('too_large', `The request has more than ${max_headers} headers, the limit.`);
    return { status: 431, error };
  }
  return isStopping() ? { status: ERRORS.unavailable.status, error: STOPPING } : null;
};

const identify = async (
  request: IncomingMessage,
  parts: UpgradeParts,
): Promise<E.Either<RawReply, Admission>> => {
  const trouble = formTrouble(request, parts);
  if (trouble !== null) return E.left(trouble);
  return E.mapLeft((refusal: Parameters<typeof refusalReply>[0]): RawReply => {
    logRefusal(parts.log, request, refusal);
    const { status, headers = {} } = refusalReply(refusal);
    return { status, headers, error: refusal.error };
  })(await parts.gate(request, 'credentials'));
};

/** Admits an upgrade with the checks of any request. Returns null when it was rejected, answered and closed. */
export const admitUpgrade = async (
  request: IncomingMessage,
  socket: Duplex,
  parts: UpgradeParts,
): Promise<Admission | null> => {
  // There is no error listener yet; without one, a failure would end the process.
  const ignore = (): void => {};
  socket.on('error', ignore);
  const identified = await identify(request, parts);
  if (E.isRight(identified) && !socket.destroyed) {
    socket.off('error', ignore);
    return identified.right;
  }
  if (E.isLeft(identified)) socket.end(rawReply(identified.left, parts.version));
  return null;
};
