import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, freePort, type Instance, makeInstance } from '../support/instance.js';

let instance: Instance;
let taken: Server;
let port: number;
beforeEach(async () => {
  taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  port = (taken.address() as { port: number }).port;
  instance = await makeInstance({ startup: '[]\n', generators: {} });
  await instance.start();
});
afterEach(async () => {
  await instance.remove();
  taken.close();
});

/** Each question has a connection of its own: one that is kept would be that of a listener that is gone. */
const healthAt = async (url: string): Promise<number | null> =>
  (await fetch(`${url}/health`, { headers: { connection: 'close' } }).catch(() => null))?.status ?? null;
const health = (): Promise<number | null> => healthAt(instance.url);
const uptime = async (): Promise<number> =>
  ((await instance.api('GET', '/health')).body as { uptime_seconds: number }).uptime_seconds;

const edit = async (from: RegExp, to: string): Promise<void> => {
  const file = join(instance.folder, 'spate.yml');
  const text = await readFile(file, 'utf8');
  expect(text).toMatch(from);
  await writeFile(file, text.replace(from, to));
};
const onPort = (next: number): Promise<void> => edit(/port: \d+/, `port: ${next}`);

/** Sends SIGHUP and waits for the message on standard error. */
const hangUp = async (saying: RegExp): Promise<string> => {
  const { child, stderr } = instance.program();
  const before = stderr().length;
  child.kill('SIGHUP');
  await eventually(async () => (saying.test(stderr().slice(before)) ? true : null), String(saying));
  return stderr().slice(before);
};

/** Settings that cannot listen, with the error. */
const BROKEN: readonly (readonly [string, () => Promise<void>, RegExp])[] = [
  ['a port that another program uses', () => onPort(port), /server\.port \(EADDRINUSE\)/],
  [
    'an address that this machine has not',
    () => edit(/host: [\d.]+/, 'host: 192.0.2.1'),
    /server\.host \(EADDRNOTAVAIL\)/,
  ],
  [
    'another port and such an address',
    async () => {
      await onPort(await freePort());
      await edit(/host: [\d.]+/, 'host: 192.0.2.1');
    },
    /server\.host \(EADDRNOTAVAIL\)/,
  ],
  [
    'certificates that are not there',
    () => edit(/port:/, 'ssl: {enabled: true, cert: no.pem, cert_key: no.key}, port:'),
    /server\.ssl\.cert/,
  ],
];

describe('settings that cannot listen', () => {
  test.each(BROKEN)(
    '%s: SIGHUP reports it, and the former listener continues',
    async (_name, breaks, reason) => {
      await breaks();
      const said = await hangUp(/not reloaded: .*/);
      expect(said).toMatch(reason);
      expect(await health()).toBe(200);
    },
  );

  test.each(BROKEN)(
    '%s: a restart is refused with the reason, and the instance goes on',
    async (_name, breaks, reason) => {
      const before = await uptime();
      await breaks();
      const answer = await instance.api('POST', '/instance/restart');
      expect(answer).toMatchObject({
        status: 409,
        body: { detail: expect.stringMatching(/^not restarted: /) },
      });
      expect((answer.body as { detail: string }).detail).toMatch(reason);
      expect(await uptime()).toBeGreaterThan(before);
    },
  );

  test('with other paths, which only a restart applies: the instance continues too', async () => {
    await onPort(port);
    await edit(/logs: logs/, 'logs: other-logs');
    expect(await hangUp(/not reloaded: .*/)).toMatch(/EADDRINUSE/);
    expect(await health()).toBe(200);
  });

  test('once the port is free, the same settings are applied', async () => {
    await onPort(port);
    await hangUp(/not reloaded/);
    taken.close();
    await hangUp(/listens on/);
    expect(await healthAt(`http://127.0.0.1:${port}/api`)).toBe(200);
    expect(await health()).toBeNull();
  });
});

describe('settings that can listen', () => {
  test('another port: a request in progress on the old one is answered, then only the new one listens', async () => {
    const next = await freePort();
    await onPort(next);
    const tail = await fetch(`${instance.url}/events`);
    await hangUp(/listens on/);
    expect(await healthAt(`http://127.0.0.1:${next}/api`)).toBe(200);
    await eventually(async () => ((await health()) === null ? true : null), 'the old port is let go');
    await tail.body?.cancel();
  });

  test('another host on the same port', async () => {
    await edit(/host: [\d.]+/, 'host: 0.0.0.0');
    await hangUp(/listens on/);
    expect(await health()).toBe(200);
    await edit(/host: [\d.]+/, 'host: 127.0.0.1');
    await hangUp(/listens on/);
    expect(await health()).toBe(200);
  });

  test('credentials on the same address', async () => {
    await edit(/port:/, 'auth: {user: ann, password: secret-word}, port:');
    await hangUp(/listens on/);
    expect((await fetch(`${instance.url}/generators/`)).status).toBe(401);
  });

  test('a restart on another port listens there', async () => {
    const next = await freePort();
    await onPort(next);
    expect((await instance.api('POST', '/instance/restart')).status).toBe(200);
    const there = `http://127.0.0.1:${next}/api`;
    await eventually(async () => ((await healthAt(there)) === 200 ? true : null), 'it listens there');
    expect(await health()).toBeNull();
  });

  test('a restart on the same address', async () => {
    expect((await instance.api('POST', '/instance/restart')).status).toBe(200);
    const { stderr } = instance.program();
    await eventually(
      async () => (stderr().split('listens on').length === 3 ? true : null),
      'it listens again',
    );
    expect(await health()).toBe(200);
  });
});
