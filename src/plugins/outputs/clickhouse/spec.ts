import {
  assumed,
  boolean,
  defaulted,
  givenTogether,
  integer,
  oneOf,
  optional,
  path,
  required,
  text,
  url,
} from '../../../schema/index.js';
import { outputPlugin } from '../../declare.js';
import { INPUT_FORMATS } from './inputFormats.js';

const nonEmpty = text({ minLength: 1 });
/** Start and end of a document around the events of an insert. */
const longText = text({ maxLength: 65_536 });
const seconds = integer({ min: 1 });

/** Accepts no port, user or path. */
const hostName = text({
  minLength: 1,
  check: (host) =>
    /[\s/?#@[\]]/.test(host) || host.split(':').length === 2
      ? {
          type: 'bad_format',
          message: 'must be a name or an address alone',
          hint: 'Give the rest in `protocol`, `port` and `username`.',
        }
      : null,
});

const headerText = text({
  check: (value) =>
    /^[\x20-\x7e]*$/.test(value)
      ? null
      : { type: 'not_allowed', message: 'must consist of printable ASCII characters' },
});

const DSN_SCHEMES = [
  ...['clickhouse', 'clickhouses', 'clickhousedb'].flatMap((scheme) =>
    ['', '+http', '+native', '+asynch'].map((variant) => scheme + variant),
  ),
  'http',
  'https',
];

const dsn = {
  ...url({ protocols: DSN_SCHEMES }),
  label: 'URL (clickhouse, clickhouses or clickhousedb, each with +http, +native or +asynch; http or https)',
};

/** Fields that a DSN can set decode to `null` when absent. */
export const clickhouseFields = {
  host: optional(hostName, { help: 'Name or address of the server. May be left out when `dsn` is given.' }),
  port: assumed(integer({ min: 1, max: 65_535 }), 8123, { help: 'Port of the HTTP interface.' }),
  protocol: assumed(oneOf(['http', 'https']), 'http', { help: 'Protocol of the connection.' }),
  database: assumed(nonEmpty, 'default', { help: 'Database of the table.' }),
  table: required(nonEmpty, { help: 'Table that the events are inserted into.', example: 'events' }),
  username: assumed(nonEmpty, 'default', { help: 'User of the database.' }),
  password: assumed(text(), '', { help: 'Password of the user.', secret: true }),
  dsn: optional(dsn, {
    help: 'Connection as one URL. What is written in the config beats it, and it beats defaults.',
    secret: true,
  }),
  connect_timeout: defaulted(seconds, 10, { help: 'Longest wait for a connection.', unit: 'seconds' }),
  request_timeout: defaulted(seconds, 300, { help: 'Longest wait for an insert.', unit: 'seconds' }),
  client_name: optional(headerText, { help: 'Put in front of the User-Agent.' }),
  verify: defaulted(boolean(), true, { help: 'Whether the certificate of the server is checked.' }),
  ca_cert: optional(path(), { help: 'Certificates of the authorities to trust, PEM.' }),
  client_cert: optional(path(), { help: 'Certificate of this client, PEM.' }),
  client_cert_key: optional(path(), { help: 'Key of `client_cert`, PEM.' }),
  server_host_name: optional(text(), { help: 'Name used for SNI and for the check of the certificate.' }),
  tls_mode: defaulted(oneOf(['proxy', 'strict', 'mutual']), 'proxy', {
    help:
      'What the client certificate is for: `mutual` authenticates the user with it and sends no password; `proxy` and ' +
      '`strict` show it and send the password.',
  }),
  proxy_url: optional(url(), { help: 'HTTP proxy to go through.', secret: true }),
  input_format: defaulted(
    oneOf(INPUT_FORMATS, { label: 'name of a ClickHouse input format' }),
    'TabSeparated',
    {
      help: 'Format of the inserted data.',
    },
  ),
  header: defaulted(longText, '', { help: 'Text before the first event of each insert.' }),
  footer: defaulted(longText, '', { help: 'Text after the last event of each insert.' }),
  separator: defaulted(text(), '\n', { help: 'Text between events.' }),
  pool_maxsize: defaulted(integer({ min: 1 }), 32, {
    help: 'Connections to the host at a time; they are kept and used again.',
  }),
};

export const clickhouseSpec = outputPlugin({
  name: 'clickhouse',
  aliases: ['columnar_db'],
  summary: 'Inserts events into a ClickHouse table.',
  notes: [
    'Each batch is one insert over HTTP: `INSERT INTO database.table FORMAT input_format`, then `header`, the events ' +
      'joined by `separator`, `footer`. Names are put into backticks; a name that is quoted already is taken as it is. ' +
      'Opening checks the connection, the user, the database and that the table is there.',
    'What is written in the config beats `dsn`, and `dsn` beats the defaults. `dsn` is ' +
      '`scheme://user:password@host:port/database?setting=value`: `clickhouses`, `https` or `secure=true` mean https (port 8443 ' +
      'if none is named), other keys of the query string are settings of ClickHouse, such as `async_insert=1`. All ' +
      'schemes are delivered to over HTTP, so the port must be that of the HTTP interface.',
    'Delivery is at least once: when a connection breaks after a batch was sent and before the answer came, the batch ' +
      'is sent again, and its rows may be there twice. Tables of the Replicated engines leave the second copy out.',
    'Each collected batch is one insert. ClickHouse makes a part of the table of each, which costs more than the rows: inserts of 10,000 rows ' +
      '(the default `batch.size`) took a server on two cores to between one and two million rows a second, inserts of 500,000 to three and a half. Raise `batch.size` where the ' +
      'rate matters; `queue.max_event_batches` of them are in memory at once.',
    '`written` counts the rows that the server reports, at most the events of the batch; where it reports none, the ' +
      'events. Events that made no row count as failed.',
    'Failures that may pass (network, timeouts, too many parts or queries, memory, replicas) are tried again; those ' +
      'that stay (data that does not fit, missing table, wrong user) are `rejected` at once.',
    '`write_timeout` of the generator ends an attempt that takes longer, whatever `request_timeout` says: raise both.',
    'Certificates and keys are PEM files, relative to the generator directory. `proxy_url` is used as it is for http ' +
      '(whole addresses) and by CONNECT for https.',
  ],
  fields: clickhouseFields,
  rules: [
    {
      fields: ['host', 'dsn'],
      check: ({ host, dsn }) =>
        host === null && dsn === null
          ? {
              at: 'host',
              type: 'missing',
              message: 'is required',
              hint: 'Give `host`, or a `dsn` that names it.',
            }
          : null,
    },
    givenTogether('client_cert', 'client_cert_key', {
      message: 'is required: certificate and key are given together',
    }),
  ],
  examples: [
    { title: 'The smallest one', params: { host: 'localhost', table: 'events' } },
    {
      title: 'JSON lines over TLS, password from the keyring',
      params: {
        host: 'clickhouse.example.org',
        port: 8443,
        protocol: 'https',
        database: 'logs',
        table: 'access',
        username: 'writer',
        password: '${secrets.clickhouse_password}',
        input_format: 'JSONEachRow',
      },
    },
  ],
});
