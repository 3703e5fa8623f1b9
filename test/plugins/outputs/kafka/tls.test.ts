/** librdkafka's mock brokers know no TLS: the brokers of the tests stand behind Node's TLS server. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { hasPrograms, needs } from '../../../support/programs.js';
import {
  AUTHORITY,
  type CertificateFolder,
  CLIENT,
  certificateFolder,
  SERVER,
} from '../../../support/servers/certificates.js';
import { never } from '../support.js';
import { closeAll, newKafka, openOutput, tryOpen } from './support.js';

afterEach(closeAll);

(hasPrograms('openssl') ? describe : describe.skip)(`TLS ${needs('openssl')}`, () => {
  let files: CertificateFolder;

  beforeAll(() => {
    files = certificateFolder();
    files.make('ca', { by: null, extensions: AUTHORITY });
    files.make('server', { extensions: SERVER });
    files.make('named', { extensions: ['subjectAltName=DNS:kafka.example.org'] });
    files.make('client', { extensions: CLIENT });
  });
  afterAll(() => files.remove());

  const directory = (): string => files.path('.');
  const brokers = (name = 'server', more = {}) =>
    newKafka({
      brokers: 2,
      partitions: 2,
      tls: { cert: files.text(`${name}.pem`), key: files.text(`${name}.key`), ...more },
    });
  const SSL = { security_protocol: 'SSL', ssl_cafile: 'ca.pem', partitioner: 'round_robin' };

  test('a broker with its authority in ssl_cafile is trusted; the path is relative to the generator', async () => {
    const kafka = await brokers();
    const output = await openOutput(kafka, SSL, { directory: directory() });
    expect(await output.write(textBatch(['a', 'b']), never)).toMatchObject({ right: { written: 2 } });
    expect(kafka.messages).toHaveLength(2);
  });

  test('a broker that wants a certificate gets it, and a login goes through TLS', async () => {
    const kafka = await brokers('server', {
      ca: files.text('ca.pem'),
      requestCert: true,
      rejectUnauthorized: true,
    });
    kafka.user = { username: 'u', password: 'pass' };
    const login = { security_protocol: 'SASL_SSL', sasl_plain_username: 'u', sasl_plain_password: 'pass' };
    const params = { ...SSL, ...login, ssl_certfile: 'client.pem', ssl_keyfile: 'client.key' };
    const output = await openOutput(kafka, params, { directory: directory() });
    expect(await output.write(textBatch(['a', 'b']), never)).toMatchObject({ right: { written: 2 } });
    const { result } = await tryOpen(
      { bootstrap_servers: kafka.servers, ...SSL },
      { directory: directory() },
    );
    expect(result).toMatchObject({ left: { code: 'output_failed' } });
  });

  test.each<[string, string, JsonObject, RegExp]>([
    ['an unknown authority', 'server', { ssl_cafile: null }, /authority.*`ssl_cafile`/],
    ['another name', 'named', {}, /another name.*`bootstrap_servers`/],
  ])('a certificate of %s is refused', async (_, name, params, message) => {
    const kafka = await brokers(name);
    const { result } = await tryOpen(
      { bootstrap_servers: kafka.servers, ...SSL, ...params },
      { directory: directory() },
    );
    expect(result).toMatchObject({
      left: { code: 'output_failed', message: expect.stringMatching(message) },
    });
    expect(kafka.seen).toEqual([]);
  });

  test('a broker without TLS is found when opening', async () => {
    const kafka = await newKafka();
    kafka.verdict = () => null;
    const params = { bootstrap_servers: kafka.servers, ...SSL, request_timeout_ms: 300 };
    expect((await tryOpen(params, { directory: directory() })).result).toMatchObject({
      left: { code: 'output_failed' },
    });
  });

  test.each<[JsonObject, RegExp]>([
    [{ ssl_cafile: 'nope.pem' }, /does not exist. Correct `ssl_cafile`/],
    [{ ssl_cafile: 'ca.key' }, /not a certificate.*`ssl_cafile`/],
    [
      { ssl_certfile: 'client.pem', ssl_keyfile: 'server.key' },
      /belongs to `ssl_certfile`.*Correct `ssl_keyfile`/,
    ],
  ])('%j is named', async (params, message) => {
    const { result } = await tryOpen(
      { bootstrap_servers: ['127.0.0.1:1'], ...SSL, ...params },
      { directory: directory() },
    );
    expect(result).toMatchObject({ left: { message: expect.stringMatching(message) } });
  });
});
