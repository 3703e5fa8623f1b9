import type { IncomingMessage } from 'node:http';

/** What all paths of the API begin with. */
export const PREFIX = '/api';

export interface Target {
  /** Path as it stands in the request line, nothing decoded or normalised. */
  readonly path: string;
  readonly query: string;
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;

/** The request target as it came. Express keeps it beside the one that its routers shorten. */
export const targetText = (request: IncomingMessage & { readonly originalUrl?: string }): string =>
  request.originalUrl ?? request.url ?? '';

/** Authority of an absolute target (RFC 9112 section 3.2.2), which counts instead of the Host header; `null` for others. */
export const authorityOf = (url: string): string | null => ABSOLUTE.exec(url)?.[1] ?? null;

/** Splits a request target; an absolute one loses its scheme and authority. */
export const targetOf = (url: string): Target => {
  const local = url.replace(ABSOLUTE, '');
  const [, path = '', query = ''] = /^([^?#]*)\??([^#]*)/.exec(local) ?? [];
  return { path: path === '' ? '/' : path, query };
};
