import {
  assumed,
  defaulted,
  integer,
  lazily,
  oneOf,
  optional,
  required,
  text,
  url,
} from '../../../schema/index.js';
import { outputPlugin } from '../../declare.js';
import { certificateWithKey, hostOrDsn, hostText, SERVER_NAME_HELP, tlsFields } from '../shared/fields.js';

const withNames = <const B extends string>(base: B) =>
  [base, `${base}WithNames`, `${base}WithNamesAndTypes`] as const;

const INPUT_FORMATS = [
  ...withNames('TabSeparated'),
  ...withNames('TabSeparatedRaw'),
  'Template',
  'TemplateIgnoreSpaces',
  ...withNames('CSV'),
  ...withNames('CustomSeparated'),
  'Values',
  'JSON',
  'JSONAsString',
  'JSONAsObject',
  'JSONStrings',
  'JSONColumns',
  'JSONColumnsWithMetadata',
  'JSONCompact',
  'JSONCompactColumns',
  'JSONEachRow',
  'JSONStringsEachRow',
  ...withNames('JSONCompactEachRow'),
  ...withNames('JSONCompactStringsEachRow'),
  'JSONObjectEachRow',
  'BSONEachRow',
  'TSKV',
  'Protobuf',
  'ProtobufSingle',
  'ProtobufList',
  'Avro',
  'AvroConfluent',
  'Parquet',
  'ParquetMetadata',
  'Arrow',
  'ArrowStream',
  'ORC',
  'One',
  'Npy',
  'RowBinary',
  'RowBinaryWithNames',
  'RowBinaryWithNamesAndTypes',
  'RowBinaryWithDefaults',
  'Native',
  'CapnProto',
  'LineAsString',
  'Regexp',
  'RawBLOB',
  'MsgPack',
  'MySQLDump',
  'DWARF',
  'Form',
] as const;

const nonEmpty = text({ minLength: 1 });
const longText = text({ maxLength: 65_536 });
const seconds = integer({ min: 1 });

const headerText = text({
  check: (value) =>
    /^[\x20-\x7e]*$/.test(value)
      ? null
      : { type: 'not_allowed', message: 'must contain only printable ASCII characters' },
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
export const clickhouseFields = lazily(() => ({
  host: optional(hostText('Set `protocol`, `port` and `username` for the rest.'), {
    help: 'Name or address of the server. May be left out when `dsn` is given.',
  }),
  port: assumed(integer({ min: 1, max: 65_535 }), 8123, { help: 'Port of the HTTP interface.' }),
  protocol: assumed(oneOf(['http', 'https']), 'http', { help: 'Protocol of the connection.' }),
  database: assumed(nonEmpty, 'default', { help: 'Database of the table.' }),
  table: required(nonEmpty, { help: 'Table to insert into.', example: 'events' }),
  username: assumed(nonEmpty, 'default', { help: 'Database user.' }),
  password: assumed(text(), '', { help: 'Password of the user.', secret: true }),
  dsn: optional(dsn, {
    help: 'Connection as one URL. Other fields override it; it overrides defaults.',
    secret: true,
  }),
  connect_timeout: defaulted(seconds, 10, { help: 'Timeout for a connection.', unit: 'seconds' }),
  request_timeout: defaulted(seconds, 300, { help: 'Timeout for an insert.', unit: 'seconds' }),
  client_name: optional(headerText, { help: 'Prefix of the User-Agent header.' }),
  ...tlsFields,
  // The API document has it for this output.
  server_host_name: optional(text(), { help: SERVER_NAME_HELP }),
  tls_mode: defaulted(oneOf(['proxy', 'strict', 'mutual']), 'proxy', {
    help:
      'Use of the client certificate: `mutual` authenticates the user and sends no password; `proxy` and `strict` also send ' +
      'the password.',
  }),
  proxy_url: optional(url(), { help: 'URL of an HTTP proxy.', secret: true }),
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
    help: 'Maximum number of connections; they stay open for reuse.',
  }),
}));

export const clickhouseSpec = outputPlugin({
  name: 'clickhouse',
  aliases: ['columnar_db'],
  summary: 'Inserts events into a ClickHouse table.',
  takesBytes: {
    fields: ['separator', 'input_format', 'header', 'footer'],
    whyNot: ({ separator, input_format, header, footer }, form) => {
      if (header !== '' || footer !== '') return 'they have no `header` and no `footer`: remove these';
      if (form === 'whole') return null;
      return separator === '' && input_format === 'AvroConfluent'
        ? null
        : 'an insert needs them as one file: choose `encoding: container`';
    },
  },
  notes: [
    'Each batch is one insert over HTTP: `INSERT INTO database.table FORMAT input_format`, then `header`, the events joined by `separator`, `footer`. Names get backticks unless they are quoted. Opening checks the connection, the user, the database and the table.',
    'Fields override `dsn`, and `dsn` overrides defaults. `dsn` is `scheme://user:password@host:port/database?setting=value`. `clickhouses`, `https` or `secure=true` mean https, with default port 8443. Other query keys are ClickHouse settings, such as `async_insert=1`. All schemes use HTTP, so the port must be that of the HTTP interface.',
    'Delivery is at least once: if the connection breaks after a batch was sent and before the reply, the batch is sent again and may be duplicated. Replicated tables remove such duplicates.',
    'ClickHouse makes a table part per insert, which costs more than the rows. On two cores, inserts of 10,000 rows (the default `batch.size`) reached one to two million rows/s, inserts of 500,000 rows three and a half. Raise `batch.size` for throughput; up to `queue.max_event_batches` batches are in memory.',
    '`written` counts the rows that the server reports, at most the events of the batch; without a report, the events. Events that made no row count as failed.',
    'Temporary failures (network, timeouts, too many parts or queries, memory, replicas) are retried. Permanent ones (invalid data, missing table, wrong user) are `rejected` at once.',
    "The generator's `write_timeout` ends longer attempts, regardless of `request_timeout`: raise both.",
    'Certificates and keys are PEM files, relative to the folder of the generator. `proxy_url` receives absolute addresses for http and CONNECT for https.',
  ],
  fields: clickhouseFields,
  rules: [hostOrDsn, certificateWithKey],
  examples: [
    { title: 'Minimal', params: { host: 'localhost', table: 'events' } },
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
