import * as http from 'node:http';
import * as https from 'node:https';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import * as E from 'fp-ts/lib/Either.js';
import type { Clock } from '../../../../ports/clock.js';
import { exchanged, lateError, makeAttempts } from '../attempts.js';
import type { ConnectionOptions, RequestError } from '../errors.js';

export interface HttpRequest {
  readonly method: string;
  /** Absolute, of the server of the agent. */
  readonly url: URL;
  readonly headers: http.OutgoingHttpHeaders;
  readonly body: readonly Uint8Array[];
  /** Compress the body and set `Content-Encoding`. */
  readonly isGzip?: boolean;
  readonly signal: AbortSignal;
  /** Limit of the whole exchange, and its name for the message. */
  readonly limit_ms: number;
  readonly limit_name: string;
  /** Bytes of the reply to keep; the rest is read and ignored. */
  readonly max_reply_bytes?: number;
}

/** A reply with any status. */
export interface HttpReply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The same as bytes, for formats that are no text. */
  readonly raw: Buffer;
  /** `text` is only the beginning. */
  readonly isCut: boolean;
  /** Bytes of the body as sent. */
  readonly sent_bytes: number;
}

/** Sends requests over the connections of one agent. `send` returns an error when there is no reply. */
export interface HttpClient {
  readonly send: (request: HttpRequest) => Promise<E.Either<RequestError, HttpReply>>;
  /** Ends requests in flight and closes the connections. */
  readonly close: () => void;
}

export const MAX_REPLY_BYTES = 64 * 1024;

const gzip = promisify(zlib.gzip);
/** Text shrinks to a tenth at the fastest level, too; higher ones cost up to five times as much. */
const GZIP_LEVEL = 1;

const sizeOf = (pieces: readonly Uint8Array[]): number =>
  pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);

interface Prepared {
  readonly pieces: readonly Uint8Array[];
  readonly headers: http.OutgoingHttpHeaders;
  readonly bytes: number;
}

const prepare = async ({ body, headers, isGzip, method }: HttpRequest): Promise<Prepared> => {
  const isEmpty = body.length === 0;
  const pieces =
    isGzip === true && !isEmpty ? [await gzip(Buffer.concat(body), { level: GZIP_LEVEL })] : body;
  const bytes = sizeOf(pieces);
  const hasLength = !isEmpty || !['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method);
  return {
    pieces,
    bytes,
    headers: {
      ...headers,
      ...(pieces === body ? {} : { 'Content-Encoding': 'gzip' }),
      ...(hasLength ? { 'Content-Length': bytes } : {}),
    },
  };
};

/** Reads the whole reply: the connection is then free for the next request. */
const readReply = async (
  response: http.IncomingMessage,
  max_bytes: number,
): Promise<Pick<HttpReply, 'text' | 'raw' | 'isCut'>> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    if (bytes < max_bytes) parts.push(part.subarray(0, max_bytes - bytes));
    bytes += part.byteLength;
  }
  const raw = Buffer.concat(parts);
  return { raw, text: raw.toString('utf8'), isCut: bytes > max_bytes };
};

const exchange = async (agent: http.Agent, request: HttpRequest, ending: AbortSignal): Promise<HttpReply> => {
  const { pieces, bytes, headers } = await prepare(request);
  ending.throwIfAborted();
  const { url, method, max_reply_bytes = MAX_REPLY_BYTES } = request;
  const { request: start } = url.protocol === 'https:' ? https : http;
  const outgoing = start(url, { agent, method, headers });
  // With an error, the agent resets the connection: a half-sent request must not look whole.
  const cut = (): void => void outgoing.destroy(ended());
  ending.addEventListener('abort', cut, { once: true });
  try {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve);
      outgoing.on('error', reject);
      for (const piece of pieces) outgoing.write(piece);
      outgoing.end();
    });
    const reply = await readReply(response, max_reply_bytes);
    // The server replied early and may never read the rest.
    if (!outgoing.writableFinished) cut();
    return { status: response.statusCode ?? 0, headers: response.headers, ...reply, sent_bytes: bytes };
  } finally {
    ending.removeEventListener('abort', cut);
  }
};

const ended = (): Error => Object.assign(new Error('the request was ended'), { code: 'ENDED' });

/** `options`: names for the remedies of its network errors. */
export const makeHttpClient = (agent: http.Agent, clock: Clock, options?: ConnectionOptions): HttpClient => {
  const attempts = makeAttempts();
  return {
    send: (request) => {
      const { signal, limit_ms: ms, limit_name } = request;
      const limit = { clock, ms, error: lateError(limit_name, ms) };
      return exchanged(attempts, { signal, limit, ...(options && { options }) }, async (ending) =>
        E.right(await exchange(agent, request, ending)),
      );
    },
    close: () => {
      attempts.close();
      agent.destroy();
    },
  };
};
