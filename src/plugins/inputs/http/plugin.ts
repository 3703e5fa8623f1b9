import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';
import { isLoopbackAddress, isLoopbackHost, isOfAnyPage } from '../../../domain/access/origin.js';
import { failure, type Result, reasonOf } from '../../../domain/errors.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import type { InputPlugin, InputRequests } from '../../kit.js';
import { httpRequestsSpec } from './spec.js';

export const httpPlugin: InputPlugin<typeof httpRequestsSpec.fields> = {
  spec: httpRequestsSpec,
  build: async ({ host, port, max_count, max_pending_requests }) => {
    const { offer, next, stop } = requestQueue(max_pending_requests);
    const { open, close } = requestServer({ host, port, max_count, queue: { offer, next, stop } });
    return E.right({
      // Nothing is scheduled.
      fill: () => 0,
      snapshot: () => null,
      restore: () => {},
      requests: { open, next, stop, close },
    });
  },
};

const MAX_BODY_BYTES = 16 * 1024;
/** Each takes a file descriptor from the other generators and from the API. */
const MAX_CONNECTIONS = 100;
const REQUEST_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 5_000;

interface Answer {
  readonly status: number;
  /** Null when it is done. */
  readonly detail: string | null;
  readonly allow?: string;
}

const answer = (status: number, detail: string | null): Answer => ({ status, detail });

/** The body as text; `null` if it is too long. */
const bodyOf = async (request: IncomingMessage): Promise<string | null> => {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length <= MAX_BODY_BYTES) pieces.push(piece);
  }
  return length > MAX_BODY_BYTES ? null : Buffer.concat(pieces).toString('utf8');
};

const isJsonType = (type: string | undefined): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type ?? '');

/** The count of a body, or what is wrong with it. */
const countOf = (body: string, max_count: number): E.Either<string, number> => {
  let value: Json;
  try {
    value = JSON.parse(body) as Json;
  } catch {
    return E.left('the body must be JSON');
  }
  if (!isJsonObject(value)) return E.left('the body must be an object');
  const odd = Object.keys(value).find((key) => key !== 'count');
  if (odd !== undefined) return E.left(`unknown key "${odd.slice(0, 60)}"; the only one is "count"`);
  const { count } = value;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 1)
    return E.left('count must be an integer >= 1');
  return count <= max_count
    ? E.right(count)
    : E.left(`count must be at most ${max_count}. Send several requests, or raise max_count of the input`);
};

const REFUSALS = {
  stopping: answer(409, 'the input is stopping'),
  full: answer(429, 'too many requests are pending; try again later'),
} as const;

/** Why a request is refused whatever it asks for; null when it is not. Any page could send it from a browser. */
const refusalOf = ({ headers, socket }: IncomingMessage): Answer | null => {
  if (isOfAnyPage({ headers })) return answer(403, 'requests of web pages are not allowed');
  if (isLoopbackAddress(socket.localAddress) && !isLoopbackHost(headers.host))
    return answer(403, 'the Host header must name this machine (localhost, 127.0.0.1 or [::1])');
  return null;
};

const generate = async (
  request: IncomingMessage,
  { queue, max_count }: RequestServerOptions,
): Promise<Answer> => {
  const body = await bodyOf(request);
  if (body === null) return answer(422, `the body must have at most ${MAX_BODY_BYTES} bytes`);
  if (!isJsonType(request.headers['content-type'])) {
    return answer(422, 'the content type must be application/json');
  }
  const count = countOf(body, max_count);
  if (E.isLeft(count)) return answer(422, count.left);
  const refused = queue.offer(count.right);
  return refused === null ? answer(201, null) : REFUSALS[refused];
};

const answerTo = async (request: IncomingMessage, options: RequestServerOptions): Promise<Answer> => {
  const refused = refusalOf(request);
  if (refused !== null) return refused;
  const [path] = (request.url ?? '').split('?');
  if (path !== '/generate' && path !== '/stop') return answer(404, 'there are /generate and /stop');
  if (request.method !== 'POST') return { ...answer(405, 'the method must be POST'), allow: 'POST' };
  if (path === '/generate') return generate(request, options);
  options.queue.stop();
  return answer(200, null);
};

const send = (response: ServerResponse, { status, detail, allow }: Answer): void => {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(allow === undefined ? {} : { allow }),
  });
  response.end(JSON.stringify(detail === null ? null : { detail }));
};

interface RequestServerOptions {
  readonly host: string;
  readonly port: number;
  /** Largest count of one request. */
  readonly max_count: number;
  readonly queue: RequestQueue;
}

/** Beyond the limit, the connection without a request for longest makes room. */
const limitConnections = (server: Server): void => {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    const [oldest] = open;
    if (oldest === undefined || open.size <= MAX_CONNECTIONS) return;
    open.delete(oldest);
    oldest.destroy();
  });
  server.on('request', ({ socket }: IncomingMessage) => {
    if (open.delete(socket)) open.add(socket);
  });
};

/** An HTTP server in front of a queue. */
interface RequestServer {
  /** Returns an error when the address is taken or not one of this machine. */
  readonly open: () => Promise<Result<void>>;
  /** Ends open connections too. A second call does nothing. */
  readonly close: () => Promise<void>;
}

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });

const requestServer = (options: RequestServerOptions): RequestServer => {
  const { host, port } = options;
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      answerTo(request, options).then(
        (result) => {
          request.resume();
          send(response, result);
        },
        // The client has gone.
        () => response.destroy(),
      );
    },
  );
  limitConnections(server);
  return {
    open: async () => {
      try {
        await listen(server, host, port);
        return E.right(undefined);
      } catch (thrown) {
        const what = `port ${port} of ${host} cannot be opened: ${reasonOf(thrown)}`;
        return E.left(failure('plugin_failed', `${what}. Choose another port, or end what uses it.`));
      }
    },
    close: () =>
      new Promise((resolve) => {
        // The error of a server that does not listen.
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

type Refusal = 'stopping' | 'full';

/** Counts of accepted requests, in order. */
interface RequestQueue extends Pick<InputRequests, 'next' | 'stop'> {
  /** Returns why a request is refused, or null when it is accepted. */
  readonly offer: (count: number) => Refusal | null;
}

const requestQueue = (max_pending_requests: number): RequestQueue => {
  const pending: number[] = [];
  let isStopping = false;
  let wake = (): void => {};
  return {
    offer: (count) => {
      if (isStopping) return 'stopping';
      if (pending.length >= max_pending_requests) return 'full';
      pending.push(count);
      wake();
      return null;
    },
    stop: () => {
      isStopping = true;
      wake();
    },
    next: async () => {
      for (;;) {
        const count = pending.shift();
        if (count !== undefined) return count;
        if (isStopping) return null;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
};
