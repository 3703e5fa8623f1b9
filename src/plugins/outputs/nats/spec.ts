import {
  boolean,
  defaulted,
  integer,
  lazily,
  listOf,
  mapOf,
  optional,
  path,
  refined,
  required,
  text,
} from '../../../schema/index.js';
import { outputPlugin } from '../../declare.js';
import { eventText, placeholderDefect } from '../../shared/text/field.js';
import { constantMisfit, LIMITS } from '../../shared/text/limits.js';
import { brokerTimeouts, serverUrl } from '../shared/brokers/fields.js';
import { anyBytes, certificateWithKey, tlsFields } from '../shared/fields.js';

/** Address of a NATS server. */
export interface NatsServer {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

const DEFAULT_PORT = 4222;

/** Reads `host`, `host:port`, `nats://host:port` or `tls://host:port`. Returns null when it is none of these. */
export const natsServerOf = (text: string): NatsServer | null => {
  const read = serverUrl(text.includes('://') ? text : `nats://${text}`, ['nats:', 'tls:']);
  if (read === null) return null;
  return { host: read.host, port: read.port ?? DEFAULT_PORT, isTls: read.protocol === 'tls:' };
};

const serverDefect = (text: string) =>
  natsServerOf(text) === null
    ? {
        type: 'bad_format' as const,
        message: 'must be host:port, nats://host:port or tls://host:port',
        hint: 'Set `username` and `password` for a user.',
      }
    : null;

const nonEmpty = text({ minLength: 1 });

const PLACEHOLDERS = ['pointer', 'generator'] as const;

const subject = eventText({
  allowed: PLACEHOLDERS,
  minLength: 1,
  check: (sample) =>
    /[\s*>]|^\.|\.\.|\.$/.test(sample)
      ? { type: 'bad_format', message: 'must be a subject without white space, wildcards and empty tokens' }
      : constantMisfit(LIMITS['nats.control_line'])(sample),
});

const MSG_ID_WORDS = ['auto', 'content', 'none'];

const msgId = text({
  label: 'auto, content, none or a text with placeholders',
  minLength: 1,
  maxLength: 4_096,
  check: (value) => {
    if (MSG_ID_WORDS.includes(value)) return null;
    return value.includes('{')
      ? placeholderDefect(value, PLACEHOLDERS)
      : { type: 'not_allowed', message: 'must be auto, content, none or a text with placeholders' };
  },
});

const headerValue = eventText({
  allowed: PLACEHOLDERS,
  check: (sample) =>
    /[\r\n]/.test(sample) ? { type: 'not_allowed', message: 'must not contain a line end' } : null,
});

/** Names that the client can send (RFC 5322, section 2.2). */
const HEADER_NAME = /^[!-9;-~]+$/;

const headerMap = refined(mapOf(headerValue), (headers) => {
  const wrong = Object.keys(headers).find((name) => !HEADER_NAME.test(name));
  return wrong === undefined
    ? null
    : { type: 'bad_format', message: `must not have ${JSON.stringify(wrong)} as the name of a header` };
});

export const natsFields = lazily(() => ({
  servers: required(
    listOf(text({ label: 'address of a server', minLength: 1, check: serverDefect }), { min: 1, max: 100 }),
    {
      help: 'Servers, tried in this order: `host:port`, `nats://host:port` or `tls://host:port`.',
      example: ['nats://localhost:4222'],
    },
  ),
  subject: required(subject, {
    help: 'Subject. `{generator}` and `{/json/pointer}` are replaced.',
    example: 'events.{/host/name}',
  }),
  jetstream: defaulted(boolean(), false, {
    help: 'Publish to a JetStream stream and wait for its acknowledgements.',
  }),
  msg_id: defaulted(msgId, 'auto', {
    help:
      'Header Nats-Msg-Id, by which a stream drops duplicates: `auto` (one id per event, kept for its retries), `content` (a hash ' +
      'of the event), a template with a JSON pointer, or `none`. JetStream only.',
    example: '{/event/id}',
  }),
  headers: defaulted(
    headerMap,
    {},
    {
      help: 'Headers of each message. `{generator}` and `{/json/pointer}` are replaced in values.',
      example: { source: '{generator}' },
    },
  ),
  username: optional(nonEmpty, { help: 'User.' }),
  password: defaulted(text(), '', { help: 'Password of the user.', secret: true }),
  token: optional(nonEmpty, { help: 'Authentication token.', secret: true }),
  nkey: optional(nonEmpty, { help: 'Seed of an NKey, as `nk -gen user` prints it.', secret: true }),
  credentials_file: optional(path(), { help: 'Credentials file with JWT and NKey seed.', reads: 'file' }),
  tls: defaulted(boolean(), false, {
    help: 'Require TLS. A `tls://` server or another TLS option does too.',
  }),
  ...tlsFields,
  client_name: defaulted(nonEmpty, 'spate', { help: 'Name of the connection on the server.' }),
  ...brokerTimeouts,
  max_in_flight: defaulted(integer({ min: 1, max: 65_535 }), 4_096, {
    help: 'Maximum number of unacknowledged JetStream messages.',
  }),
}));

export const natsSpec = outputPlugin({
  name: 'nats',
  summary: 'Publishes events to NATS, optionally to a JetStream stream.',
  takesBytes: anyBytes,
  notes: [
    'Each event is one message. In `subject` and `headers`, `{generator}` is the name of the folder of the generator, and `{/json/pointer}` is a value of the event, which must be JSON. In subjects, white space, `.`, `*` and `>` of a value become `_`. Events without a value of `subject` or `msg_id`, or with an empty or nested one, are `unroutable`; a header that lacks one is left out. So are events whose line of subject, reply subject and sizes is over 4,096 bytes (`max_control_line` of the server), and those over its `max_payload`, headers included: the server would close the connection.',
    'With `jetstream: true`, a written event is stored in a stream: each message is acknowledged, and events without an acknowledgement are retried alone. A missing stream, a stream without space and a server without JetStream are retried; messages that the stream refuses and subjects that the user may not publish to are `rejected` at once.',
    'Delivery to JetStream is at least once, and exactly once within the duplicate window of the stream: `msg_id: auto` gives each event an id of its own that stays the same for its retries, up to 100,000 events in doubt. Ids of `auto` end with the process; `content` or a template also recognizes events that are made again after a restart. With `content`, equal events within the window are stored once.',
    'Core NATS (`jetstream: false`) acknowledges nothing. Spate waits until the server has processed a batch (PING and PONG), but the server drops messages without subscribers, messages to subscribers that are too slow, and what it has not sent when it stops. If a connection breaks, the unconfirmed part of a batch is sent again and may be duplicated.',
    'There is one connection. Nothing is buffered while it is down: writes fail at once and connect again with their next attempt.',
    'Set one of `username`, `token`, `nkey` and `credentials_file`. Certificates, keys and credentials are files, relative to the folder of the generator. TLS is used if the server requires it.',
  ],
  fields: natsFields,
  rules: [
    certificateWithKey,
    {
      fields: ['username', 'password'],
      check: ({ username, password }) =>
        username === null && password !== ''
          ? { at: 'username', type: 'missing', message: 'is required: `password` needs it' }
          : null,
    },
    {
      fields: ['username', 'token', 'nkey', 'credentials_file'],
      check: ({ username, token, nkey, credentials_file }) =>
        [username, token, nkey, credentials_file].filter((value) => value !== null).length > 1
          ? {
              at: '',
              type: 'not_allowed',
              message: 'has more than one of `username`, `token`, `nkey` and `credentials_file`',
              hint: 'Keep one.',
            }
          : null,
    },
  ],
  examples: [
    {
      title: 'JetStream',
      params: { servers: ['nats://localhost:4222'], subject: 'events.web', jetstream: true },
    },
    {
      title: 'A subject per host, ids from the events, password from the keyring',
      params: {
        servers: ['tls://nats-1.example.org:4222', 'tls://nats-2.example.org:4222'],
        subject: 'logs.{/host}',
        jetstream: true,
        msg_id: '{/id}',
        headers: { source: '{generator}' },
        username: 'writer',
        password: '${secrets.nats_password}',
      },
    },
  ],
});
