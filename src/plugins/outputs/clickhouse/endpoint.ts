import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import { hostPort } from '../../../domain/text/shown.js';
import type { ValueOf } from '../../../schema/shape.js';
import { clickhouseFields } from './spec.js';
import { clickhouseIdentifier } from './statement.js';

export type ClickhouseParams = ValueOf<typeof clickhouseFields>;

/** Server, table and credentials, from fields and DSN. */
export interface ClickhouseEndpoint {
  readonly protocol: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  readonly table: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly url: string;
  /** Address and table for messages, without credentials. */
  readonly name: string;
}

/** Parts of a DSN. A part is null when it is absent. */
interface Dsn {
  readonly protocol: 'http' | 'https';
  readonly host: string | null;
  readonly port: number | null;
  readonly username: string | null;
  readonly password: string | null;
  readonly database: string | null;
  /** ClickHouse settings for every statement, from the query string. */
  readonly settings: Readonly<Record<string, string>>;
}

const TLS_PORT = 8443;

const WORDS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/** URL drops default ports and mistakes a path for a host with `http` and `https`: use another scheme. */
const ownScheme = (dsn: string): string =>
  dsn.replace(/^\s*http(s?):/i, (_, tls: string) => `clickhouse${tls.toLowerCase()}:`);

const textOf = (encoded: string): string | null => (encoded === '' ? null : decodeURIComponent(encoded));

/**
 * Reads `scheme://user:password@host:port/database?setting=value`. `clickhouses`, `https` and `secure=true` mean TLS;
 * `+native` and `+asynch` make no difference, as delivery uses HTTP. Other query keys are ClickHouse settings, except
 * the names of `fields`. Returns an error without the DSN, which holds a password.
 */
const parseDsn = (dsn: string, fields: ReadonlySet<string>): E.Either<string, Dsn> => {
  try {
    const url = new URL(ownScheme(dsn));
    const { secure, ...settings } = Object.fromEntries(url.searchParams);
    if (secure !== undefined && WORDS[secure] === undefined) {
      return E.left('`secure` in the query string of `dsn` must be true or false');
    }
    const field = Object.keys(settings).find((name) => fields.has(name));
    if (field !== undefined) {
      return E.left(`\`${field}\` must not be in the query string of \`dsn\`. Set it as a field.`);
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
    return E.left('`dsn` is not a valid URL. Percent-encode special characters.');
  }
};

const NO_DSN: Dsn = {
  protocol: 'http',
  host: null,
  port: null,
  username: null,
  password: null,
  database: null,
  settings: {},
};

const FIELD_NAMES: ReadonlySet<string> = new Set(Object.keys(clickhouseFields));

/** Fields override the DSN, which overrides defaults. */
export const clickhouseEndpointOf = (params: ClickhouseParams): Result<ClickhouseEndpoint> => {
  const read = params.dsn === null ? E.right(NO_DSN) : parseDsn(params.dsn, FIELD_NAMES);
  if (E.isLeft(read)) return E.left(failure('plugin_failed', `output clickhouse: ${read.left}`));
  const dsn = read.right;
  const host = params.host ?? dsn.host;
  if (host === null) {
    return E.left(failure('plugin_failed', 'output clickhouse: `dsn` has no host. Add it, or set `host`.'));
  }
  const protocol = params.protocol ?? dsn.protocol;
  const port = params.port ?? dsn.port ?? 8123;
  const url = `${protocol}://${hostPort({ host, port })}`;
  if (!URL.canParse(url)) {
    return E.left(failure('plugin_failed', `output clickhouse: host "${host}" is not a name or address`));
  }
  const database = params.database ?? dsn.database ?? 'default';
  const { table } = params;
  return E.right({
    protocol,
    host,
    port,
    username: params.username ?? dsn.username ?? 'default',
    password: params.password ?? dsn.password ?? '',
    database,
    table,
    settings: dsn.settings,
    url,
    name: `${url}, table ${clickhouseIdentifier(database)}.${clickhouseIdentifier(table)}`,
  });
};
