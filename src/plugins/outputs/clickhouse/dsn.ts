import * as E from 'fp-ts/lib/Either.js';

/** What a DSN says; `null` where it says nothing. */
export interface Dsn {
  readonly protocol: 'http' | 'https';
  readonly host: string | null;
  readonly port: number | null;
  readonly username: string | null;
  readonly password: string | null;
  readonly database: string | null;
  /** Settings of ClickHouse for every statement, from the query string. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Port of the HTTP interface over TLS, where a DSN asks for TLS and names no port. */
const TLS_PORT = 8443;

const WORDS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/** `http` and `https` as schemes of ClickHouse: of those alone URL drops a port, and takes a path for a host. */
const ownScheme = (dsn: string): string =>
  dsn.replace(/^\s*http(s?):/i, (_, tls: string) => `clickhouse${tls.toLowerCase()}:`);

const textOf = (encoded: string): string | null => (encoded === '' ? null : decodeURIComponent(encoded));

/**
 * Reads `scheme://user:password@host:port/database?setting=value`. `clickhouses`, `https` and `secure=true` mean
 * TLS; the variants `+native` and `+asynch` are read alike, because delivery always goes over HTTP.
 * Every other key of the query string is a setting of ClickHouse, except the names of `fields`, which
 * have a place of their own. Left: what is wrong, without showing the DSN, which holds a password.
 */
export const parseDsn = (dsn: string, fields: ReadonlySet<string>): E.Either<string, Dsn> => {
  try {
    const url = new URL(ownScheme(dsn));
    const { secure, ...settings } = Object.fromEntries(url.searchParams);
    if (secure !== undefined && WORDS[secure] === undefined) {
      return E.left('`secure` in the query string of `dsn` must be true or false');
    }
    const field = Object.keys(settings).find((name) => fields.has(name));
    if (field !== undefined) {
      return E.left(`\`${field}\` does not belong into the query string of \`dsn\`: give it as a field`);
    }
    const scheme = url.protocol.replace(/\+.*|:$/g, '');
    const isTls = secure === undefined ? scheme === 'clickhouses' : WORDS[secure] === true;
    return E.right({
      protocol: isTls ? 'https' : 'http',
      host: textOf(url.hostname.replace(/^\[(.*)\]$/, '$1')),
      port: url.port === '' ? (isTls ? TLS_PORT : null) : Number(url.port),
      username: textOf(url.username),
      password: textOf(url.password),
      database: textOf(url.pathname.split('/')[1] ?? ''),
      settings,
    });
  } catch {
    return E.left('`dsn` cannot be read: check that special characters in it are percent-encoded');
  }
};
