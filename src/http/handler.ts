import * as E from 'fp-ts/lib/Either.js';
import { parseBody } from '../contract/body.js';
import type { RawPath } from '../contract/match.js';
import type { RawRequest, Reply, Route } from '../contract/route.js';
import { ERRORS, type SpateError, thrownError } from '../domain/errors.js';
import type { Ask, Requests } from '../messages/ask.js';
import type { Log } from '../ports/log.js';
import type { ReceivedBody } from './body.js';
import { errorReply, ownerErrorReply, problemReply } from './replies.js';

type RouteOf<K extends keyof Requests> = {
  [P in K]: Route<P, Requests[P]['payload'], Requests[P]['answer']>;
}[K];

/** Any row of the contract, typed by the message tables. */
export type AnyRoute = RouteOf<keyof Requests>;

export interface Received {
  readonly path: RawPath;
  readonly query: string;
  readonly ifMatch: string | null;
  readonly lastEventId?: string | null;
  readonly user?: string | null;
  /** `null` without a body. */
  readonly body: ReceivedBody | null;
}

const toRaw = (received: Received): RawRequest => ({
  path: received.path,
  query: received.query,
  ifMatch: received.ifMatch,
  lastEventId: received.lastEventId ?? null,
  user: received.user ?? null,
  mediaType: received.body?.mediaType ?? '',
  ...(received.body?.kind === 'json' ? { body: parseBody(received.body.bytes) } : {}),
  ...(received.body?.kind === 'upload' ? { upload: received.body.upload } : {}),
});

const NO_UPLOAD: ReceivedBody = { kind: 'upload', mediaType: '', upload: { file: '', size_bytes: 0 } };

/** Refuses an upload with a wrong path or query before its content is received. */
export const refuseEarly = (route: AnyRoute, received: Received): Reply | null => {
  if (route.body?.kind !== 'upload') return null;
  const request = route.toRequest(toRaw({ ...received, body: NO_UPLOAD }));
  return E.isLeft(request) ? problemReply(request.left, route.isEchoed === true) : null;
};

/** Problems of stored documents are reported at the parameter that names them. */
const storedPath = (path: RawPath): readonly string[] => {
  const [name] = Object.keys(path);
  return name === undefined ? ['path'] : ['path', name];
};

const ownerReply = (isEchoed: boolean, raw: RawRequest, error: SpateError): Reply => {
  // Problems of an upload are in the body too.
  const sent = raw.upload === undefined ? undefined : null;
  const body = raw.body !== undefined && E.isRight(raw.body) ? raw.body.right : sent;
  return ownerErrorReply(error, { body, stored: storedPath(raw.path) }, isEchoed);
};

/** Handles a request: its route makes the message, the owner answers, the route makes the reply. */
export const handle = async <K extends keyof Requests>(
  route: RouteOf<K>,
  received: Received,
  ask: Ask,
  log: Log,
): Promise<Reply> => {
  const raw = toRaw(received);
  const isEchoed = route.isEchoed === true;
  const request = route.toRequest(raw);
  if (E.isLeft(request)) return problemReply(request.left, isEchoed);
  const answer = await ask<K>(request.right.type, request.right.payload);
  if (E.isRight(answer)) return route.toReply(answer.right, raw.path);
  const { code, message } = answer.left;
  // Mistakes of clients are no errors of the service.
  const level = ERRORS[code].status < 500 ? 'info' : ERRORS[code].level;
  log.write(level, message, { code, operation: route.id });
  return ownerReply(isEchoed, raw, answer.left);
};

/** Reply to a request whose handling threw; the reason is only logged. */
export const thrownReply = (thrown: unknown): Reply => {
  const error = thrownError('the request could not be handled', thrown);
  return errorReply(
    error.code === 'bug'
      ? { code: 'bug', message: 'Internal error. Please report it with the lines of the log.' }
      : error,
  );
};
