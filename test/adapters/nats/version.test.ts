import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { connectCluster } from '../../../src/adapters/nats/link.js';
import { tooOld } from '../../../src/adapters/nats/natsErrors.js';
import { systemClock } from '../../../src/adapters/systemClock.js';
import type { ClusterLink } from '../../../src/ports/cluster.js';
import { natsAt } from '../../support/cluster/link.js';
import { left, right } from '../../support/either.js';
import { memoryLog } from '../../support/logs.js';
import { unpacked } from '../../support/servers/debianPackages.js';
import { startNats } from '../../support/servers/natsServer.js';

const debian12 = unpacked('nats-server-bookworm', ['nats-server'], 'bookworm');
const OLD_SERVER = debian12 === null ? null : join(debian12, 'usr', 'sbin', 'nats-server');

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A server that says its version and answers nothing but pings. */
const scriptedServer = async (version: string) => {
  const sockets = new Set<Socket>();
  const dials: (() => void)[] = [];
  let dialed = 0;
  const state = { version };
  const server = createServer((socket) => {
    dialed += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => {});
    const info = {
      server_id: 'S',
      server_name: 'n1',
      version: state.version,
      headers: true,
      max_payload: 1e6,
    };
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
    socket.on('data', (part) => {
      for (const _ of part.toString('latin1').matchAll(/^PING\r$/gm)) socket.write('PONG\r\n');
    });
    for (const look of dials) look();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const reset = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  ends.push(async () => {
    reset();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    address: `127.0.0.1:${address.port}`,
    /** From the next connection on. */
    becomes: (next: string): void => {
      state.version = next;
    },
    reset,
    dialed: () => dialed,
    /** Resolves when so many connections were opened. */
    dials: (count: number): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (dialed >= count) resolve();
        };
        dials.push(look);
        look();
      }),
  };
};

const connectTo = async (...servers: readonly string[]) => {
  const { log, lines } = memoryLog();
  const result = await connectCluster({
    name: 'lab',
    nats: natsAt(servers),
    replicas: 1,
    clock: systemClock,
    log,
    connect_timeout_ms: 60_000,
  });
  return { result, lines };
};

const linked = async (...servers: readonly string[]) => {
  const { result, lines } = await connectTo(...servers);
  const link: ClusterLink = right(result);
  ends.push(link.close);
  return { link, texts: () => lines.map(({ level, message }) => `${level}: ${message}`) };
};

/** Resolves when the link has, or has lost, its connection. */
const until = async (link: ClusterLink, isConnected: boolean): Promise<void> => {
  while (link.isConnected() !== isConnected) await systemClock.sleepMs(5, new AbortController().signal);
};

describe('the version of a NATS server', () => {
  test.each(['2.9.10', '2.9.25', '2.9.0-beta.3', 'v2.9.1', '1.4.1', '0.9.6'])('%s is too old', (version) => {
    expect(tooOld({ info: { version, server_name: 'n1' } as never, getServer: () => 'h:1' })?.code).toBe(
      'wrong_state',
    );
  });

  test.each([
    '2.10.0',
    '2.10.0-RC.2',
    '2.11.0-RC.1',
    '2.12-dev',
    '2.100.1',
    'v2.15.1',
    '3.0.0',
    '10.1.0',
    'dev',
    '',
    undefined,
  ])('%s is accepted', (version) => {
    expect(tooOld({ info: { version, server_name: 'n1' } as never, getServer: () => 'h:1' })).toBeNull();
  });

  test('too old: the connection is refused at once, with the server, its version and what to do', async () => {
    const server = await scriptedServer('2.9.25');
    const { result } = await connectTo(server.address);
    expect(left(result)).toEqual({
      code: 'wrong_state',
      message:
        `NATS server "n1" at ${server.address} has version 2.9.25; a cluster needs 2.10 or later. ` +
        'Upgrade all NATS servers: Debian 13 has 2.10, https://nats.io/download has programs for other systems.',
    });
    expect(server.dialed()).toBe(1);
  });

  test.each(['2.10.0', '2.11.0-RC.1', '2.14.0-dev', '10.0.0'])('%s connects', async (version) => {
    const { link } = await linked((await scriptedServer(version)).address);
    expect(link.isConnected()).toBe(true);
  });

  test('a server that is older when it comes back is logged once and left, until it is new again', async () => {
    const server = await scriptedServer('2.10.27');
    const { link, texts } = await linked(server.address);
    server.becomes('2.9.10');
    server.reset();
    await server.dials(4);
    expect(link.isConnected()).toBe(false);
    expect(left(await link.nodes.read('a')).message).toMatch(/there is no connection to NATS/);
    expect(texts()).toEqual([
      'warning: the connection to NATS is lost',
      expect.stringMatching(/^error: NATS server "n1" at 127\.0\.0\.1:\d+ has version 2\.9\.10; /),
    ]);
    server.becomes('2.10.27');
    await until(link, true);
    expect(texts().at(-1)).toMatch(/^info: connected to NATS again/);
  });

  test('an older server of a mixed cluster is left for another one', async () => {
    const servers = [await scriptedServer('2.10.27'), await scriptedServer('2.10.27')] as const;
    const { link, texts } = await linked(...servers.map(({ address }) => address));
    const [good, old] = servers[0].dialed() === 1 ? servers : [servers[1], servers[0]];
    old.becomes('2.9.10');
    // The client may try the same server first.
    while (old.dialed() === 0) {
      good.reset();
      await until(link, false);
      await until(link, true);
    }
    expect(texts()).toContainEqual(expect.stringContaining(`"n1" at ${old.address} has version 2.9.10`));
    expect(texts().at(-1)).toBe(`info: connected to NATS again: ${good.address}`);
    expect(texts()).not.toContain(`info: connected to NATS again: ${old.address}`);
  });
});

(OLD_SERVER === null ? describe.skip : describe)(
  'nats-server of Debian 12 (SPATE_TEST_INSTALL=1 npm test downloads it)',
  () => {
    test('is refused by a cluster', async () => {
      const server = await startNats('server_name: "n1"', {}, OLD_SERVER ?? '');
      ends.push(server.remove);
      const { code, message } = left((await connectTo(`127.0.0.1:${server.port}`)).result);
      expect(code).toBe('wrong_state');
      expect(message).toMatch(
        /^NATS server "n1" at 127\.0\.0\.1:\d+ has version 2\.9\.\d+; a cluster needs 2\.10 /,
      );
    });
  },
);
