import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Caller } from '../domain/access/origin.js';
import { failure, type SpateError } from '../domain/errors.js';

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
const authorityOf = (url: string): string | null => ABSOLUTE.exec(url)?.[1] ?? null;

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

/** Headers with a single value: a proxy and this service could pick different ones of two. */
const SINGLE: ReadonlySet<string> = new Set([
  ...['host', 'authorization', 'content-type', 'content-encoding', 'content-length', 'transfer-encoding'],
  ...['origin', 'sec-fetch-site', 'sec-fetch-mode', 'last-event-id'],
]);

/** RFC 3986, 3.2 without a user; empty if the target has no authority. */
const HOST = /^([\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(:\d{0,5})?$/i;

const repeated = ({ rawHeaders }: IncomingMessage): string | null => {
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
};

const flawOf = (request: IncomingMessage): string | null => {
  const twice = repeated(request);
  if (twice !== null) return `The header ${twice} is given more than once. Send it once.`;
  const { headers, httpVersion } = request;
  const isOld = httpVersion === '1.0' || httpVersion === '0.9';
  if (headers.host === undefined && !isOld) return 'The Host header is missing. HTTP/1.1 requires it.';
  if (isOld && headers['transfer-encoding'] !== undefined)
    return 'HTTP/1.0 has no Transfer-Encoding. Send Content-Length.';
  const authority = authorityOf(targetText(request));
  const isHost = [headers.host, authority].every((host) => host == null || HOST.test(host));
  return isHost ? null : 'The host is not a name or an address with an optional port.';
};

/** Why a request is ambiguous (RFC 9112, 3.2 and 6.3); it gets a 400 and its connection closes. */
export const ambiguityOf = (request: IncomingMessage): SpateError | null => {
  const flaw = flawOf(request);
  return flaw === null ? null : failure('invalid', flaw);
};
