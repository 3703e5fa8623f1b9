import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import type { ValueOf } from '../../../schema/shape.js';
import { type Dsn, parseDsn } from './dsn.js';
import { clickhouseFields } from './spec.js';
import { identifier } from './statement.js';

/** Decoded fields of the output. */
export type ClickhouseParams = ValueOf<typeof clickhouseFields>;

/** Where a generator delivers to, worked out from its fields and its DSN. */
export interface Target {
  readonly protocol: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  readonly table: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Base address, without credentials. */
  readonly url: string;
  /** Address and table for people, without credentials. */
  readonly name: string;
}

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

/** What was written beats the DSN, and the DSN beats the defaults. */
export const targetOf = (params: ClickhouseParams): Result<Target> => {
  const read = params.dsn === null ? E.right(NO_DSN) : parseDsn(params.dsn, FIELD_NAMES);
  if (E.isLeft(read)) return E.left(failure('plugin_failed', `output clickhouse: ${read.left}`));
  const dsn = read.right;
  const host = params.host ?? dsn.host;
  if (host === null) {
    return E.left(
      failure('plugin_failed', 'output clickhouse: `dsn` names no host: complete it, or give `host`'),
    );
  }
  const protocol = params.protocol ?? dsn.protocol;
  const port = params.port ?? dsn.port ?? 8123;
  const url = `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (!URL.canParse(url)) {
    return E.left(failure('plugin_failed', `output clickhouse: host "${host}" is not a name or an address`));
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
    name: `${url}, table ${identifier(database)}.${identifier(table)}`,
  });
};
