import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { authorityOf, targetText } from '../target.js';

/** Who sends a request, as far as the connection and the headers tell. */
export interface Caller {
  readonly method: string;
  readonly remoteAddress: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Whether the connection to this service is TLS. */
  readonly isEncrypted: boolean;
}

/** The headers with the host that counts: an absolute target beats the Host header. */
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

/** Scheme and host with port of an origin, as a `Host` header writes it; `null` for `null` and what is no origin. */
const partsOf = (origin: string): { readonly scheme: string; readonly host: string } | null => {
  const [, scheme, host] = /^(https?):\/\/([^/?#@]+)$/i.exec(origin) ?? [];
  return scheme === undefined || host === undefined
    ? null
    : { scheme: scheme.toLowerCase(), host: host.toLowerCase() };
};

/**
 * True for an origin of this service: what the `Host` says, or what a proxy says was asked for. Over TLS a page
 * that came without is foreign, because anybody on the way can have made it.
 */
const isOwnOrigin = ({ headers, isEncrypted }: Caller, origin: string): boolean => {
  const parts = partsOf(origin);
  if (parts === null) return false;
  if (first(headers['x-forwarded-host'])?.toLowerCase() === parts.host) return true;
  return headers.host?.toLowerCase() === parts.host && (!isEncrypted || parts.scheme === 'https');
};

/**
 * True for a request that a page of another site made a browser send. Browsers add credentials and reach
 * loopback addresses for any page, so these are refused. Following a link is fine.
 */
export const isCrossSite = (caller: Caller): boolean => {
  const { method, headers } = caller;
  const site = first(headers['sec-fetch-site']);
  if (site === 'same-origin' || site === 'none') return false;
  const origin = first(headers.origin);
  if (origin !== undefined && !isOwnOrigin(caller, origin)) return true;
  return site !== undefined && !(method === 'GET' && first(headers['sec-fetch-mode']) === 'navigate');
};

/**
 * True for a request that surely comes from a page of this service. Browsers say so themselves; pages cannot
 * make them say it. A program that is no browser says nothing, unless it was told to.
 */
export const isSameOrigin = (caller: Caller): boolean => {
  if (first(caller.headers['sec-fetch-site']) === 'same-origin') return true;
  const origin = first(caller.headers.origin);
  return origin !== undefined && isOwnOrigin(caller, origin) && !isCrossSite(caller);
};

/** True for a request to become a WebSocket. */
export const isForWebSocket = ({ headers }: Pick<Caller, 'headers'>): boolean =>
  /\bwebsocket\b/i.test(headers.upgrade ?? '');

/**
 * True where a page reads the answer, not a person: its sign-in form must not be covered by the dialog of the browser.
 * Browsers name the mode of every request; programs send none.
 */
export const isFromPage = ({ headers }: Caller): boolean => {
  const mode = first(headers['sec-fetch-mode']);
  return headers['x-requested-with'] !== undefined || (mode !== undefined && mode !== 'navigate');
};
