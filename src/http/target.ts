import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Caller } from '../domain/origin.js';

export const PREFIX = '/api';

export interface RequestTarget {
  /** As sent, nothing decoded or normalized. */
  readonly path: string;
  readonly query: string;
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;

/** Express shortens `url` and keeps the original. */
export const targetText = (request: IncomingMessage & { readonly originalUrl?: string }): string =>
  request.originalUrl ?? request.url ?? '';

/** Authority of an absolute target, which overrides the Host header (RFC 9112 section 3.2.2); `null` for others. */
export const authorityOf = (url: string): string | null => ABSOLUTE.exec(url)?.[1] ?? null;

/** Path and query of a request target; an absolute one loses its scheme and authority. */
export const targetOf = (url: string): RequestTarget => {
  const local = url.replace(ABSOLUTE, '');
  const [, path = '', query = ''] = /^([^?#]*)\??([^#]*)/.exec(local) ?? [];
  return { path: path === '' ? '/' : path, query };
};

/** The headers with the effective host: that of an absolute target beats the Host header. */
const effective = (request: IncomingMessage): IncomingHttpHeaders => {
  const host = authorityOf(targetText(request));
  return host === null ? request.headers : { ...request.headers, host };
};

export const callerOf = (request: IncomingMessage): Caller => ({
  method: request.method ?? '',
  headers: effective(request),
  remoteAddress: request.socket.remoteAddress,
  isEncrypted: request.socket instanceof TLSSocket,
});
