import {
  boolean,
  defaulted,
  integer,
  oneOf,
  optional,
  path,
  required,
  text,
  url,
} from '../../../schema/index.js';
import type { PluginSpec } from '../../kit.js';
import { formatterField } from '../shared/formatterField.js';
import { INPUT_FORMATS } from './inputFormats.js';

const nonEmpty = text({ minLength: 1 });
const seconds = integer({ min: 1 });

const DSN_SCHEMES = ['clickhouse', 'clickhouses', 'clickhousedb'].flatMap((scheme) =>
  ['', '+http', '+native', '+asynch'].map((variant) => scheme + variant),
);

const dsn = {
  ...url({ protocols: DSN_SCHEMES }),
  label: 'URL (clickhouse, clickhouses or clickhousedb; +http, +native or +asynch)',
};

export const clickhouseFields = {
  formatter: formatterField(),
  host: optional(nonEmpty, { help: 'Name or address of the server. May be left out when `dsn` is given.' }),
  port: defaulted(integer({ min: 1, max: 65_535 }), 8123, { help: 'Port of the HTTP interface.' }),
  protocol: defaulted(oneOf(['http', 'https']), 'http', { help: 'Protocol of the connection.' }),
  database: defaulted(nonEmpty, 'default', { help: 'Database of the table.' }),
  table: required(nonEmpty, { help: 'Table that the events are inserted into.', example: 'events' }),
  username: defaulted(nonEmpty, 'default', { help: 'User of the database.' }),
  password: defaulted(text(), '', { help: 'Password of the user.', secret: true }),
  dsn: optional(dsn, {
    help: 'Connection as one URL. What is given explicitly beats it, and it beats defaults.',
    secret: true,
  }),
  connect_timeout: defaulted(seconds, 10, { help: 'Longest wait for a connection.', unit: 'seconds' }),
  request_timeout: defaulted(seconds, 300, { help: 'Longest wait for an insert.', unit: 'seconds' }),
  client_name: optional(text(), { help: 'Put in front of the User-Agent.' }),
  verify: defaulted(boolean(), true, { help: 'Whether the certificate of the server is checked.' }),
  ca_cert: optional(path(), { help: 'Certificates of the authorities to trust, PEM.' }),
  client_cert: optional(path(), { help: 'Certificate of this client, PEM.' }),
  client_cert_key: optional(path(), { help: 'Key of `client_cert`, PEM.' }),
  server_host_name: optional(text(), { help: 'Name used for SNI and for the check of the certificate.' }),
  tls_mode: defaulted(oneOf(['proxy', 'strict', 'mutual']), 'proxy', {
    help: 'What the client certificate is for: `mutual` authenticates the user with it.',
  }),
  proxy_url: optional(url(), { help: 'HTTP proxy to go through.', secret: true }),
  input_format: defaulted(
    oneOf(INPUT_FORMATS, { label: 'name of a ClickHouse input format' }),
    'TabSeparated',
    {
      help: 'Format of the inserted data.',
    },
  ),
  header: defaulted(text(), '', { help: 'Text before the first event of each insert.' }),
  footer: defaulted(text(), '', { help: 'Text after the last event of each insert.' }),
  separator: defaulted(text(), '\n', { help: 'Text between events.' }),
  pool_maxsize: defaulted(integer({ min: 1 }), 32, { help: 'Connections kept to the host.' }),
};

export const clickhouseSpec: PluginSpec<typeof clickhouseFields> & { readonly name: 'clickhouse' } = {
  kind: 'output',
  name: 'clickhouse',
  aliases: ['columnar_db'],
  summary: 'Inserts events into a ClickHouse table.',
  notes: [
    'This version accepts, checks and reads back the configuration. Delivery into ClickHouse is not there yet: ' +
      'a generator with this output does not start, and says so.',
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
    {
      fields: ['client_cert', 'client_cert_key'],
      check: ({ client_cert, client_cert_key }) =>
        (client_cert === null) === (client_cert_key === null)
          ? null
          : {
              at: client_cert === null ? 'client_cert' : 'client_cert_key',
              type: 'missing',
              message: 'is required: certificate and key are given together',
            },
    },
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
};
