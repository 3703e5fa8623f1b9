import type { IncomingHttpHeaders } from 'node:http';

/** Who sends a request, as far as the connection and the headers tell. */
export interface Caller {
  readonly method: string;
  readonly remoteAddress: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** 127.0.0.0/8, `::1`, and the former mapped into IPv6. */
export const isLoopbackAddress = (address: string | undefined): boolean =>
  address !== undefined && (address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(address));

/** Headers that only a proxy adds: its client can be anywhere. */
const FORWARDING_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const;

export const isForwarded = (headers: IncomingHttpHeaders): boolean =>
  FORWARDING_HEADERS.some((name) => headers[name] !== undefined);

/**
 * True for a `Host` that names this machine: `localhost` (and below), 127.x.x.x or `[::1]`, any port. A page
 * whose own name was made to resolve to 127.0.0.1 (DNS rebinding) sends its own name here.
 */
export const isLoopbackHost = (host: string | undefined): boolean =>
  host !== undefined && /^(([a-z0-9-]+\.)*localhost\.?|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i.test(host);

const first = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

/** Host and port of an origin as a `Host` header writes them; `null` for `null` and what is no origin. */
const hostOf = (origin: string): string | null => {
  const match = /^https?:\/\/([^/?#@]+)$/i.exec(origin);
  return match?.[1]?.toLowerCase() ?? null;
};

/**
 * True for a request that a page of another site made a browser send. Browsers add credentials and reach
 * loopback addresses for any page, so these are refused. Following a link is fine.
 */
export const isCrossSite = ({ method, headers }: Caller): boolean => {
  const site = first(headers['sec-fetch-site']);
  if (site === 'same-origin' || site === 'none') return false;
  const origin = first(headers.origin);
  if (origin !== undefined) {
    const host = hostOf(origin);
    return (
      host === null ||
      ![headers.host, first(headers['x-forwarded-host'])].some((own) => own?.toLowerCase() === host)
    );
  }
  if (site === undefined) return false;
  return !(method === 'GET' && first(headers['sec-fetch-mode']) === 'navigate');
};
