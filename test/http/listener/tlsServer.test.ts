import { once } from 'node:events';
import { type Agent, Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../src/adapters/files/files.js';
import { systemClock } from '../../../src/adapters/systemClock.js';
import type { Auth } from '../../../src/http/access/auth.js';
import { loadTls, type SslSettings, type Tls } from '../../../src/http/listener/tls.js';
import { hasPrograms, needs } from '../../support/programs.js';
import {
  AUTHORITY,
  type CertificateFolder,
  CLIENT,
  certificateFolder,
  SERVER,
} from '../../support/servers/certificates.js';
import { oneUser, sendRaw, startServer, type TestServer } from '../support.js';

const AUTH: Auth = oneUser('ann', 'pw');
const RIGHT = { authorization: `Basic ${Buffer.from('ann:pw').toString('base64')}` };

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const running: TestServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ server }) => server.stop(1_000)));
});

(hasPrograms('openssl') ? describe : describe.skip)(`HTTPS ${needs('openssl')}`, () => {
  let files: CertificateFolder;
  beforeAll(() => {
    files = certificateFolder();
    files.make('ca', { by: null, extensions: AUTHORITY });
    files.make('foreign', { by: null, extensions: AUTHORITY });
    files.make('server', { extensions: SERVER });
    files.make('client', { extensions: CLIENT });
    files.make('over', { extensions: CLIENT, days: -1 });
    files.make('stranger', { by: 'foreign', extensions: CLIENT });
    files.make('selfmade', { by: null, extensions: CLIENT });
    files.make('wrong-use', { extensions: SERVER });
  });
  afterAll(() => files.remove());

  const tlsOf = async (verify_mode: SslSettings['verify_mode']): Promise<Tls> => {
    const [ca_cert, cert, cert_key] = ['ca.pem', 'server.pem', 'server.key'].map(files.path) as [
      string,
      string,
      string,
    ];
    const tls = await loadTls(
      { enabled: true, verify_mode, ca_cert, cert, cert_key },
      nodeFiles,
      systemClock,
    );
    if (E.isLeft(tls) || tls.right === null) throw new Error(JSON.stringify(tls));
    return tls.right;
  };
  const start = async (
    verify_mode: SslSettings['verify_mode'] = null,
    config: Parameters<typeof startServer>[0] = {},
  ): Promise<TestServer> => {
    const server = await startServer({ tls: await tlsOf(verify_mode), ...config });
    running.push(server);
    return server;
  };

  const shown = (name: string | null) =>
    name === null ? {} : { cert: files.text(`${name}.pem`), key: files.text(`${name}.key`) };

  const ask = (
    port: number,
    path: string,
    {
      agent,
      client = null,
      ...more
    }: { agent?: Agent; client?: string | null } & ConnectionOptions & {
        method?: string;
        headers?: Record<string, string>;
      } = {},
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const request = httpsRequest(
        {
          ...{ host: '127.0.0.1', port, path, agent: agent ?? false, ca: files.text('ca.pem') },
          ...shown(client),
          ...more,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      request.on('error', reject);
      request.end();
    });

  const handshake = async (port: number, options: ConnectionOptions): Promise<TLSSocket> => {
    const socket = connect({ port, host: '127.0.0.1', ca: files.text('ca.pem'), ...options });
    await once(socket, 'secureConnect');
    return socket;
  };

  describe('the service', () => {
    test('answers over TLS, and says that it is to stay so', async () => {
      const { port } = await start();
      const remote = { headers: { host: 'spate.example' }, checkServerIdentity: () => undefined };
      const answer = await ask(port, '/api/health', remote);
      expect(answer).toMatchObject({
        status: 403,
        headers: { 'strict-transport-security': 'max-age=15552000' },
      });
      const local = await ask(port, '/api/health');
      expect(local.status).toBe(200);
      expect(local.headers).not.toHaveProperty('strict-transport-security');
    });

    test('sets cookies that never leave TLS', async () => {
      const { port } = await start(null, { auth: AUTH });
      const { headers } = await ask(port, '/api/auth/login', { method: 'POST', headers: RIGHT });
      expect(headers['set-cookie']).toEqual([expect.stringMatching(/; HttpOnly; SameSite=Lax; Secure$/)]);
    });

    test('takes changes of pages that came over TLS only', async () => {
      const { port } = await start(null, { auth: AUTH });
      const from = (origin: string) =>
        ask(port, '/api/generators/g/start', { method: 'POST', headers: { ...RIGHT, origin } });
      expect((await from(`https://127.0.0.1:${port}`)).status).toBe(200);
      expect((await from(`http://127.0.0.1:${port}`)).status).toBe(403);
    });

    test.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s', async (version) => {
      const socket = await handshake((await start()).port, { minVersion: version, maxVersion: version });
      expect(socket.getProtocol()).toBe(version);
      socket.destroy();
    });

    test.each<[string, ConnectionOptions]>([
      ['TLS 1.1', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }],
      ['a cipher without forward secrecy', { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' }],
      [
        'a cipher without authentication of what it hides',
        { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' },
      ],
    ])('does not speak %s', async (_name, options) => {
      await expect(handshake((await start()).port, options)).rejects.toThrow(/alert|protocol|handshake/i);
    });

    test('negotiates nothing anew', async () => {
      const { port } = await start();
      const socket = await handshake(port, { maxVersion: 'TLSv1.2' });
      const refused = new Promise<Error | null>((resolve) => {
        socket.on('error', resolve);
        socket.renegotiate({}, resolve);
      });
      expect(await refused).toMatchObject({ message: expect.stringMatching(/renegotiation/i) });
      socket.destroy();
    });

    test('goes on with a session of before', async () => {
      const { port } = await start('required');
      const agent = new HttpsAgent({ keepAlive: false, maxCachedSessions: 10 });
      for (let i = 0; i < 3; i++)
        expect((await ask(port, '/api/health', { agent, client: 'client' })).status).toBe(200);
      agent.destroy();
    });
  });

  test('a wish for another protocol is passed over, and the connection serves on', async () => {
    const { port, owner } = await start('required', { upgrade: (_request, socket) => void socket.destroy() });
    const agent = new HttpsAgent({ keepAlive: true, maxSockets: 1 });
    const headers = { Connection: 'Upgrade', Upgrade: 'h2c' };
    for (const more of [{ headers }, {}, { headers }])
      expect((await ask(port, '/api/health', { agent, client: 'client', ...more })).status).toBe(200);
    expect((await ask(port, '/api/health', { headers })).status).toBe(403);
    expect(owner.asked).toHaveLength(3);
    agent.destroy();
  });

  describe('a client that forgot the s of https', () => {
    test('is told so', async () => {
      const { port } = await start();
      const answer = await sendRaw(port, 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({ detail: expect.stringContaining('https://') });
      expect(answer.head).not.toMatch(/strict-transport/i);
    });

    test('reaches no route with any request', async () => {
      const { port, owner } = await start(null, { auth: AUTH });
      const headers = `Authorization: ${RIGHT.authorization}`;
      await sendRaw(port, `POST /api/generators/g/start HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`);
      expect(owner.asked).toEqual([]);
    });
  });

  describe('client certificates', () => {
    test.each<[SslSettings['verify_mode'], string | null, number]>([
      ['none', null, 200],
      ['none', 'stranger', 200],
      ['optional', null, 200],
      ['optional', 'client', 200],
      ['required', 'client', 200],
    ])('%s: %s is served', async (mode, client, status) => {
      const { port } = await start(mode);
      expect((await ask(port, '/api/health', { client })).status).toBe(status);
    });

    test.each<[SslSettings['verify_mode'], string | null, RegExp]>([
      ['required', null, /client certificate is required/],
      ['required', 'stranger', /not signed by an authority of this service/],
      ['required', 'selfmade', /not signed by an authority of this service/],
      ['required', 'over', /it has expired/],
      ['required', 'wrong-use', /not meant for clients/],
      ['optional', 'stranger', /not signed by an authority of this service/],
      ['optional', 'over', /it has expired/],
    ])('%s: %s is refused with the reason, and logged', async (mode, client, reason) => {
      for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
        const { port, owner, log } = await start(mode);
        const answer = await ask(port, '/api/generators/', { client, maxVersion });
        expect([answer.status, JSON.parse(answer.body)]).toEqual([
          403,
          { detail: expect.stringMatching(reason), code: 'forbidden' },
        ]);
        expect(answer.headers).toMatchObject({ connection: 'close' });
        expect(owner.asked).toEqual([]);
        expect(log.lines).toEqual([{ level: 'warning', message: expect.stringMatching(reason) }]);
      }
    });

    test('required: without one nothing is served, health and logout neither', async () => {
      const { port } = await start('required', { auth: AUTH });
      for (const [method, path] of [
        ['GET', '/api/health'],
        ['POST', '/api/auth/logout'],
        ['GET', '/'],
        ['GET', '/x'],
      ] as const)
        expect((await ask(port, path, { method, headers: RIGHT })).status).toBe(403);
    });

    test('do not stand for credentials', async () => {
      const { port } = await start('required', { auth: AUTH });
      expect((await ask(port, '/api/generators/', { client: 'client' })).status).toBe(401);
      expect((await ask(port, '/api/generators/', { client: 'client', headers: RIGHT })).status).toBe(200);
    });

    test('that were refused are refused again when the TLS session goes on', async () => {
      const { port } = await start('required');
      const agent = new HttpsAgent({ keepAlive: false, maxCachedSessions: 10 });
      for (const maxVersion of ['TLSv1.2', 'TLSv1.2', 'TLSv1.3', 'TLSv1.3'] as const)
        expect((await ask(port, '/api/health', { agent, client: 'stranger', maxVersion })).status).toBe(403);
      agent.destroy();
    });

    test('are asked for before a connection is taken over, too', async () => {
      const { port } = await start('required', {
        upgrade: (_request, socket) => void socket.end('HTTP/1.1 101 x\r\n\r\n'),
      });
      const headers = { Connection: 'Upgrade', Upgrade: 'websocket' };
      expect((await ask(port, '/', { headers })).status).toBe(403);
    });
  });

  describe('slow and many clients', () => {
    const limits = {
      handshake_timeout_ms: 50,
      headers_timeout_ms: 50,
      request_timeout_ms: 50,
      check_interval_ms: 10,
    };

    test.each([
      ['sends nothing', ''],
      ['begins a handshake and stops', '\x16\x03\x01\x00\xfa\x01\x00\x00\xf6\x03\x03'],
    ])('one that %s is cut', async (_name, bytes) => {
      const { port } = await start(null, { limits });
      const socket = connectPlain(port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')));
      socket.on('error', () => {});
      socket.resume();
      await once(socket, 'close');
    });

    test('one that sends a handshake byte by byte is cut', async () => {
      const { port } = await start(null, { limits });
      const socket = connectPlain(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.resume();
      socket.write(Buffer.from('16030100fa010000f60303', 'hex'));
      // One byte a turn, far fewer than the message has in the time that it gets.
      for (let sent = 0; !socket.closed && sent < 240; sent++) {
        socket.write(Buffer.alloc(1));
        await systemClock.sleepMs(10, new AbortController().signal);
      }
      expect(socket.closed).toBe(true);
    });

    test('one that shakes hands and then sends nothing is cut', async () => {
      const { handshake_timeout_ms: _asByDefault, ...slow } = limits;
      const { port } = await start(null, { limits: slow });
      const socket = await handshake(port, {});
      socket.resume();
      await once(socket, 'close');
    });

    test('silent ones make room for others when all are in use', async () => {
      const { port } = await start(null, { limits: { max_connections: 2, reserved_connections: 0 } });
      const open = [await handshake(port, {}), await handshake(port, {})];
      for (const socket of open) socket.resume();
      for (const socket of open) socket.on('error', () => undefined);
      // A reset is a close, too.
      const closed = new Promise((resolve) => {
        for (const socket of open) socket.on('close', resolve);
      });
      const third = await handshake(port, {});
      await closed;
      expect([...open, third].filter((socket) => socket.closed)).toHaveLength(1);
      third.destroy();
      for (const socket of open) socket.destroy();
    });

    test('handshakes under way do not hold up the stop', async () => {
      const served = await startServer({ tls: await tlsOf(null) });
      const socket = connectPlain(served.port, '127.0.0.1', () => socket.write(Buffer.from([0x16, 3, 1])));
      socket.on('error', () => {});
      socket.resume();
      const established = await handshake(served.port, {});
      established.resume();
      const closed = Promise.all([once(socket, 'close'), once(established, 'close')]);
      await served.server.stop(60_000);
      await closed;
    });
  });
});

test('passwords over plain HTTP to other machines are spoken of at the start', async () => {
  for (const [host, auth, lines] of [
    ['0.0.0.0', AUTH, 1],
    ['127.0.0.1', AUTH, 0],
    ['localhost', AUTH, 0],
    ['0.0.0.0', { kind: 'none', isRemoteAllowed: false }, 0],
  ] as const) {
    const { server, log } = await startServer({ host, auth });
    await server.stop(1_000);
    expect(log.lines.map(({ message }) => message)).toEqual(
      Array(lines).fill(expect.stringContaining('plain HTTP')),
    );
  }
});
