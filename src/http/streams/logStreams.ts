import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import * as E from 'fp-ts/lib/Either.js';
import { type WebSocket, WebSocketServer } from 'ws';
import { makeFinder } from '../../contract/match.js';
import { type Problem, problemBody } from '../../contract/problem.js';
import { ERRORS, failure, type SpateError } from '../../domain/errors.js';
import type { Ask } from '../../messages/ask.js';
import type { LogStart } from '../../messages/observe.js';
import type { Clock } from '../../ports/clock.js';
import type { Admission } from '../access/auth.js';
import type { AnyRoute } from '../handler.js';
import { type RawReply, rawReply } from '../replies.js';
import { PREFIX, targetOf } from '../target.js';
import { makeTicker } from './lasting.js';
import { type LogSocket, logSocket, type Upgrade } from './sockets.js';

const MAX_CLIENTS = 64;
/** Bytes; clients are not expected to send messages. */
const MAX_RECEIVED_BYTES = 1_024;
/** Interval of heartbeats and session checks. */
const LOOK_EVERY_MS = 30_000;
/** Time for clients to close when the service stops. */
const CLOSE_MS = 1_000;

interface LogStreamsOptions {
  readonly routes: readonly AnyRoute[];
  readonly ask: Ask;
  readonly clock: Clock;
  readonly version: string;
  readonly max_clients?: number;
}

interface LogStreams {
  readonly upgrade: Upgrade;
  /** Closes every connection; cuts those that do not answer within a second. */
  readonly end: () => void;
  readonly count: () => number;
}

type LogRequest = { readonly id: string | null; readonly from_bytes: number };

const NO_PATH = failure('not_found', `There is no WebSocket at this path. See ${PREFIX}/docs for all paths.`);
const TOO_MANY = failure('too_many_requests', 'Too many logs are being followed. Close one first.');

const refusalOf = (error: SpateError): RawReply => ({ status: ERRORS[error.code].status, error });

/** The same body as without an upgrade. */
const invalid = (problems: readonly Problem[]): RawReply => ({
  ...refusalOf(
    failure('invalid', `${problems.map(({ loc, msg }) => `${loc.join('.')} ${msg}`).join('; ')}.`),
  ),
  body: problemBody(problems, false),
});

/** The log that a request for a WebSocket asks for. */
const reader = (routes: readonly AnyRoute[]) => {
  const find = makeFinder(routes.filter(({ success }) => success.status === 101));
  return ({ url = '' }: IncomingMessage): E.Either<RawReply, LogRequest> => {
    const { path, query } = targetOf(url);
    const found = path.startsWith(`${PREFIX}/`) ? find('GET', path.slice(PREFIX.length)) : null;
    if (found === null) return E.left(refusalOf(NO_PATH));
    const request = found.route.toRequest({ path: found.path, query, mediaType: '', ifMatch: null });
    if (E.isLeft(request)) return E.left(invalid(request.left));
    // All rows with this status are logs.
    return E.right(request.right.payload as LogRequest);
  };
};

export const logStreams = (options: LogStreamsOptions): LogStreams => {
  const { ask, clock, version } = options;
  const requestOf = reader(options.routes);
  const clients = new Set<LogSocket>();
  const ticker = makeTicker(clock, LOOK_EVERY_MS);
  /** Called when the last client leaves. */
  let empty = new AbortController();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_RECEIVED_BYTES,
  });
  server.on('headers', (headers) => headers.push(`X-Spate-Version: ${version}`, 'Cache-Control: no-store'));

  const follow = async (socket: WebSocket, wanted: LogRequest, admission: Admission): Promise<void> => {
    const client = logSocket(socket, {
      admission,
      onClosed: () => {
        clients.delete(client);
        stopLooking();
        if (clients.size === 0) empty.abort();
      },
    });
    clients.add(client);
    const stopLooking = ticker.on(client.look);
    const answer = await ask('observe.log', wanted);
    if (E.isRight(answer)) return begin(client, wanted, answer.right);
    client.close(1011, answer.left.message);
  };

  const begin = (client: LogSocket, { id }: LogRequest, start: LogStart): void => {
    if (start.kind === 'unknown') return client.close(1008, `there is no generator "${id}"`);
    if (start.kind === 'empty') return client.close(1013, 'nothing logged yet: try again later');
    return client.follow(start.open);
  };

  const refuse = (socket: Duplex, reply: RawReply): void => {
    socket.on('error', () => {});
    socket.end(rawReply(reply, version));
  };

  const upgrade: Upgrade = (request, socket, head, admission) => {
    const wanted = requestOf(request);
    if (E.isLeft(wanted)) return refuse(socket, wanted.left);
    if (clients.size >= (options.max_clients ?? MAX_CLIENTS)) return refuse(socket, refusalOf(TOO_MANY));
    // `ws` answers requests without a handshake itself.
    server.handleUpgrade(request, socket, head, (opened) => void follow(opened, wanted.right, admission));
  };

  return {
    upgrade,
    end: () => {
      const late = [...clients];
      if (late.length === 0) return;
      empty = new AbortController();
      for (const client of late) client.close(1001, 'the service is stopping');
      void clock.sleepMs(CLOSE_MS, empty.signal).then(() => {
        for (const client of late) client.cut();
      });
    },
    count: () => clients.size,
  };
};
