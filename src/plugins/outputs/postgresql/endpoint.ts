import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import { hostPort } from '../../../domain/text/shown.js';
import type { ValueOf } from '../../../schema/shape.js';
import { postgresqlFields } from './spec.js';

export type PostgresqlParams = ValueOf<typeof postgresqlFields>;

/** Server, database and credentials, from fields and DSN. */
export interface PostgresEndpoint {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string;
  readonly application_name: string;
  readonly isTls: boolean;
  /** Address and table for messages, without credentials. */
  readonly name: string;
}

/** Parts of a DSN. A part is null when it is absent. */
interface Dsn {
  readonly host: string | null;
  readonly port: number | null;
  readonly database: string | null;
  readonly username: string | null;
  readonly password: string | null;
  readonly application_name: string | null;
  readonly isTls: boolean | null;
}

const NO_DSN: Dsn = {
  host: null,
  port: null,
  database: null,
  username: null,
  password: null,
  application_name: null,
  isTls: null,
};

const SSL_MODES: Readonly<Record<string, boolean>> = {
  disable: false,
  require: true,
  'verify-ca': true,
  'verify-full': true,
};

const textOf = (encoded: string): string | null => (encoded === '' ? null : decodeURIComponent(encoded));

/** Returns an error without the DSN, which holds a password. */
const parseDsn = (dsn: string): E.Either<string, Dsn> => {
  try {
    const url = new URL(dsn);
    const { sslmode, application_name, ...others } = Object.fromEntries(url.searchParams);
    if (sslmode !== undefined && SSL_MODES[sslmode] === undefined) {
      return E.left('`sslmode` in `dsn` must be disable, require, verify-ca or verify-full');
    }
    const [other] = Object.keys(others);
    if (other !== undefined) {
      const remedy = Object.hasOwn(postgresqlFields, other) ? 'Set it as a field.' : 'Remove it.';
      return E.left(`\`${other}\` must not be in the query string of \`dsn\`. ${remedy}`);
    }
    return E.right({
      host: textOf(url.hostname.replace(/^\[(.*)\]$/, '$1')),
      port: url.port === '' ? null : Number(url.port),
      database: textOf(url.pathname.slice(1)),
      username: textOf(url.username),
      password: textOf(url.password),
      application_name: application_name ?? null,
      isTls: sslmode === undefined ? null : (SSL_MODES[sslmode] ?? null),
    });
  } catch {
    return E.left('`dsn` is not a valid URL. Percent-encode special characters.');
  }
};

/** Fields override the DSN, which overrides defaults. */
export const postgresEndpointOf = (params: PostgresqlParams): Result<PostgresEndpoint> => {
  const read = params.dsn === null ? E.right(NO_DSN) : parseDsn(params.dsn);
  if (E.isLeft(read)) return E.left(failure('plugin_failed', `output postgresql: ${read.left}`));
  const dsn = read.right;
  const host = params.host ?? dsn.host;
  if (host === null) {
    return E.left(failure('plugin_failed', 'output postgresql: `dsn` has no host. Add it, or set `host`.'));
  }
  const port = params.port ?? dsn.port ?? 5432;
  const database = params.database ?? dsn.database ?? 'postgres';
  return E.right({
    host,
    port,
    database,
    username: params.username ?? dsn.username ?? 'postgres',
    password: params.password ?? dsn.password ?? '',
    application_name: params.application_name ?? dsn.application_name ?? 'spate',
    // A socket in a directory has no TLS.
    isTls: !host.startsWith('/') && (params.tls ?? dsn.isTls ?? false),
    name: `postgresql://${hostPort({ host, port })}/${database}, table ${tableName(params.table)}`,
  });
};

/** Parts of a dotted name; dots in double quotes do not separate. */
const partsOf = (name: string): readonly string[] => name.match(/"(?:[^"]|"")*"|[^."]+/g) ?? [];

/** A name in double quotes; quoted names stay unchanged. */
const postgresIdentifier = (name: string): string =>
  /^"(?:[^"]|"")+"$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

/** `schema.table` with quotes. A name whose quotes do not pair is one name. */
const tableName = (name: string): string => {
  const parts = partsOf(name);
  return (parts.join('.') === name ? parts : [name]).map(postgresIdentifier).join('.');
};

/** `columns` empty: all columns of the table. */
export const copyStatement = (table: string, columns: readonly string[], format: 'text' | 'csv'): string => {
  const list = columns.length === 0 ? '' : ` (${columns.map(postgresIdentifier).join(', ')})`;
  return `COPY ${tableName(table)}${list} FROM STDIN WITH (FORMAT ${format}, ENCODING 'UTF8')`;
};
