import type { JsonSchema } from '../schema/index.js';
import type { Reply, SuccessDoc } from './route.js';

/** Replies of several routes, each with its documentation. */

export const value = (answer: unknown): Reply => ({ status: 200, kind: 'json', value: answer });
export const nothing = (_answer: null): Reply<null> => ({ status: 200, kind: 'json', value: null });
export const created = (_answer: null): Reply<null> => ({ status: 201, kind: 'json', value: null });

/** An entity tag in quotes (RFC 9110, 8.8.3). */
const quoted = (etag: string): string => (/^(W\/)?".*"$/.test(etag) ? etag : `"${etag}"`);

export const tagged = <V>(etag: string, answer: V): Reply<V> => ({
  status: 200,
  headers: { ETag: quoted(etag) },
  kind: 'json',
  value: answer,
});

/** Says what a request did not do, or that the next version no longer knows it. */
export const WARNING = 'X-Spate-Warning';

/** A text as the value of a header, which is ASCII; names in it may be anything. */
export const asHeader = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 1_000);

/** For every PUT of a document with extension keys. */
export const EXTENSIONS_STAY =
  'Keys marked as kept by a PUT stay if the body lacks them; null removes them. Other missing keys get their default.';

const ETAG_DOC = { ETag: 'Entity tag of the state after this request, for If-Match.' };

/** JSON text that a thread has written. */
export const jsonReply = (chunks: AsyncIterable<Uint8Array>): Reply => ({
  status: 200,
  kind: 'bytes',
  contentType: 'application/json; charset=utf-8',
  chunks,
});

/** Server-sent events; headers keep proxies from buffering them. */
export const eventStream = (
  chunks: AsyncIterable<Uint8Array> & { readonly over: AbortSignal },
): Reply<never> => ({
  status: 200,
  headers: { 'X-Accel-Buffering': 'no' },
  kind: 'bytes',
  contentType: 'text/event-stream; charset=utf-8',
  chunks,
  over: chunks.over,
});

export const eventStreamDoc = (description: string): SuccessDoc => ({
  status: 200,
  description,
  contentType: 'text/event-stream',
  schema: { type: 'string' },
});

export const valueDoc = (description: string, schema: JsonSchema): SuccessDoc => ({
  status: 200,
  description,
  contentType: 'application/json',
  schema,
});

export const nothingDoc: SuccessDoc = valueDoc('Done.', { type: 'null' });
export const createdDoc: SuccessDoc = { ...nothingDoc, status: 201, description: 'Created.' };
export const taggedDoc = (description: string, schema: JsonSchema): SuccessDoc => ({
  ...valueDoc(description, schema),
  headers: ETAG_DOC,
});

/** A download: RFC 6266 with the UTF-8 name of RFC 8187 and a plain name for old clients. */
export const attachment = (fileName: string): string => {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return plain === fileName
    ? `attachment; filename="${plain}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
};

/** A comment, as a heartbeat. */
export const COMMENT = ': still here\n\n';

/** Reconnect delay of clients. */
export const RETRY = 'retry: 2000\n\n';

/** One server-sent event (HTML standard, 9.2); `data` is JSON without line breaks. */
export const frame = (event: string, data: string, id?: string): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
