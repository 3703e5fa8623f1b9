import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Reply } from '../contract/route.js';
import { isChange } from './audit.js';
import { PREFIX, targetText } from './target.js';

/** Ends an abandoned source. A stream is destroyed at once, even while it waits. */
const dispose = (chunks: AsyncIterable<Uint8Array>, iterator?: AsyncIterator<Uint8Array>): void => {
  if (chunks instanceof Readable) {
    // Errors do not matter any more.
    chunks.on('error', () => {});
    chunks.destroy();
    return;
  }
  const source = iterator ?? chunks[Symbol.asyncIterator]();
  source.return?.().catch(() => {});
};

/** The preference of clients whose console shows every status from 400 on as an error, as that of browsers. */
const REFUSALS_AS_200 = 'refusals=200';

/**
 * A refusal with status 200 and its own status in a header, for a client that prefers that. Answers to changes and to
 * passwords keep their status, which logs and proxies watch.
 */
const asPreferred = <A extends Reply>({ req }: ServerResponse, reply: A): A => {
  const { prefer, authorization } = req.headers;
  const isRefusal = reply.status >= 400 && reply.status < 500;
  if (!isRefusal || prefer !== REFUSALS_AS_200 || authorization !== undefined) return reply;
  if (isChange(req.method ?? '', targetText(req).slice(PREFIX.length))) return reply;
  const headers = { 'X-Spate-Status': String(reply.status), 'Preference-Applied': REFUSALS_AS_200 };
  return { ...reply, status: 200, headers: { ...reply.headers, ...headers } };
};

const hasClosed = (response: ServerResponse): boolean => response.destroyed || response.closed;

/** Resolves when the socket takes more or is gone. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      response.off('drain', finish);
      response.off('close', finish);
      resolve();
    };
    response.on('drain', finish);
    response.on('close', finish);
  });

const writeHead = (
  response: ServerResponse,
  reply: Pick<Reply, 'status' | 'headers'>,
  contentType: string,
): void => {
  response.statusCode = reply.status;
  response.setHeader('Content-Type', contentType);
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
};

/** With their length. */
export const sendBytes = (
  response: ServerResponse,
  reply: Pick<Reply, 'status' | 'headers'>,
  contentType: string,
  bytes: Uint8Array,
): void => {
  writeHead(response, reply, contentType);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
};

type BytesReply = Extract<Reply, { kind: 'bytes' }>;

/**
 * Rejects when the source fails: after the first chunk the connection is cut, so half an answer never looks whole.
 */
const sendChunks = async (response: ServerResponse, reply: BytesReply): Promise<void> => {
  const iterator = reply.chunks[Symbol.asyncIterator]();
  const onClose = (): void => dispose(reply.chunks, iterator);
  const onOver = (): void => {
    // A client that does not read would hold up the end of the service.
    if (response.writableNeedDrain) response.destroy();
  };
  response.once('close', onClose);
  reply.over?.addEventListener('abort', onOver, { once: true });
  try {
    for (;;) {
      const next = await iterator.next();
      if (hasClosed(response)) return;
      if (!response.headersSent) writeHead(response, reply, reply.contentType);
      if (next.done === true) {
        response.end();
        return;
      }
      if (!response.write(next.value)) await drained(response);
    }
  } catch (thrown) {
    // The client disconnected, so the failure does not count.
    if (hasClosed(response)) return;
    if (response.headersSent) response.destroy();
    throw thrown;
  } finally {
    response.off('close', onClose);
    reply.over?.removeEventListener('abort', onOver);
  }
};

/** Rejects when the source fails: nothing was sent, or the connection is cut. */
export const send = async (response: ServerResponse, method: string, made: Reply): Promise<void> => {
  const reply = asPreferred(response, made);
  if (reply.kind === 'json') {
    if (hasClosed(response)) return;
    const contentType = 'application/json; charset=utf-8';
    return sendBytes(response, reply, contentType, Buffer.from(JSON.stringify(reply.value), 'utf8'));
  }
  if (method !== 'HEAD' && !hasClosed(response)) return sendChunks(response, reply);
  dispose(reply.chunks);
  if (hasClosed(response)) return;
  writeHead(response, reply, reply.contentType);
  response.end();
};
