import {
  assumed,
  boolean,
  defaulted,
  integer,
  lazily,
  mapOf,
  oneOf,
  optional,
  required,
  text,
  url,
} from '../../../schema/index.js';
import { outputPlugin } from '../../declare.js';
import { eventText } from '../../shared/text/field.js';
import { certificateWithKey, hostOrDsn, isHost, tlsFields } from '../shared/fields.js';

const nonEmpty = text({ minLength: 1 });

const hostName = text({
  minLength: 1,
  check: (host) =>
    host.startsWith('/') || isHost(host)
      ? null
      : {
          type: 'bad_format',
          message: 'must be a name, an address or the directory of a socket',
          hint: 'Set `port` and `username` for the rest.',
        },
});

/** Fields that a DSN can set decode to `null` when absent. */
export const postgresqlFields = lazily(() => ({
  host: optional(hostName, {
    help: 'Name or address of the server, or the directory of its socket. May be left out when `dsn` is given.',
  }),
  port: assumed(integer({ min: 1, max: 65_535 }), 5432, { help: 'Port of the server.' }),
  database: assumed(nonEmpty, 'postgres', { help: 'Database of the table.' }),
  table: required(nonEmpty, {
    help: 'Table to copy into, with or without its schema. Names keep their case.',
    example: 'logs.events',
  }),
  username: assumed(nonEmpty, 'postgres', { help: 'Database user.' }),
  password: assumed(text(), '', { help: 'Password of the user.', secret: true }),
  dsn: optional(url({ protocols: ['postgres', 'postgresql'] }), {
    help: 'Connection as one URL. Other fields override it; it overrides defaults.',
    secret: true,
  }),
  column: defaulted(nonEmpty, 'event', {
    help: 'Column of the whole event: text, json or jsonb. Not used with `columns` or `copy_format`.',
  }),
  columns: optional(mapOf(eventText({ allowed: ['pointer', 'event', 'generator'] }), { max: 1_600 }), {
    help: 'Columns with their texts. `{/json/pointer}`, `{event}` (the whole event) and `{generator}` are replaced.',
    example: { at: '{/time}', user_name: '{/user/name}', source: '{generator}', event: '{event}' },
  }),
  copy_format: optional(oneOf(['text', 'csv']), {
    help: 'Events are rows in this format of COPY, with all columns of the table.',
  }),
  tls: assumed(boolean(), false, { help: 'Whether to require TLS.' }),
  ...tlsFields,
  application_name: assumed(text({ maxLength: 63 }), 'spate', {
    help: 'Name of the connections in `pg_stat_activity`.',
  }),
  connect_timeout: defaulted(integer({ min: 1 }), 10, { help: 'Timeout for a connection.', unit: 'seconds' }),
  pool_maxsize: defaulted(integer({ min: 1 }), 4, {
    help: 'Maximum number of connections; they stay open for reuse.',
  }),
}));

export const postgresqlSpec = outputPlugin({
  name: 'postgresql',
  aliases: ['postgres'],
  summary: 'Copies events into a PostgreSQL table.',
  notes: [
    'Each batch is one `COPY ... FROM STDIN`, which is a transaction: all rows or none. A batch counts as written when the server has committed it. Opening checks connection, user, table, columns and the right to insert with an empty COPY.',
    'If rows break a type or a constraint, or a trigger raises an error, Spate finds them with further COPY commands. The other rows are written once; each bad row is `rejected` with the message of the server.',
    'Values of `columns`: text as it is, everything else as JSON. A column is NULL if a value is missing or `null`. JSON numbers beyond 2^53 lose digits: send them as text. If a column has a JSON pointer, events that are not JSON are `unroutable`, as are rows with the character U+0000.',
    'With `copy_format` each event must be exactly one row. Events that would end the data or join the next row are `unroutable`.',
    'Names are quoted and keep their case. `table: logs.events` is "logs"."events"; quote a name that contains a dot.',
    'Fields override `dsn`, and `dsn` overrides defaults. `dsn` is `postgresql://user:password@host:port/database?sslmode=require&application_name=name`. `sslmode` is `disable`, `require`, `verify-ca` or `verify-full`; the last three mean `tls: true`. `verify` alone decides whether the certificate is checked.',
    'Delivery is at least once: if the connection breaks after the commit and before the reply, the batch is sent again and may be duplicated. A unique constraint rejects such duplicates.',
    'Temporary failures (network, restarts, recovery, too many connections, locks, memory, full disk) are retried. Permanent ones (missing table, permission, wrong user) are `rejected` at once.',
  ],
  fields: postgresqlFields,
  rules: [
    hostOrDsn,
    {
      fields: ['columns', 'copy_format'],
      check: ({ columns, copy_format }) =>
        columns !== null && copy_format !== null
          ? {
              at: 'copy_format',
              type: 'not_allowed',
              message: 'must not be set with `columns`',
              hint: 'Remove one of them.',
            }
          : null,
    },
    {
      fields: ['columns'],
      check: ({ columns }) =>
        columns !== null && Object.keys(columns).length === 0
          ? { at: 'columns', type: 'too_short', message: 'must name at least one column' }
          : null,
    },
    certificateWithKey,
  ],
  examples: [
    { title: 'Minimal', params: { host: 'localhost', table: 'events' } },
    {
      title: 'Columns from JSON over TLS, password from the keyring',
      params: {
        host: 'db.example.org',
        database: 'lab',
        table: 'logs.access',
        username: 'writer',
        password: '${secrets.postgresql_password}',
        tls: true,
        columns: { at: '{/time}', status: '{/status}', event: '{event}' },
      },
    },
  ],
});
