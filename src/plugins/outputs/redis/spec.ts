import {
  boolean,
  defaulted,
  integer,
  lazily,
  oneOf,
  optional,
  required,
  text,
} from '../../../schema/index.js';
import { outputPlugin } from '../../declare.js';
import { eventText } from '../../shared/text/field.js';
import { anyBytes, certificateWithKey, hostText, tlsFields } from '../shared/fields.js';

export const redisFields = lazily(() => ({
  host: required(hostText('Set `port` and `username` for the rest.'), {
    help: 'Name or address of the server.',
    example: 'localhost',
  }),
  port: defaulted(integer({ min: 1, max: 65_535 }), 6379, { help: 'Port of the server.' }),
  database: defaulted(integer({ min: 0 }), 0, { help: 'Number of the database.' }),
  username: optional(text({ minLength: 1 }), { help: 'ACL user. Default: the user `default`.' }),
  password: optional(text(), { help: 'Password of the user.', secret: true }),
  mode: defaulted(oneOf(['stream', 'list', 'pubsub']), 'stream', {
    help: '`stream` adds entries (XADD), `list` pushes items (RPUSH or LPUSH), `pubsub` publishes messages (PUBLISH).',
  }),
  key: required(eventText({ allowed: ['pointer', 'generator'], minLength: 1 }), {
    help: 'Key of the stream or list, or the channel. `{/json/pointer}` and `{generator}` are replaced.',
    example: 'events:{/host}',
  }),
  field: defaulted(text({ minLength: 1 }), 'event', {
    help: 'Field of a stream entry that holds the event.',
  }),
  max_length: optional(integer({ min: 1 }), {
    help: 'Approximate number of entries that a stream keeps; older ones are removed (MAXLEN ~).',
  }),
  push: defaulted(oneOf(['right', 'left']), 'right', { help: 'End of a list that receives the events.' }),
  tls: defaulted(boolean(), false, { help: 'Whether to use TLS.' }),
  ...tlsFields,
  connect_timeout: defaulted(integer({ min: 1 }), 10, { help: 'Timeout for a connection.', unit: 'seconds' }),
}));

export const redisSpec = outputPlugin({
  name: 'redis',
  summary: 'Adds events to Redis streams or lists, or publishes them.',
  takesBytes: anyBytes,
  notes: [
    'A batch is one pipeline of commands over one connection: XADD or PUBLISH per event, RPUSH or LPUSH per key and 500 events. Batches do not overlap, so streams and lists keep the order of the events.',
    'An event counts as written when the server has replied to its command. Commands with an error are retried or `rejected` alone: OOM, READONLY, LOADING, BUSY, MISCONF and the like are retried; WRONGTYPE, NOPERM, NOAUTH and other errors are rejected.',
    'A reply means that the event is in the memory of the server. What a crash of the server loses depends on its `appendfsync`: nothing with `always`, about a second with `everysec`.',
    '`pubsub` delivers to the subscribers of that moment only. Without one, an event is lost and counts as written.',
    'Delivery is at least once: if the connection breaks before the replies, events without a reply are sent again and may be duplicated.',
    'Events without a value that `key` names, or with an empty or nested one, are `unroutable`. Write a hash tag as `{{tag}}`. Redis Cluster is not supported: a key of another node is rejected (MOVED).',
    'With `max_length` the server removes old entries of streams. Without it, streams and lists grow until something reads and removes.',
  ],
  fields: redisFields,
  rules: [
    {
      fields: ['mode', 'max_length'],
      check: ({ mode, max_length }) =>
        max_length !== null && mode !== 'stream'
          ? {
              at: 'max_length',
              type: 'not_allowed',
              message: 'is only for `mode: stream`',
              hint: 'Remove it.',
            }
          : null,
    },
    {
      fields: ['username', 'password'],
      check: ({ username, password }) =>
        username !== null && password === null
          ? { at: 'password', type: 'missing', message: 'is required with `username`' }
          : null,
    },
    certificateWithKey,
  ],
  examples: [
    { title: 'Minimal', params: { host: 'localhost', key: 'events' } },
    {
      title: 'A stream per host over TLS, password from the keyring',
      params: {
        host: 'redis.example.org',
        username: 'writer',
        password: '${secrets.redis_password}',
        tls: true,
        key: 'events:{/host}',
        max_length: 100000,
      },
    },
    { title: 'A list', params: { host: 'localhost', mode: 'list', key: 'queue' } },
  ],
});
