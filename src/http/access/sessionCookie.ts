/** Name of the cookie that carries a session. */
export const SESSION_COOKIE = 'session_id';

/** Cookies of the name that are looked at: a neighbour under the same domain may have set one too. */
const MAX_COOKIES = 4;

/** Values of the session cookie in a `Cookie` header (RFC 6265 section 5.4), as the client ordered them. */
export const sessionIdsOf = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(';')
    .map((pair) => /^\s*([^=\s]+)\s*=\s*"?([A-Za-z0-9_-]*)"?\s*$/.exec(pair))
    .flatMap((match) => (match?.[1] === SESSION_COOKIE ? [match[2] ?? ''] : []))
    .slice(0, MAX_COOKIES);

const attributes = (isSecure: boolean): string =>
  `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

/** A `Set-Cookie` that begins a session; the browser keeps it until it is closed. */
export const sessionCookie = (id: string, isSecure: boolean): string =>
  `${SESSION_COOKIE}=${id}; ${attributes(isSecure)}`;

/** A `Set-Cookie` that deletes the cookie. */
export const endedCookie = (isSecure: boolean): string =>
  `${SESSION_COOKIE}=; Max-Age=0; ${attributes(isSecure)}`;
