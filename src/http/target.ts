/** What all paths of the API begin with. */
export const PREFIX = '/api';

export interface Target {
  /** Path as it stands in the request line, nothing decoded or normalised. */
  readonly path: string;
  readonly query: string;
}

/** Splits a request target; an absolute one (RFC 9112 section 3.2.2) loses its scheme and authority. */
export const targetOf = (url: string): Target => {
  const local = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const [, path = '', query = ''] = /^([^?#]*)\??([^#]*)/.exec(local) ?? [];
  return { path: path === '' ? '/' : path, query };
};
