import { STATUS_CODES } from 'node:http';
import type { SpateError } from '../domain/errors.js';
import { errorBody } from './errors.js';
import { type Headers, securityHeaders } from './headers.js';

/** An error on a connection without a valid request. */
export interface RawReply {
  readonly status: number;
  readonly error: SpateError;
  /** Replaces the body of the error. */
  readonly body?: unknown;
  readonly headers?: Headers;
}

/** Bytes of an error response that ends the connection. */
export const rawReply = ({ status, error, body: given, headers = {} }: RawReply, version: string): string => {
  const body = JSON.stringify(given ?? errorBody(error));
  const all: Headers = {
    ...securityHeaders(false),
    ...headers,
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Spate-Version': version,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
};
