import type { Clock } from '../../../../ports/clock.js';
import type { RequestError } from '../errors.js';
import type { HttpReply } from './request.js';

/** Statuses after which the same request may succeed; 5xx are, too. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 425, 429]);

export const isRetryableStatus = (status: number): boolean => status >= 500 || RETRYABLE.has(status);

const ADDRESS = 'Check the URL and the method.';

const REMEDIES: Readonly<Record<number, string>> = {
  400: 'Check that the events are what the server expects.',
  401: 'Check the credentials.',
  403: 'Check the credentials and the rights of the user.',
  404: ADDRESS,
  405: ADDRESS,
  407: 'Check the credentials in `proxy_url`.',
  408: 'Check the load of the server.',
  410: ADDRESS,
  411: 'The server needs a Content-Length: check the proxy.',
  413: 'Send smaller batches: lower `batch.size`.',
  414: 'Shorten the URL.',
  415: 'Set the `Content-Type` that the server expects, and check the compression.',
  422: 'Check that the events are what the server expects.',
  425: 'Check the server.',
  429: 'The server is overloaded: send less, or larger batches.',
  431: 'Shorten the headers.',
  501: ADDRESS,
  507: 'Free space on the server.',
};

const remedyOf = (status: number): string => {
  if (status < 300) return 'Check the status codes that count as success.';
  if (status < 400) return 'Redirects are not followed: set the URL to the new address.';
  return (
    REMEDIES[status] ?? (status >= 500 ? 'Check the server and its log.' : 'Check the log of the server.')
  );
};

/** Text of a reply in one line; of an HTML page only its title. */
export const plainReply = (text: string): string => {
  const title = /^\s*<.*?<title[^>]*>(.*?)<\/title>/is.exec(text)?.[1];
  return (title ?? text).replace(/\s+/g, ' ').trim();
};

/** Error of a reply whose status is no success. `isRetryable` overrides the default of the status. */
export const statusError = (
  { status, headers, text }: Pick<HttpReply, 'status' | 'headers' | 'text'>,
  isRetryable: boolean = isRetryableStatus(status),
): RequestError => {
  const location = status >= 300 && status < 400 ? headers.location : undefined;
  const said = location === undefined ? plainReply(text) : `the server redirects to ${location}`;
  return {
    what: said === '' ? 'the request was rejected' : said,
    origin: `HTTP status ${status}`,
    remedy: remedyOf(status),
    isRetryable,
    code: status,
  };
};

/** A server cannot pause an output for longer. */
export const MAX_PAUSE_MS = 60_000;

/** Milliseconds of a `Retry-After` header (RFC 9110, 10.2.3): seconds or a date; 0: absent, past or invalid. */
export const retryAfterMs = (header: string | undefined, now_ms: number): number => {
  const written = header?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(written) ? Number(written) * 1_000 : Date.parse(written) - now_ms;
  return Number.isFinite(ms) ? Math.min(MAX_PAUSE_MS, Math.max(0, ms)) : 0;
};

/** Holds requests back for as long as a server asked. */
interface Pause {
  /** Reads the header of a refused request. */
  readonly note: (header: string | undefined) => void;
  /** Resolves when requests may go on, or the signal aborts. */
  readonly over: (signal: AbortSignal) => Promise<void>;
}

export const makePause = (clock: Clock): Pause => {
  let until_ms = Number.NEGATIVE_INFINITY;
  return {
    note: (header) => {
      const ms = retryAfterMs(header, clock.now() / 1_000);
      if (ms > 0) until_ms = Math.max(until_ms, clock.monotonicMs() + ms);
    },
    over: async (signal) => {
      const left_ms = until_ms - clock.monotonicMs();
      if (left_ms > 0) await clock.sleepMs(left_ms, signal);
    },
  };
};
