import type { IncomingHttpHeaders } from 'node:http';

/** The sender of a request, by connection and headers. */
export interface Caller {
  readonly method: string;
  readonly remoteAddress: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly isEncrypted: boolean;
}

/** 127.0.0.0/8, `::1`, and 127.0.0.0/8 mapped into IPv6. */
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

/** Whether `Host` is `localhost` or loopback. After DNS rebinding, a page sends its own name here. */
export const isLoopbackHost = (host: string | undefined): boolean =>
  host !== undefined && /^(([a-z0-9-]+\.)*localhost\.?|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i.test(host);

const first = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

/** The host and port of an origin with its scheme; `null` if it is no origin. */
const partsOf = (origin: string): { readonly scheme: string; readonly host: string } | null => {
  const [, scheme, host] = /^(https?):\/\/([^/?#@]+)$/i.exec(origin) ?? [];
  return scheme === undefined || host === undefined
    ? null
    : { scheme: scheme.toLowerCase(), host: host.toLowerCase() };
};

/** Whether an origin is this service. Over TLS, one without TLS is foreign: anyone on the path can forge it. */
const isOwnOrigin = ({ headers, isEncrypted }: Caller, origin: string): boolean => {
  const parts = partsOf(origin);
  if (parts === null) return false;
  if (first(headers['x-forwarded-host'])?.toLowerCase() === parts.host) return true;
  return headers.host?.toLowerCase() === parts.host && (!isEncrypted || parts.scheme === 'https');
};

/** Whether a page of another site sent the request: browsers add credentials for any page. Links are fine. */
export const isCrossSite = (caller: Caller): boolean => {
  const { method, headers } = caller;
  const site = first(headers['sec-fetch-site']);
  if (site === 'same-origin' || site === 'none') return false;
  const origin = first(headers.origin);
  if (origin !== undefined && !isOwnOrigin(caller, origin)) return true;
  return site !== undefined && !(method === 'GET' && first(headers['sec-fetch-mode']) === 'navigate');
};

/**
 * Whether the page of any site sent the request. Browsers name its origin in every POST, also after DNS rebinding; a
 * server without pages of its own has no reason to answer.
 */
export const isOfAnyPage = ({ headers }: Pick<Caller, 'headers'>): boolean =>
  first(headers.origin) !== undefined || (first(headers['sec-fetch-site']) ?? 'none') !== 'none';

/** Whether a page of this service certainly sent the request: only browsers can say so. */
export const isSameOrigin = (caller: Caller): boolean => {
  if (first(caller.headers['sec-fetch-site']) === 'same-origin') return true;
  const origin = first(caller.headers.origin);
  return origin !== undefined && isOwnOrigin(caller, origin) && !isCrossSite(caller);
};

export const isForWebSocket = ({ headers }: Pick<Caller, 'headers'>): boolean =>
  /\bwebsocket\b/i.test(headers.upgrade ?? '');

/** Whether a page reads the response: no login dialog of the browser may cover its own form. */
export const isFromPage = ({ headers }: Caller): boolean => {
  const mode = first(headers['sec-fetch-mode']);
  return headers['x-requested-with'] !== undefined || (mode !== undefined && mode !== 'navigate');
};
