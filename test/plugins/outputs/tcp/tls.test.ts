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
import { startTcpSink } from '../../../support/servers/tcpSink.js';
import { never } from '../support.js';
import { closeAll, onClose, openOutput, tryOpen } from './support.js';

afterEach(closeAll);

(hasPrograms('openssl') ? describe : describe.skip)(`tcp over TLS ${needs('openssl')}`, () => {
  let made: CertificateFolder;
  let directory = '';

  beforeAll(() => {
    made = certificateFolder();
    directory = made.path('.');
    made.make('ca', { by: null, extensions: AUTHORITY });
    made.make('server', { extensions: SERVER });
    made.make('named', { extensions: ['subjectAltName=DNS:logs.example.org'] });
    made.make('writer', { extensions: CLIENT });
  });
  afterAll(() => made.remove());

  const sinkWith = async (name: string, more: object = {}) => {
    const sink = await startTcpSink({
      cert: made.text(`${name}.pem`),
      key: made.text(`${name}.key`),
      ...more,
    });
    onClose(sink.close);
    return sink;
  };

  test('a trusted server gets the events; paths are relative to the generator', async () => {
    const sink = await sinkWith('server');
    const { output } = await openOutput({ port: sink.port, ssl: true, ca_cert: 'ca.pem' }, { directory });
    expect(await output.write(textBatch(['a', 'b']), never)).toMatchObject({ right: { written: 2 } });
    await output.close();
    expect(sink.received().toString()).toBe('a\nb\n');
  });

  test.each<[string, string, JsonObject, RegExp]>([
    ['an unknown authority', 'server', {}, /authority.*`ca_cert`/],
    ['another name', 'named', { ca_cert: 'ca.pem' }, /another name.*`server_host_name`/],
  ])('a certificate with %s fails the start with what to do', async (_, name, params, message) => {
    const sink = await sinkWith(name);
    const { result } = await tryOpen({ port: sink.port, ssl: true, ...params }, { directory });
    expect(result).toMatchObject({
      left: { code: 'output_failed', message: expect.stringMatching(message) },
    });
    expect(sink.received()).toHaveLength(0);
  });

  test.each<[string, JsonObject]>([
    ['server_host_name names it', { ca_cert: 'ca.pem', server_host_name: 'logs.example.org' }],
    ['verify: false', { verify: false }],
  ])('a certificate with another name is taken with %s', async (_, params) => {
    const sink = await sinkWith('named');
    await openOutput({ port: sink.port, ssl: true, ...params }, { directory });
  });

  test('a server that wants a client certificate gets it', async () => {
    const sink = await sinkWith('server', { ca: made.text('ca.pem'), requestCert: true });
    const client = { client_cert: 'writer.pem', client_cert_key: 'writer.key' };
    const params = { port: sink.port, ssl: true, ca_cert: 'ca.pem' };
    const { output } = await openOutput({ ...params, ...client }, { directory });
    await output.write(textBatch(['a']), never);
    await output.close();
    expect(sink.received().toString()).toBe('a\n');
  });

  test('a server without TLS fails the start', async () => {
    const sink = await startTcpSink();
    onClose(sink.close);
    const params = { port: sink.port, ssl: true, connect_timeout: 1 };
    expect((await tryOpen(params, { directory })).result).toMatchObject({
      left: { code: 'output_failed', message: expect.stringContaining('connect_timeout (1 s)') },
    });
  });

  test('a file that is missing is named', async () => {
    const { result } = await tryOpen({ port: 9, ssl: true, ca_cert: 'nope.pem' }, { directory });
    expect(result).toMatchObject({
      left: { code: 'unreadable', message: expect.stringContaining('nope.pem') },
    });
  });
});
