import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { outputShape } from '../../../../src/plugins/generatorShape.js';
import { kafkaServerOf } from '../../../../src/plugins/outputs/kafka/spec.js';
import { decode, maskSecrets, readBack } from '../../../../src/schema/index.js';

const SMALLEST = { bootstrap_servers: ['localhost:9092'], topic: 'events' };
const LOGIN = { sasl_plain_username: 'u', sasl_plain_password: 'p' };

const issuesOf = (params: unknown) => {
  const decoded = decode(outputShape, { kafka: params });
  return E.isLeft(decoded) ? decoded.left.map(({ path, type }) => `${path.join('.')} ${type}`) : [];
};

describe('the declaration of kafka', () => {
  test('the smallest config reads back with the defaults of the service API', () => {
    expect(readBack(outputShape, { kafka: SMALLEST })).toMatchObject({
      kafka: {
        ...SMALLEST,
        key: null,
        headers: {},
        partitioner: 'hash',
        partition: null,
        encoding: 'utf-8',
        client_id: null,
        acks: 1,
        enable_idempotence: false,
        compression_type: null,
        max_batch_size: 16_384,
        max_request_size: 1_048_576,
        linger_ms: 0,
        request_timeout_ms: 40_000,
        retry_backoff_ms: 100,
        metadata_max_age_ms: 300_000,
        connections_max_idle_ms: 540_000,
        transactional_id: null,
        transaction_timeout_ms: 60_000,
        security_protocol: 'PLAINTEXT',
        sasl_mechanism: null,
        sasl_plain_username: null,
        sasl_plain_password: null,
        sasl_kerberos_service_name: 'kafka',
        sasl_kerberos_domain_name: null,
        ssl_cafile: null,
        ssl_certfile: null,
        ssl_keyfile: null,
        formatter: { format: 'json', indent: 0 },
      },
    });
  });

  test.each([
    [{}],
    [{ acks: -1, enable_idempotence: true }],
    [{ acks: 0, compression_type: 'gzip', partitioner: 'fixed', partition: 3 }],
    [{ key: 'k{/a/b~1c}', headers: { a: '', h: '{/x/0}', g: '{generator}' } }],
    [{ security_protocol: 'SASL_SSL', sasl_mechanism: 'SCRAM-SHA-256', ...LOGIN, ssl_cafile: 'ca.pem' }],
    [{ bootstrap_servers: ['kafka', '[::1]:9093', 'a.b:1'] }],
  ])('%j is accepted', (more) => expect(issuesOf({ ...SMALLEST, ...more })).toEqual([]));

  test.each([
    [{ bootstrap_servers: [] }, 'bootstrap_servers too_short'],
    [{ bootstrap_servers: 'localhost:9092' }, 'bootstrap_servers wrong_type'],
    [{ bootstrap_servers: ['a', 'b:70000'] }, 'bootstrap_servers.1 bad_format'],
    [{ topic: '' }, 'topic too_short'],
    [{ acks: 2 }, 'acks out_of_range'],
    [{ acks: 'all' }, 'acks wrong_type'],
    [{ enable_idempotence: true }, 'acks not_allowed'],
    [{ enable_idempotence: true, acks: 0 }, 'acks not_allowed'],
    [{ transactional_id: 'mine' }, 'transactional_id not_allowed'],
    [{ compression_type: 'snappy' }, 'compression_type not_allowed'],
    [{ compression_type: 'lz4' }, 'compression_type not_allowed'],
    [{ compression_type: 'brotli' }, 'compression_type not_allowed'],
    [{ partitioner: 'fixed' }, 'partition missing'],
    [{ partition: 1 }, 'partition not_allowed'],
    [{ partitioner: 'random' }, 'partitioner not_allowed'],
    [{ key: '{user}' }, 'key bad_format'],
    [{ headers: { h: '{/a~2}' } }, 'headers.h bad_format'],
    [{ request_timeout_ms: 0 }, 'request_timeout_ms out_of_range'],
    [{ max_batch_size: 0 }, 'max_batch_size out_of_range'],
    [{ linger_ms: -1 }, 'linger_ms out_of_range'],
    [{ security_protocol: 'TLS' }, 'security_protocol not_allowed'],
    [{ security_protocol: 'SASL_PLAINTEXT' }, 'sasl_plain_username missing'],
    [{ sasl_mechanism: 'GSSAPI' }, 'sasl_mechanism not_allowed'],
    [{ sasl_plain_username: 'u' }, 'sasl_plain_password missing'],
    [{ sasl_plain_password: 'p' }, 'sasl_plain_username missing'],
    [{ ssl_certfile: 'c.pem' }, 'ssl_keyfile missing'],
    [{ ssl_keyfile: 'k.pem' }, 'ssl_certfile missing'],
    [{ transaction_timeout_ms: 1 }, 'transaction_timeout_ms not_allowed'],
    [{ sasl_kerberos_service_name: 'k' }, 'sasl_kerberos_service_name not_allowed'],
    [{ sasl_kerberos_domain_name: 'd' }, 'sasl_kerberos_domain_name not_allowed'],
    [{ topics: 't' }, 'topics unknown_key'],
  ])('%j is refused at its place', (wrong, issue) => {
    expect(issuesOf({ ...SMALLEST, ...wrong })).toEqual([`kafka.${issue}`]);
  });

  test('what is not supported says what to do', () => {
    const messages = [
      { transactional_id: 'x' },
      { compression_type: 'lz4' },
      { enable_idempotence: true },
    ].map((wrong) => {
      const decoded = decode(outputShape, { kafka: { ...SMALLEST, ...wrong } });
      return E.isLeft(decoded) ? decoded.left.map(({ message, hint }) => `${message}. ${hint}`).join() : '';
    });
    expect(messages).toEqual([
      expect.stringMatching(/starts no transactions.*Remove it/),
      expect.stringMatching(/lz4 needs a native library.*Use gzip/),
      expect.stringMatching(/must be -1.*Set `acks: -1`/),
    ]);
  });

  test('the password is masked where a config is shown', () => {
    const given = { ...SMALLEST, ...LOGIN, sasl_plain_password: 'hush' };
    expect(JSON.stringify(maskSecrets(outputShape, readBack(outputShape, { kafka: given })))).not.toContain(
      'hush',
    );
  });
});

test.each([
  ['kafka-1:9093', { host: 'kafka-1', port: 9_093 }],
  ['kafka', { host: 'kafka', port: 9_092 }],
  ['[::1]:1', { host: '::1', port: 1 }],
  ['::1', null],
  ['http://kafka:9092', null],
  ['kafka:0', null],
  ['kafka:x', null],
  [' kafka', null],
])('the server %j is %j', (text, expected) => expect(kafkaServerOf(text)).toEqual(expected));
