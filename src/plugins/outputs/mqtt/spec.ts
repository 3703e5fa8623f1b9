import { hostPort } from '../../../domain/text/shown.js';
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
import { constantMisfit, LIMITS } from '../../shared/text/limits.js';
import { brokerTimeouts, serverUrl } from '../shared/brokers/fields.js';
import { anyBytes, certificateWithKey, hostText, tlsFields } from '../shared/fields.js';

/** Address of an MQTT broker. */
interface BrokerAddress {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

const PLAIN_PORT = 1883;
const TLS_PORT = 8883;

/** Reads `mqtt://host:port` or `mqtts://host:port`. Returns null when it is neither. */
export const addressOfUrl = (text: string): BrokerAddress | null => {
  const read = serverUrl(text, ['mqtt:', 'mqtts:']);
  if (read === null) return null;
  const isTls = read.protocol === 'mqtts:';
  return { host: read.host, port: read.port ?? (isTls ? TLS_PORT : PLAIN_PORT), isTls };
};

export const brokerAddressOf = (params: {
  readonly url: string | null;
  readonly host: string | null;
  readonly port: number | null;
  readonly tls: boolean;
}): BrokerAddress => {
  const { url, host, port, tls } = params;
  const read = url === null ? null : addressOfUrl(url);
  return read ?? { host: host ?? 'localhost', port: port ?? (tls ? TLS_PORT : PLAIN_PORT), isTls: tls };
};

export const hostNameOf = (address: BrokerAddress): string =>
  `mqtt${address.isTls ? 's' : ''}://${hostPort(address)}`;

const urlDefect = (text: string) =>
  addressOfUrl(text) === null
    ? {
        type: 'bad_format' as const,
        message: 'must be mqtt://host:port or mqtts://host:port',
        hint: 'Set `username` and `password` for a user.',
      }
    : null;

const nonEmpty = text({ minLength: 1 });

const topic = eventText({
  allowed: ['pointer', 'generator'],
  minLength: 1,
  check: (sample) =>
    /[+#\0]/.test(sample)
      ? { type: 'bad_format', message: 'must be a topic without the wildcards + and #' }
      : constantMisfit(LIMITS['mqtt.topic'])(sample),
});

export const mqttFields = lazily(() => ({
  url: optional(text({ label: 'URL (mqtt, mqtts)', minLength: 1, check: urlDefect }), {
    help: 'Broker: `mqtt://host:port`, or `mqtts://host:port` for TLS. Or set `host`.',
    example: 'mqtt://localhost:1883',
  }),
  host: optional(hostText(), { help: 'Name or address of the broker, without `url`.' }),
  port: optional(integer({ min: 1, max: 65_535 }), {
    help: 'Port of `host`. Default: 1883, with `tls` 8883.',
  }),
  tls: defaulted(boolean(), false, { help: 'Whether `host` speaks TLS.' }),
  topic: required(topic, {
    help: 'Topic. `{generator}` and `{/json/pointer}` are replaced.',
    example: 'events/{/host/name}',
  }),
  qos: defaulted(integer({ min: 0, max: 2 }), 1, { help: 'Quality of service.' }),
  retain: defaulted(boolean(), false, { help: 'The broker keeps the last event of each topic.' }),
  protocol_version: defaulted(oneOf(['3.1.1', '5']), '5', { help: 'Version of MQTT.' }),
  client_id: optional(text({ minLength: 1, maxLength: 65_535 }), {
    help: 'Client identifier. Default: a random one. Partitions add `-` and their index.',
  }),
  clean_session: defaulted(boolean(), true, {
    help: 'Start without the state of an earlier connection. `false` needs `client_id`.',
  }),
  username: optional(nonEmpty, { help: 'User.' }),
  password: optional(text(), { help: 'Password of the user.', secret: true }),
  keepalive: defaulted(integer({ min: 0, max: 65_535 }), 60, {
    help: 'Longest silence before a ping; 0: no pings.',
    unit: 'seconds',
  }),
  ...tlsFields,
  ...brokerTimeouts,
  max_in_flight: defaulted(integer({ min: 1, max: 65_535 }), 1_000, {
    help: 'Maximum number of unacknowledged messages. The broker may allow fewer.',
  }),
}));

export const mqttSpec = outputPlugin({
  name: 'mqtt',
  summary: 'Publishes events to an MQTT broker.',
  takesBytes: anyBytes,
  notes: [
    'Each event is one message. In `topic`, `{generator}` is the name of the folder of the generator, and `{/json/pointer}` is a value of the event, which must be JSON. White space stays; `/`, `+` and `#` of a value become `_`. Events without the value, or with an empty or nested one, are `unroutable`; so are topics over 65,535 bytes and topics with control characters, halves of surrogate pairs or non-characters, for which a broker closes the connection, and messages larger than the broker accepts.',
    'With `qos: 1` and `qos: 2`, a written event is acknowledged by the broker; events without an acknowledgement are retried alone. Delivery is at least once, also with `qos: 2`: an event in doubt when a connection breaks is sent again as a new message. What the broker keeps when it crashes is its own setting: Mosquitto keeps messages in memory and saves them at intervals and when it stops.',
    'With `qos: 0` nothing is acknowledged. Spate waits until the broker has read a batch (a ping and its answer); the broker may drop any of these messages without a word.',
    'MQTT 3.1.1 cannot refuse a message: a broker drops one that the user may not publish and acknowledges it, so such events count as written. MQTT 5 reports it, and they are `rejected`. A quota that is used up, and a busy broker, are retried. Brokers store nothing for a topic without subscribers, and acknowledge it.',
    'There is one connection. Nothing is buffered while it is down: writes fail at once and connect again with their next attempt. MQTT 5 brokers limit the messages in flight (Mosquitto: 20), which limits the rate; `protocol_version: 3.1.1` with `qos: 1` has no such limit, with `qos: 2` Spate sends at most 20.',
    'Certificates and keys are PEM files, relative to the folder of the generator.',
  ],
  fields: mqttFields,
  rules: [
    certificateWithKey,
    {
      fields: ['protocol_version', 'username', 'password'],
      check: ({ protocol_version, username, password }) =>
        protocol_version === '3.1.1' && username === null && password !== null
          ? { at: 'username', type: 'missing', message: 'is required: in MQTT 3.1.1 `password` needs it' }
          : null,
    },
    {
      fields: ['url', 'host', 'port', 'tls'],
      check: ({ url, host, port, tls }) => {
        if (url === null && host === null) {
          return { at: 'url', type: 'missing', message: 'is required', hint: 'Set `url`, or `host`.' };
        }
        return url !== null && (host !== null || port !== null || tls)
          ? {
              at: 'url',
              type: 'not_allowed',
              message: 'excludes `host`, `port` and `tls`',
              hint: 'Keep one.',
            }
          : null;
      },
    },
    {
      fields: ['clean_session', 'client_id', 'qos'],
      check: ({ clean_session, client_id, qos }) => {
        if (clean_session) return null;
        if (client_id === null) {
          return { at: 'client_id', type: 'missing', message: 'is required with `clean_session: false`' };
        }
        // The broker would take new messages for those of the session with the same packet ids.
        return qos === 2
          ? { at: 'clean_session', type: 'not_allowed', message: 'must be true with `qos: 2`' }
          : null;
      },
    },
  ],
  examples: [
    { title: 'Minimal', params: { url: 'mqtt://localhost:1883', topic: 'events' } },
    {
      title: 'A topic per host over TLS, password from the keyring',
      params: {
        url: 'mqtts://mqtt.example.org',
        topic: 'logs/{generator}/{/host}',
        client_id: 'spate-web',
        username: 'writer',
        password: '${secrets.mqtt_password}',
      },
    },
  ],
});
