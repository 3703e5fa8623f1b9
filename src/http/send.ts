import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Reply } from '../contract/route.js';

/** Ends a source that nobody reads any more. A stream is destroyed at once, even while it waits. */
const dispose = (chunks: AsyncIterable<Uint8Array>, iterator?: AsyncIterator<Uint8Array>): void => {
  if (chunks instanceof Readable) {
    // What is left of it may fail now; that is of no interest any more.
    chunks.on('error', () => {});
    chunks.destroy();
    return;
  }
  const source = iterator ?? chunks[Symbol.asyncIterator]();
  source.return?.().catch(() => {});
};

const hasClosed = (response: ServerResponse): boolean => response.destroyed || response.closed;

/** Resolves when the socket takes more, or is gone. */
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

/** Sends bytes with their length; a HEAD request gets the headers only. */
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
 * Writes chunks while they come, no faster than the socket takes them. A client that goes away ends the
 * source. Rejects when the source fails: before the first chunk nothing was sent, after it the
 * connection is cut, so that half an answer is never taken for a whole one.
 */
const sendChunks = async (response: ServerResponse, reply: BytesReply): Promise<void> => {
  const iterator = reply.chunks[Symbol.asyncIterator]();
  const onClose = (): void => dispose(reply.chunks, iterator);
  const onOver = (): void => {
    // Whoever reads gets the end; who has stopped reading would hold up the end of the service.
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
    // A source that fails because it was ended for a client that went away is no failure.
    if (hasClosed(response)) return;
    if (response.headersSent) response.destroy();
    throw thrown;
  } finally {
    response.off('close', onClose);
    reply.over?.removeEventListener('abort', onOver);
  }
};

/** Sends a reply. Rejects when its source fails; then nothing was sent, or the connection is cut. */
export const send = async (response: ServerResponse, method: string, reply: Reply): Promise<void> => {
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
