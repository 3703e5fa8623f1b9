import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Instance, makeInstance } from '../support/instance.js';
import {
  type Datagram,
  hasNotify,
  NEEDS_NOTIFY,
  type NotifySocket,
  notifySocket,
} from '../support/servers/notifySocket.js';

const GENERATORS = {
  'good/generator.yml':
    'input:\n  - timer: {seconds: 1, count: 1}\nevent:\n  script: {path: produce.js}\noutput:\n  - file: {path: out.log}\n',
  'good/produce.js': "export const produce = () => 'event';\n",
  'broken/generator.yml': 'input: []\n',
};
const STARTUP =
  '- {id: good, path: good/generator.yml}\n- {id: broken, path: broken/generator.yml}\n- {id: absent, path: absent/generator.yml}\n';

let instance: Instance | null = null;
afterEach(async () => {
  await instance?.remove();
  instance = null;
});

const start = async (env: NodeJS.ProcessEnv): Promise<Instance> => {
  const made = await makeInstance({ startup: STARTUP, generators: GENERATORS, env });
  instance = made;
  await made.start();
  return made;
};

const isReady = ({ READY }: Datagram): boolean => READY === '1';
const isBeat = ({ WATCHDOG }: Datagram): boolean => WATCHDOG === '1';

(hasNotify ? describe : describe.skip)(`what the daemon tells systemd ${NEEDS_NOTIFY}`, () => {
  let socket: NotifySocket;
  beforeEach(async () => {
    socket = await notifySocket();
  });
  afterEach(() => socket.close());

  test('ready once it serves and generators are up, failed ones too; stopping when it stops', async () => {
    const made = await start({ NOTIFY_SOCKET: socket.path });
    const { STATUS } = await socket.saw(isReady);
    expect(STATUS).toBe(`listens on ${made.url.replace('/api', '')}; generators in the startup list: 3`);
    const { body } = await made.api('GET', '/generators');
    expect(
      (body as { id: string; status: { phase: string } }[]).map(({ id, status }) => [id, status.phase]),
    ).toEqual([
      ['good', 'running'],
      ['broken', 'failed'],
      ['absent', 'failed'],
    ]);
    expect(await made.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    await socket.saw(({ STOPPING }) => STOPPING === '1');
    expect(
      socket.datagrams().map((datagram) => Object.keys(datagram).filter((key) => key !== 'STATUS')),
    ).toEqual([['READY'], ['STOPPING']]);
  });

  test('reloading on SIGHUP with the time of its clock, then ready again', async () => {
    const made = await start({ NOTIFY_SOCKET: socket.path });
    await socket.saw(isReady);
    made.program().child.kill('SIGHUP');
    const reloading = await socket.saw(({ RELOADING }) => RELOADING === '1');
    expect(Number(reloading['MONOTONIC_USEC'])).toBeGreaterThan(0);
    const from = socket.datagrams().indexOf(reloading);
    await socket.saw(isReady, from);
    await made.kill('SIGTERM');
    await socket.saw(({ STOPPING }) => STOPPING === '1');
    expect(socket.datagrams().filter(({ STOPPING }) => STOPPING === '1')).toHaveLength(1);
  });

  test('nothing on SIGHUP when the settings are not valid', async () => {
    const made = await start({ NOTIFY_SOCKET: socket.path });
    await socket.saw(isReady);
    await writeFile(join(made.folder, 'spate.yml'), 'server: {');
    made.program().child.kill('SIGHUP');
    await made.program().saw(/not reloaded/);
    await made.kill('SIGTERM');
    await socket.saw(({ STOPPING }) => STOPPING === '1');
    expect(socket.datagrams().some(({ RELOADING }) => RELOADING === '1')).toBe(false);
  });

  test('signs of life when asked for, through a reload too', async () => {
    const made = await start({ NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '200000' });
    await socket.saw(isReady);
    await socket.saw(isBeat, socket.datagrams().length);
    made.program().child.kill('SIGHUP');
    const reloading = await socket.saw(({ RELOADING }) => RELOADING === '1');
    const again = await socket.saw(isReady, socket.datagrams().indexOf(reloading));
    await socket.saw(isBeat, socket.datagrams().indexOf(again));
  });

  test('no signs of life in the name of another process', async () => {
    const made = await start({ NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '200000', WATCHDOG_PID: '1' });
    await socket.saw(isReady);
    await made.kill('SIGTERM');
    await socket.saw(({ STOPPING }) => STOPPING === '1');
    expect(socket.datagrams().some(isBeat)).toBe(false);
  });
});

describe('a daemon whom systemd does not hear', () => {
  test('without systemd-notify says so once and runs on', async () => {
    const made = await start({ NOTIFY_SOCKET: '/nowhere/notify', PATH: '/nowhere', WATCHDOG_USEC: '20000' });
    await made.program().saw(/systemd cannot be notified: cannot run systemd-notify/);
    expect((await made.api('GET', '/health')).status).toBe(200);
    expect(await made.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(
      made
        .program()
        .stderr()
        .match(/cannot be notified/g),
    ).toHaveLength(1);
  });

  (hasNotify ? test : test.skip)(
    `without a listener on the socket warns once and keeps running ${NEEDS_NOTIFY}`,
    async () => {
      const made = await start({ NOTIFY_SOCKET: '/nowhere/notify', WATCHDOG_USEC: '20000' });
      await made.program().saw(/systemd cannot be notified: systemd-notify ended with \d+: /);
      expect((await made.api('GET', '/health')).status).toBe(200);
      expect(await made.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      expect(
        made
          .program()
          .stderr()
          .match(/cannot be notified/g),
      ).toHaveLength(1);
    },
  );
});
