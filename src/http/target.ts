import type { IncomingMessage } from 'node:http';

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
