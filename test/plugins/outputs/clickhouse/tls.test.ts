import * as fs from 'node:fs';
import type * as https from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { fakeClock } from '../../../support/clocks/fakeClock.js';
import { hasPrograms, needs } from '../../../support/programs.js';
import { never, newFolder, removeFolders } from '../support.js';
import { closeAll, fakeServer, makeCertificate, openOutput, silentServer, tryOpen } from './support.js';

afterEach(closeAll);
afterAll(removeFolders);

const HOST = { host: '127.0.0.1', table: 'events', protocol: 'https' };

(hasPrograms('openssl') ? describe : describe.skip)(`TLS ${needs('openssl')}`, () => {
  let folder: string;
  const file = (name: string): string => join(folder, name);

  beforeAll(() => {
    folder = newFolder();
    makeCertificate(folder, 'ca', null);
    makeCertificate(folder, 'server', 'IP:127.0.0.1');
    makeCertificate(folder, 'named', 'DNS:db.example.org');
    makeCertificate(folder, 'writer', 'DNS:writer');
  });

  const serverWith = (name: string, more: https.ServerOptions = {}) =>
    fakeServer(undefined, {
      cert: fs.readFileSync(file(`${name}.pem`)),
      key: fs.readFileSync(file(`${name}.key`)),
      ...more,
    });

  test('a server with its authority in ca_cert is trusted; the path is relative to the generator', async () => {
    const server = await serverWith('server');
    const output = await openOutput({ ...HOST, port: server.port, ca_cert: 'ca.pem' }, { directory: folder });
    for (const text of ['a', 'b']) {
      expect(await output.write(textBatch([text]), never)).toMatchObject({ right: { written: 1 } });
    }
    expect(server.connections()).toBe(1);
  });

  test.each<[string, string, JsonObject, RegExp]>([
    ['an authority that is not known', 'server', {}, /authority.*`ca_cert`/],
    ['another name', 'named', { ca_cert: 'ca.pem' }, /another name.*`server_host_name`/],
    [
      'another name than the one given',
      'named',
      { ca_cert: 'ca.pem', server_host_name: 'x.example.org' },
      /another name/,
    ],
  ])('a certificate with %s is refused with what to do', async (_, name, params, message) => {
    const server = await serverWith(name);
    const { result } = await tryOpen({ ...HOST, port: server.port, ...params }, { directory: folder });
    expect(result).toMatchObject({
      left: { code: 'output_failed', message: expect.stringMatching(message) },
    });
    expect(server.seen).toEqual([]);
  });

  test('verify: false takes any certificate', async () => {
    const server = await serverWith('named');
    await openOutput({ ...HOST, port: server.port, verify: false });
  });

  test('server_host_name is the name asked for and checked', async () => {
    const asked: (string | false | null | undefined)[] = [];
    const server = await serverWith('named', {
      SNICallback: (name, done) => {
        asked.push(name);
        done(null);
      },
    });
    const params = { ...HOST, port: server.port, ca_cert: 'ca.pem', server_host_name: 'db.example.org' };
    await openOutput(params, { directory: folder });
    expect(asked).toEqual(['db.example.org']);
  });

  test.each<[string, JsonObject]>([
    ['mutual', { 'x-clickhouse-user': 'writer', 'x-clickhouse-ssl-certificate-auth': 'on' }],
    ['proxy', { authorization: `Basic ${Buffer.from('writer:hush').toString('base64')}` }],
    ['strict', { authorization: `Basic ${Buffer.from('writer:hush').toString('base64')}` }],
  ])('tls_mode %s shows the client certificate and sends %j', async (tls_mode, expected) => {
    const names: string[] = [];
    const server = await fakeServer(
      (_, response) => {
        names.push(String((response.socket as TLSSocket).getPeerCertificate().subject.CN));
        response.end('1');
      },
      {
        cert: fs.readFileSync(file('server.pem')),
        key: fs.readFileSync(file('server.key')),
        ca: fs.readFileSync(file('ca.pem')),
        requestCert: true,
        rejectUnauthorized: true,
      },
    );
    const params = { ca_cert: 'ca.pem', client_cert: 'writer.pem', client_cert_key: 'writer.key' };
    const user = { username: 'writer', password: 'hush', tls_mode };
    await openOutput({ ...HOST, port: server.port, ...params, ...user }, { directory: folder });
    expect(names).toEqual(['writer']);
    const sent = Object.fromEntries(
      Object.entries(server.seen[0]?.headers ?? {}).filter(([name]) =>
        /^x-clickhouse|^authorization/.test(name),
      ),
    );
    expect(sent).toEqual(expected);
    expect(JSON.stringify(server.seen)).not.toContain('hush');
  });

  test('tls_mode mutual without a certificate uses the password and warns', async () => {
    const server = await serverWith('server');
    const params = { ...HOST, port: server.port, ca_cert: 'ca.pem', tls_mode: 'mutual', password: 'hush' };
    const { lines } = await tryOpen(params, { directory: folder });
    expect(server.seen[0]?.headers.authorization).toMatch(/^Basic /);
    expect(lines).toMatchObject([{ level: 'warning', message: expect.stringContaining('tls_mode') }]);
  });

  test.each<[string, JsonObject, string, RegExp]>([
    ['is missing', { ca_cert: 'nope.pem' }, 'unreadable', /nope\.pem: it does not exist. Correct `ca_cert`/],
    ['is a folder', { ca_cert: '.' }, 'unreadable', /it is a directory; .*Correct `ca_cert`/],
    ['is no certificate', { ca_cert: 'ca.key' }, 'plugin_failed', /ca\.key is not a certificate.*`ca_cert`/],
    [
      'is no key',
      { client_cert: 'writer.pem', client_cert_key: 'writer.pem' },
      'plugin_failed',
      /writer\.pem is not a key.*`client_cert_key`/,
    ],
    [
      'is the key of another certificate',
      { client_cert: 'writer.pem', client_cert_key: 'server.key' },
      'plugin_failed',
      /server\.key is not a key in PEM that belongs to `client_cert`/,
    ],
  ])('a file that %s is named', async (_, params, code, message) => {
    const { result } = await tryOpen({ ...HOST, ...params }, { directory: folder });
    expect(result).toMatchObject({ left: { code, message: expect.stringMatching(message) } });
  });

  test('a server that wants a client certificate says so', async () => {
    const server = await serverWith('server', {
      ca: fs.readFileSync(file('ca.pem')),
      requestCert: true,
      rejectUnauthorized: true,
    });
    const params = { ...HOST, port: server.port, ca_cert: 'ca.pem' };
    const { result } = await tryOpen(params, { directory: folder });
    expect(result).toMatchObject({
      left: { message: expect.stringMatching(/client certificate.*`client_cert`/) },
    });
  });

  test('a server that speaks no TLS is found when opening', async () => {
    const server = await fakeServer();
    const { result } = await tryOpen({ ...HOST, port: server.port });
    expect(result).toMatchObject({
      left: {
        code: 'output_failed',
        message: expect.stringMatching(/TLS failed: wrong version number.*`protocol`/),
      },
    });
  });
});

test('a server that takes a connection and begins no TLS is given up after connect_timeout', async () => {
  const server = await silentServer();
  const clock = fakeClock();
  const opening = tryOpen({ ...HOST, port: server.port, connect_timeout: 3 }, { clock });
  await server.connected;
  await clock.advanceMs(3_000);
  expect((await opening).result).toMatchObject({
    left: { code: 'output_failed', message: expect.stringContaining('connect_timeout (3 s)') },
  });
});
