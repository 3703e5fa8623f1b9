import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenApi } from '../contract/openapi.js';
import { docsPage, HTML_HEADERS, startPage } from './docsPage.js';
import type { Headers } from './headers.js';
import { sendBytes } from './send.js';

/** A document that never changes while the service runs. */
interface FixedDocument {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly headers: Headers;
}

/** Built on the first request. */
export interface Documents {
  readonly openapi: () => FixedDocument;
  readonly docs: () => FixedDocument;
  readonly start: () => FixedDocument;
}

const once = (make: () => FixedDocument): (() => FixedDocument) => {
  let made: FixedDocument | null = null;
  return () => {
    made ??= make();
    return made;
  };
};

const fixed = (text: string, contentType: string, headers: Headers): FixedDocument => {
  const bytes = Buffer.from(text, 'utf8');
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  // Clients may cache it but revalidate each time.
  return { bytes, contentType, headers: { ...headers, ETag: etag, 'Cache-Control': 'no-cache' } };
};

const html = (text: string): FixedDocument => fixed(text, 'text/html; charset=utf-8', HTML_HEADERS);

export const documentsOf = (openapi: () => OpenApi, version: string): Documents => ({
  openapi: once(() => fixed(JSON.stringify(openapi()), 'application/json; charset=utf-8', {})),
  docs: once(() => html(docsPage(openapi()))),
  start: once(() => html(startPage(version))),
});

/** Sends a document, or 304 if the client has it. */
export const sendDocument = (
  { headers: asked }: IncomingMessage,
  response: ServerResponse,
  { bytes, contentType, headers }: FixedDocument,
): Promise<void> => {
  const known = (asked['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(headers['ETag'] ?? '') || known.includes('*')) {
    for (const [name, text] of Object.entries(headers)) response.setHeader(name, text);
    response.writeHead(304).end();
  } else sendBytes(response, { status: 200, headers }, contentType, bytes);
  return Promise.resolve();
};
