import * as fs from 'node:fs';
import * as http from 'node:http';
import * as net from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { fakeClock } from '../../../support/clocks/fakeClock.js';
import { hasPrograms, needs } from '../../../support/programs.js';
import { never, newFolder, removeFolders } from '../support.js';
import {
  closeAll,
  fakeServer,
  makeCertificate,
  onClose,
  openOutput,
  silentServer,
  tryOpen,
} from './support.js';

afterEach(closeAll);
afterAll(removeFolders);

const CREDENTIALS = `Basic ${Buffer.from('pu:p@ss').toString('base64')}`;

interface SeenConnect {
  readonly authority: string;
  readonly authorization: string | undefined;
}

/** A proxy that knows CONNECT only, and leads everything to `port`. */
const connectProxy = async (port: number, status = 200) => {
  const seen: SeenConnect[] = [];
  const sockets = new Set<net.Socket>();
  const server = http.createServer();
  server.on('connect', (request, client: net.Socket) => {
    seen.push({ authority: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    sockets.add(client);
    client.on('error', () => {});
    if (status !== 200) return void client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const upstream = net.connect({ host: '127.0.0.1', port });
    sockets.add(upstream);
    upstream.on('error', () => client.destroy());
    client.write('HTTP/1.1 200 OK\r\n\r\n');
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onClose(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return { seen, port: (server.address() as net.AddressInfo).port };
};

describe('http through a proxy', () => {
  test('asks the proxy for the whole address, with the credentials of both', async () => {
    const proxy = await fakeServer();
    const output = await openOutput({
      host: 'db.example.org',
      table: 'events',
      password: 'hush',
      proxy_url: `http://pu:p%40ss@127.0.0.1:${proxy.port}`,
    });
    for (const text of ['a', 'b']) await output.write(textBatch([text]), never);
    expect(proxy.seen).toHaveLength(3);
    for (const { url, headers } of proxy.seen) {
      expect(url).toMatch(/^http:\/\/db\.example\.org:8123\/\?/);
      expect(headers.host).toBe('db.example.org:8123');
      expect(headers['proxy-authorization']).toBe(CREDENTIALS);
      expect(headers.authorization).toBe(`Basic ${Buffer.from('default:hush').toString('base64')}`);
    }
    expect(proxy.inserts().map(({ body }) => body)).toEqual(['a', 'b']);
    expect(proxy.connections()).toBe(1);
  });

  test.each([
    [407, /HTTP status 407.*`proxy_url`/],
    [502, /HTTP status 502/],
  ])('a proxy that answers %i is reported without its password', async (status, message) => {
    const proxy = await fakeServer(
      ({ headers }, response) => void response.writeHead(status).end(`no: ${headers['proxy-authorization']}`),
    );
    const proxy_url = `http://pu:p%40ss@127.0.0.1:${proxy.port}`;
    const { result } = await tryOpen({ host: 'db.example.org', table: 'events', proxy_url });
    expect(result).toMatchObject({
      left: { code: 'output_failed', message: expect.stringMatching(message) },
    });
    expect(JSON.stringify(result)).not.toMatch(/p@ss|p%40ss/);
    expect(JSON.stringify(result)).not.toContain(CREDENTIALS.slice(6));
  });
});

(hasPrograms('openssl') ? describe : describe.skip)(`https through a proxy ${needs('openssl')}`, () => {
  const setUp = async (status = 200) => {
    const folder = newFolder();
    makeCertificate(folder, 'ca', null);
    makeCertificate(folder, 'server', 'DNS:db.example.org');
    const server = await fakeServer(undefined, {
      cert: fs.readFileSync(join(folder, 'server.pem')),
      key: fs.readFileSync(join(folder, 'server.key')),
    });
    const proxy = await connectProxy(server.port, status);
    const params = {
      host: 'db.example.org',
      port: 8443,
      protocol: 'https',
      table: 'events',
      ca_cert: 'ca.pem',
      proxy_url: `http://pu:p%40ss@127.0.0.1:${proxy.port}`,
    };
    return { server, proxy, params, folder };
  };

  test('goes through a tunnel, in which the certificate of the server is checked', async () => {
    const { server, proxy, params, folder } = await setUp();
    const output = await openOutput(params, { directory: folder });
    for (const text of ['a', 'b']) {
      expect(await output.write(textBatch([text]), never)).toMatchObject({ right: { written: 1 } });
    }
    expect(server.inserts().map(({ body }) => body)).toEqual(['a', 'b']);
    expect(server.seen[0]?.headers['proxy-authorization']).toBeUndefined();
    expect(proxy.seen).toEqual([{ authority: 'db.example.org:8443', authorization: CREDENTIALS }]);
    const { result } = await tryOpen({ ...params, host: 'other.example.org' }, { directory: folder });
    expect(result).toMatchObject({ left: { message: expect.stringContaining('another name') } });
  });

  test('a proxy that refuses to connect is named', async () => {
    const { params, folder } = await setUp(403);
    const { result } = await tryOpen(params, { directory: folder });
    expect(result).toMatchObject({
      left: { code: 'output_failed', message: expect.stringMatching(/the proxy refused.*HTTP status 403/) },
    });
  });
});

test('a proxy that does not answer is given up after connect_timeout', async () => {
  const proxy = await silentServer();
  const clock = fakeClock();
  const proxy_url = `http://127.0.0.1:${proxy.port}`;
  const params = {
    host: 'db.example.org',
    protocol: 'https',
    table: 'events',
    connect_timeout: 2,
    proxy_url,
  };
  const opening = tryOpen(params, { clock });
  await proxy.connected;
  await clock.advanceMs(2_000);
  expect((await opening).result).toMatchObject({ left: { code: 'output_failed' } });
});
