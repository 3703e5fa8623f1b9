import type { IncomingMessage } from 'node:http';
import { failure, type SpateError } from '../domain/errors.js';
import { authorityOf, targetText } from './target.js';

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
