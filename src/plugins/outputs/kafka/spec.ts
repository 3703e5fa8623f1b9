import {
  boolean,
  defaulted,
  givenTogether,
  integer,
  lazily,
  listOf,
  mapOf,
  oneOf,
  optional,
  path,
  required,
  text,
} from '../../../schema/index.js';
import { outputPlugin } from '../../declare.js';
import { eventText } from '../../shared/text/field.js';
import { constantMisfit, LIMITS } from '../../shared/text/limits.js';
import { utf8Only } from '../shared/fields.js';
import type { KafkaAddress } from './protocol/requests.js';

/** Defaults of the API document; no other value is taken. */
const TRANSACTION_TIMEOUT_MS = 60_000;
const KERBEROS_SERVICE = 'kafka';

const DEFAULT_PORT = 9_092;
const SERVER = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s/?#@[\]:]+))(?::(\d{1,5}))?$/;

/** Reads `host`, `host:port` or `[IPv6]:port`. Returns null when it is none of these. */
export const kafkaServerOf = (text: string): KafkaAddress | null => {
  const [, v6, name, digits] = SERVER.exec(text) ?? [];
  const host = v6 ?? name;
  const port = digits === undefined ? DEFAULT_PORT : Number(digits);
  return host === undefined || port < 1 || port > 65_535 ? null : { host, port };
};

const nonEmpty = text({ minLength: 1 });
const topic = text({ minLength: 1, check: constantMisfit(LIMITS['kafka.topic']) });
const atLeast = (min: number) => integer({ min, max: 2_147_483_647 });

const server = text({
  minLength: 1,
  check: (value) =>
    kafkaServerOf(value) === null
      ? { type: 'bad_format', message: 'must be host:port', hint: 'For example kafka-1:9092.' }
      : null,
});

const eventField = eventText({ allowed: ['pointer', 'generator'] });

export const kafkaFields = lazily(() => ({
  bootstrap_servers: required(listOf(server, { min: 1 }), {
    help: 'Brokers to ask for the others.',
    example: ['localhost:9092'],
  }),
  topic: required(topic, { help: 'Topic to write to.', example: 'events' }),
  key: optional(eventField, {
    help: 'Key of the messages. `{/json/pointer}` and `{generator}` are replaced.',
    example: '{/user/id}',
  }),
  headers: defaulted(
    mapOf(eventField),
    {},
    {
      help: 'Headers of the messages. `{/json/pointer}` and `{generator}` are replaced in values.',
      example: { source: '{generator}', user: '{/user/id}' },
      extension: true,
    },
  ),
  partitioner: defaulted(oneOf(['hash', 'sticky', 'round_robin', 'fixed']), 'hash', {
    help: 'Choice of the partition: `hash` of the key as in the Java client, `sticky` without a key.',
    extension: true,
  }),
  partition: optional(atLeast(0), { help: 'Partition for `partitioner: fixed`.', extension: true }),
  encoding: defaulted(nonEmpty, 'utf-8', { help: 'Encoding of values and keys.' }),
  client_id: optional(nonEmpty, { help: 'Name of the client for the brokers. Default: spate.' }),
  acks: defaulted(integer({ min: -1, max: 1 }), 1, {
    help: 'Acknowledgement to wait for: 0 none, 1 the leader, -1 all replicas in sync.',
  }),
  enable_idempotence: defaulted(boolean(), false, {
    help: 'Keeps retries of a lost reply from making duplicates. Needs `acks: -1`.',
  }),
  compression_type: optional(oneOf(['gzip', 'snappy', 'lz4', 'zstd']), {
    help: 'Compression of batches: gzip, or zstd with Node.js 22.15 or later.',
  }),
  max_batch_size: defaulted(atLeast(1), 16_384, {
    help: 'Size of a record batch of one partition, before compression.',
    unit: 'bytes',
  }),
  max_request_size: defaulted(atLeast(1), 1_048_576, {
    help: 'Size of a request, and of the largest event.',
    unit: 'bytes',
  }),
  linger_ms: defaulted(atLeast(0), 0, {
    help: 'A warning if above 0: `batch.delay` of the generator collects events.',
    unit: 'milliseconds',
  }),
  request_timeout_ms: defaulted(atLeast(1), 40_000, {
    help: 'Timeout for connections and replies.',
    unit: 'milliseconds',
  }),
  retry_backoff_ms: defaulted(atLeast(0), 100, {
    help: 'Pause before a write tries again with new metadata.',
    unit: 'milliseconds',
  }),
  metadata_max_age_ms: defaulted(atLeast(0), 300_000, {
    help: 'Age after which brokers and partitions are read again.',
    unit: 'milliseconds',
  }),
  connections_max_idle_ms: defaulted(atLeast(0), 540_000, {
    help: 'Idle time after which a connection is replaced; 0: never.',
    unit: 'milliseconds',
  }),
  transactional_id: optional(nonEmpty, { help: 'Not supported: a config with it is rejected.' }),
  transaction_timeout_ms: defaulted(atLeast(1), TRANSACTION_TIMEOUT_MS, {
    help: 'Not supported: a config with another value is rejected.',
    unit: 'milliseconds',
  }),
  security_protocol: defaulted(oneOf(['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL']), 'PLAINTEXT', {
    help: 'TLS and login of the connections.',
  }),
  sasl_mechanism: optional(oneOf(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512']), {
    help: 'Kind of login. Default: PLAIN.',
  }),
  sasl_plain_username: optional(nonEmpty, { help: 'User of the login.' }),
  sasl_plain_password: optional(text(), { help: 'Password of the login.', secret: true }),
  sasl_kerberos_service_name: defaulted(text(), KERBEROS_SERVICE, {
    help: 'Not supported: a config with another value is rejected.',
  }),
  sasl_kerberos_domain_name: optional(text(), { help: 'Not supported: a config with it is rejected.' }),
  ssl_cafile: optional(path(), { help: 'Certificates of trusted authorities, PEM file.', reads: 'file' }),
  ssl_certfile: optional(path(), { help: 'Client certificate, PEM file.', reads: 'file' }),
  ssl_keyfile: optional(path(), { help: 'Key of `ssl_certfile`, PEM file.', reads: 'file' }),
}));

export const kafkaSpec = outputPlugin({
  name: 'kafka',
  summary: 'Writes events to a Kafka topic.',
  formatter: 'json',
  takesBytes: { fields: ['encoding'], whyNot: utf8Only },
  notes: [
    'Each event is one message. A write ends when the brokers have acknowledged all of its messages. Opening connects, logs in and reads the partitions of the topic; brokers that create topics create it then.',
    'Delivery is at least once with `acks: 1` and `-1`: if a reply is lost, the messages are sent again and may be duplicated. With `acks: 1`, a leader that fails before its replicas have copied a message loses it: use `-1` where that matters. With `acks: 0` there are no replies: messages are lost unseen when a connection breaks or a broker rejects them.',
    '`enable_idempotence` sends a batch again under its sequence numbers when a reply is lost, up to three times in a write, so the broker keeps one copy. If the write then fails, or `write_timeout` ends it, the retry of the generator may duplicate its messages. Writes go one after the other.',
    'Partitions succeed and fail on their own: only the messages of a failed one are retried or rejected. An event above `max_request_size` is `unroutable`; a batch that is too large for the topic is halved until it fits.',
    'A moved leader costs no event: the write reads the metadata and tries again, up to three times with `retry_backoff_ms` between.',
    'A message whose event lacks a value of `key` has no key; a header that lacks one is left out. Objects and lists become JSON.',
    '`hash` puts equal keys in the partition that the Java client chooses (murmur2). Without a key, and with `sticky`, a partition gets `max_batch_size` bytes before the next one has its turn. `round_robin` changes the partition with every event.',
    'Raise `max_batch_size` for throughput and better compression: each partition gets one record batch per request.',
    '`snappy` and `lz4` need native libraries that Spate does not include; they are rejected. Transactions are not supported.',
    "The generator's `write_timeout` ends longer attempts, regardless of `request_timeout_ms`: raise both.",
    'Certificates and keys are PEM files, relative to the folder of the generator. The certificate of a broker is always verified with SSL and SASL_SSL. Brokers must be Kafka 0.11 or later.',
  ],
  fields: kafkaFields,
  rules: [
    {
      fields: ['enable_idempotence', 'acks'],
      check: ({ enable_idempotence, acks }) =>
        enable_idempotence && acks !== -1
          ? {
              at: 'acks',
              type: 'not_allowed',
              message: 'must be -1 with `enable_idempotence`',
              hint: 'Set `acks: -1`, or remove `enable_idempotence`.',
            }
          : null,
    },
    {
      fields: ['transactional_id'],
      check: ({ transactional_id }) =>
        transactional_id === null
          ? null
          : {
              at: 'transactional_id',
              type: 'not_allowed',
              message: 'is not supported: Spate starts no transactions',
              hint: 'Remove it. `enable_idempotence` with `acks: -1` avoids duplicates of lost replies.',
            },
    },
    {
      fields: ['transaction_timeout_ms'],
      check: ({ transaction_timeout_ms }) =>
        transaction_timeout_ms === TRANSACTION_TIMEOUT_MS
          ? null
          : {
              at: 'transaction_timeout_ms',
              type: 'not_allowed',
              message: 'is not supported: Spate starts no transactions',
              hint: 'Remove it.',
            },
    },
    {
      fields: ['sasl_kerberos_service_name', 'sasl_kerberos_domain_name'],
      check: ({ sasl_kerberos_service_name, sasl_kerberos_domain_name }) =>
        sasl_kerberos_service_name === KERBEROS_SERVICE && sasl_kerberos_domain_name === null
          ? null
          : {
              at:
                sasl_kerberos_domain_name === null
                  ? 'sasl_kerberos_service_name'
                  : 'sasl_kerberos_domain_name',
              type: 'not_allowed',
              message: 'is not supported: Spate has no login with Kerberos',
              hint: 'Remove it, and set `sasl_mechanism` with a user and a password.',
            },
    },
    {
      fields: ['compression_type'],
      check: ({ compression_type }) =>
        compression_type === 'snappy' || compression_type === 'lz4'
          ? {
              at: 'compression_type',
              type: 'not_allowed',
              message: `${compression_type} needs a native library that Spate does not include`,
              hint: 'Use gzip, or zstd with Node.js 22.15 or later.',
            }
          : null,
    },
    {
      fields: ['partitioner', 'partition'],
      check: ({ partitioner, partition }) => {
        if (partitioner === 'fixed' && partition === null) {
          return { at: 'partition', type: 'missing', message: 'is required with `partitioner: fixed`' };
        }
        return partitioner !== 'fixed' && partition !== null
          ? { at: 'partition', type: 'not_allowed', message: 'needs `partitioner: fixed`' }
          : null;
      },
    },
    {
      fields: ['security_protocol', 'sasl_plain_username'],
      check: ({ security_protocol, sasl_plain_username }) =>
        security_protocol.startsWith('SASL_') && sasl_plain_username === null
          ? { at: 'sasl_plain_username', type: 'missing', message: `is required with ${security_protocol}` }
          : null,
    },
    givenTogether('sasl_plain_username', 'sasl_plain_password', {
      message: 'is required: set user and password together',
    }),
    givenTogether('ssl_certfile', 'ssl_keyfile', {
      message: 'is required: set certificate and key together',
    }),
  ],
  examples: [
    { title: 'Minimal', params: { bootstrap_servers: ['localhost:9092'], topic: 'events' } },
    {
      title: 'Keys from the event, all replicas, no duplicates of lost replies',
      params: {
        bootstrap_servers: ['kafka-1:9092', 'kafka-2:9092'],
        topic: 'events',
        key: '{/user/id}',
        headers: { source: '{generator}', level: '{/level}' },
        acks: -1,
        enable_idempotence: true,
        compression_type: 'gzip',
        max_batch_size: 262_144,
      },
    },
    {
      title: 'TLS and SCRAM, password from the keyring',
      params: {
        bootstrap_servers: ['kafka-1:9094'],
        topic: 'events',
        acks: -1,
        security_protocol: 'SASL_SSL',
        sasl_mechanism: 'SCRAM-SHA-512',
        sasl_plain_username: 'writer',
        sasl_plain_password: '${secrets.kafka_password}',
        ssl_cafile: 'ca.pem',
      },
    },
  ],
});
