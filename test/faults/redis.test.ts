import { afterAll, beforeAll, describe } from '@jest/globals';
import { redisPlugin } from '../../src/plugins/outputs/redis/plugin.js';
import { paramsOf } from '../plugins/outputs/redis/support.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import { hasRedis, NEEDS_REDIS, type RedisServer, startRedis } from '../support/servers/redisServer.js';
import { closingRow, unroutableRow } from './oneBadEvent.js';
import { type Peer, type Run, startedRigs } from './peer.js';
import { frozenRow, killedRow, killedTwiceRow, muteRow, refusalRow, resetRow, slowRow } from './peerRows.js';
import { faultRows } from './rows.js';

interface StreamRun extends Run {
  readonly key: string;
}

(hasRedis ? describe : describe.skip)(`Redis under faults ${NEEDS_REDIS}`, () => {
  let server: RedisServer;
  let wire: FaultyWire;
  let keys = 0;
  const start = startedRigs();

  const setWriter = (...rules: readonly string[]): Promise<unknown> =>
    server.ask('ACL', 'SETUSER', 'writer', 'on', ...rules);
  const addWriter = (): Promise<unknown> =>
    setWriter('resetpass', '>right', '~*', '+xadd', '+select', '+type');

  beforeAll(async () => {
    server = await startRedis();
    wire = await faultyWire(server.port);
  });
  afterAll(async () => {
    await wire.close();
    await server.remove();
  });

  /** Each run has a stream of its own. */
  const peer: Peer<StreamRun> = {
    output: 'redis',
    wire: () => wire,
    server: () => ({
      ...server,
      start: async () => {
        // Users live in memory: no connection may find a server without the user, which would reject its events.
        await wire.set({ kind: 'refused' });
        await server.start();
        await addWriter();
        await wire.set({ kind: 'none' });
      },
    }),
    writing: async (more) => {
      const key = `events:${++keys}`;
      await addWriter();
      const params = paramsOf({
        ...{ host: '127.0.0.1', port: wire.port, username: 'writer', password: 'right', key },
        // No row is about it, and a busy machine takes its time.
        connect_timeout: 60,
      });
      const open = (context: object) => redisPlugin.open(params, { ...context } as never);
      return { rig: await start(open, more), key };
    },
    arrived: async ({ key }) => {
      const entries = (await server.ask('XRANGE', key, '-', '+')) as readonly (readonly [
        string,
        readonly string[],
      ])[];
      return entries.map(([, [, event = '']]) => event);
    },
    traits: {
      gone: /the connection was (closed|refused)/,
      slow: { bytes_per_second: 200_000, isFelt: (rig) => rig.isHeldBack() },
    },
  };

  const swap = (key: string, script: string): Promise<unknown> =>
    server.ask('EVAL', script, '2', key, `${key}:away`);
  let home = '';

  faultRows('redis', {
    'unroutable event': unroutableRow('redis', { key: 'a:{/v}' }, (_, isBad) =>
      JSON.stringify({ v: isBad ? '' : 'main' }),
    ),
    'closed on one event': closingRow('redis'),

    refused: { ...killedRow(peer), ...killedTwiceRow(peer) },
    'reset mid-batch': resetRow(peer),
    slow: slowRow(peer),
    hung: { ...frozenRow(peer), ...muteRow(peer) },
    'server error': {
      ...refusalRow(peer, 'a server without memory: retried, then dead letters; written when it has some', {
        row: 'server error (memory)',
        refuse: () => server.ask('CONFIG', 'SET', 'maxmemory', '1'),
        accept: () => server.ask('CONFIG', 'SET', 'maxmemory', '0'),
        reason: /OOM.*`maxmemory`/,
        retries: 'some',
        delivery: 'once',
      }),
      ...refusalRow(
        peer,
        'a key that holds a text: refused at once, no retries; written when it is a stream again',
        {
          row: 'server error (type)',
          refuse: ({ key }) =>
            swap(key, "redis.call('RENAME', KEYS[1], KEYS[2]); return redis.call('SET', KEYS[1], 'a text')"),
          accept: ({ key }) => swap(key, "return redis.call('RENAME', KEYS[2], KEYS[1])"),
          reason: /WRONGTYPE.*`mode`/,
          retries: 'none',
          delivery: 'once',
        },
      ),
    },
    'auth error': refusalRow(peer, 'a password that is changed on the server, and changed back', {
      row: 'auth error',
      refuse: async () => {
        await setWriter('resetpass', '>another');
        await server.ask('CLIENT', 'KILL', 'USER', 'writer');
      },
      accept: () => setWriter('resetpass', '>right'),
      reason: /WRONGPASS.*Check `username`, `password`/,
      delivery: 'at least once',
    }),
    'disk full': refusalRow(peer, 'a server that cannot save takes nothing, and goes on when it can', {
      row: 'disk full',
      refuse: async () => {
        home = ((await server.ask('CONFIG', 'GET', 'dir')) as { readonly dir: string }).dir;
        await server.ask('CONFIG', 'SET', 'save', '3600 1000000');
        await server.ask('CONFIG', 'SET', 'dir', '/proc');
        await server.ask('BGSAVE');
      },
      accept: async () => {
        await server.ask('CONFIG', 'SET', 'dir', home);
        await server.ask('CONFIG', 'SET', 'save', '');
      },
      reason: /MISCONF.*Check the disk/,
      retries: 'some',
      delivery: 'once',
    }),
    permission: refusalRow(peer, 'a user who may not add entries any more', {
      row: 'permission',
      refuse: () => setWriter('-xadd'),
      accept: () => setWriter('+xadd'),
      reason: /NOPERM.*Check.*ACL/,
      retries: 'none',
      delivery: 'once',
    }),
  });
});
