const SESSION_COOKIE = 'session_id';

/** Cookies of the name that are tried: another service of the same domain may set one too. */
const MAX_COOKIES = 4;

/** The session cookies of a `Cookie` header (RFC 6265, 5.4), in the order of the client. */
export const sessionIdsOf = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(';')
    .map((pair) => /^\s*([^=\s]+)\s*=\s*"?([A-Za-z0-9_-]*)"?\s*$/.exec(pair))
    .flatMap((match) => (match?.[1] === SESSION_COOKIE ? [match[2] ?? ''] : []))
    .slice(0, MAX_COOKIES);

const attributes = (isSecure: boolean): string =>
  `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

/** Starts a session; the browser keeps the cookie until it is closed. */
export const sessionCookie = (id: string, isSecure: boolean): string =>
  `${SESSION_COOKIE}=${id}; ${attributes(isSecure)}`;

export const endedCookie = (isSecure: boolean): string =>
  `${SESSION_COOKIE}=; Max-Age=0; ${attributes(isSecure)}`;
