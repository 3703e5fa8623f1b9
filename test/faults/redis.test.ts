import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import { redisPlugin } from '../../src/plugins/outputs/redis/plugin.js';
import { paramsOf } from '../plugins/outputs/redis/support.js';
import { numberedEvent, type Rig, type RigOptions, startRig } from '../support/faults/faultRig.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import { hasRedis, NEEDS_REDIS, type RedisServer, startRedis } from '../support/servers/redisServer.js';
import { closingRow, unroutableRow } from './oneBadEvent.js';
import { deadLetters, frozenRow, muteRow, type Peer, reasonIn, resetRow } from './peerRows.js';
import { expectAccounted, faultRows, report } from './rows.js';

(hasRedis ? describe : describe.skip)(`Redis under faults ${NEEDS_REDIS}`, () => {
  let server: RedisServer;
  let wire: FaultyWire;
  let folder = '';
  let keys = 0;
  const rigs: Rig[] = [];

  const setWriter = (...rules: readonly string[]): Promise<unknown> =>
    server.ask('ACL', 'SETUSER', 'writer', 'on', ...rules);

  beforeAll(async () => {
    server = await startRedis();
    wire = await faultyWire(server.port);
    folder = fs.mkdtempSync(join(tmpdir(), 'spate-faults-'));
  });
  afterEach(async () => {
    for (const rig of rigs.splice(0)) {
      rig.abort();
      await rig.drain();
    }
  });
  afterAll(async () => {
    await wire.close();
    await server.remove();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** A running generator that has written some events into its own stream. */
  const writing = async (more: Partial<RigOptions> = {}) => {
    const key = `events:${++keys}`;
    await setWriter('resetpass', '>right', '~*', '+xadd', '+select', '+type');
    const params = paramsOf({
      ...{ host: '127.0.0.1', port: wire.port, username: 'writer', password: 'right', key },
    });
    const rig = startRig({
      folder: join(folder, String(keys)),
      outputs: [(context) => redisPlugin.open(params, { ...context } as never)],
      ...more,
    });
    rigs.push(rig);
    await rig.writesOn();
    return { rig, key };
  };

  /** Entries of a stream: count, numbers, and number of damaged ones. */
  const entriesOf = async (key: string) => {
    const entries = (await server.ask('XRANGE', key, '-', '+')) as readonly (readonly [
      string,
      readonly string[],
    ])[];
    const events = entries.map(([, [, event = '']]) => event);
    const numbers = events.map((event) => Number.parseInt(event, 10));
    const torn = events.filter((event, i) => event !== numberedEvent(numbers[i] as number)).length;
    return { count: events.length, numbers: new Set(numbers), torn };
  };

  /** Ends the run: every event is in the stream or the dead letters, and whole. */
  const finish = async (row: string, rig: Rig, key: string, delivery: 'once' | 'at least once') => {
    expect(await rig.drain()).toEqual({ _tag: 'Right', right: 'drained' });
    report(`redis x ${row}`, rig);
    expectAccounted(rig);
    const { count, numbers, torn } = await entriesOf(key);
    const letters = rig.letters();
    expect(torn).toBe(0);
    expect(letters).toHaveLength(rig.count('dead_lettered'));
    expect(new Set([...numbers, ...letters]).size).toBe(rig.produced());
    expect(rig.count('write_failed')).toBe(0);
    if (delivery === 'at least once') return;
    expect(count).toBe(rig.count('written'));
    expect(numbers.size + new Set(letters).size).toBe(rig.produced());
  };

  const peer: Peer<Awaited<ReturnType<typeof writing>>> = {
    output: 'redis',
    wire: () => wire,
    server: () => server,
    writing,
    finish: (row, { rig, key }, delivery) => finish(row, rig, key, delivery),
  };

  faultRows('redis', {
    'unroutable event': unroutableRow('redis', { key: 'a:{/v}' }, (_, isBad) =>
      JSON.stringify({ v: isBad ? '' : 'main' }),
    ),
    'closed on one event': closingRow('redis'),

    refused: {
      'a server that is killed gets what comes after it is back; what could not wait is in the dead letters':
        async () => {
          const { rig, key } = await writing();
          await server.kill();
          await deadLetters(rig);
          expect(reasonIn(rig)).toMatch(/the connection was (closed|refused)/);
          expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
          await server.start();
          // Users live in memory.
          await setWriter('resetpass', '>right', '~*', '+xadd', '+select');
          await rig.writesOn();
          await finish('refused', rig, key, 'at least once');
        },
      'a server that is killed twice among 50,000 events loses none': async () => {
        const { rig, key } = await writing({ attempts: 1_000 });
        for (const events of [15_000, 35_000]) {
          await rig.until(`${events} events`, () => rig.count('written') >= events);
          await server.kill();
          await rig.isHeldBack();
          // No connection may find a server without the user, which would reject its events.
          await wire.set({ kind: 'refused' });
          await server.start();
          await setWriter('resetpass', '>right', '~*', '+xadd', '+select');
          await wire.set({ kind: 'none' });
        }
        await rig.until('50,000 events', () => rig.count('written') >= 50_000);
        await finish('refused (twice)', rig, key, 'at least once');
        const { count, numbers } = await entriesOf(key);
        expect(numbers.size).toBe(rig.produced());
        expect(rig.count('dead_lettered')).toBe(0);
        process.stderr.write(`redis x refused (twice): ${count - numbers.size} of ${count} twice\n`);
      },
    },
    'reset mid-batch': resetRow(peer),
    slow: {
      'a slow wire slows the producer down; nothing fails or is retried': async () => {
        const { rig, key } = await writing();
        await wire.set({ kind: 'slow', bytes_per_second: 200_000 });
        await rig.isHeldBack();
        await rig.writesOn(4_000);
        await wire.set({ kind: 'none' });
        await rig.writesOn();
        await finish('slow', rig, key, 'once');
        expect([rig.count('retries'), rig.count('dead_lettered')]).toEqual([0, 0]);
      },
    },
    hung: { ...frozenRow(peer), ...muteRow(peer) },
    'server error': {
      'a server without memory: retried, then dead letters; written when it has some': async () => {
        const { rig, key } = await writing();
        await server.ask('CONFIG', 'SET', 'maxmemory', '1');
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/OOM.*`maxmemory`/);
        expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
        await server.ask('CONFIG', 'SET', 'maxmemory', '0');
        await rig.writesOn();
        await finish('server error (memory)', rig, key, 'once');
      },
      'a key that holds a text: refused at once, no retries; written when it is a stream again': async () => {
        const { rig, key } = await writing();
        const swap = (script: string) => server.ask('EVAL', script, '2', key, `${key}:away`);
        await swap("redis.call('RENAME', KEYS[1], KEYS[2]); return redis.call('SET', KEYS[1], 'a text')");
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/WRONGTYPE.*`mode`/);
        await swap("return redis.call('RENAME', KEYS[2], KEYS[1])");
        await rig.writesOn();
        await finish('server error (type)', rig, key, 'once');
        expect(rig.count('retries')).toBe(0);
      },
    },
    'auth error': {
      'a password that is changed on the server, and changed back': async () => {
        const { rig, key } = await writing();
        await setWriter('resetpass', '>another');
        await server.ask('CLIENT', 'KILL', 'USER', 'writer');
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/WRONGPASS.*Check `username`, `password`/);
        await setWriter('resetpass', '>right');
        await rig.writesOn();
        await finish('auth error', rig, key, 'at least once');
      },
    },
    'disk full': {
      'a server that cannot save takes nothing, and goes on when it can': async () => {
        const { rig, key } = await writing();
        const home = ((await server.ask('CONFIG', 'GET', 'dir')) as { readonly dir: string }).dir;
        await server.ask('CONFIG', 'SET', 'save', '3600 1000000');
        await server.ask('CONFIG', 'SET', 'dir', '/proc');
        await server.ask('BGSAVE');
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/MISCONF.*Check the disk/);
        expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
        await server.ask('CONFIG', 'SET', 'dir', home);
        await server.ask('CONFIG', 'SET', 'save', '');
        await rig.writesOn();
        await finish('disk full', rig, key, 'once');
      },
    },
    permission: {
      'a user who may not add entries any more': async () => {
        const { rig, key } = await writing();
        await setWriter('-xadd');
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/NOPERM.*Check.*ACL/);
        await setWriter('+xadd');
        await rig.writesOn();
        await finish('permission', rig, key, 'once');
        expect(rig.count('retries')).toBe(0);
      },
    },
  });
});
