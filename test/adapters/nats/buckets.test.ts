import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { ClusterLink } from '../../../src/ports/cluster.js';
import { bytes, linkTo, text, watchBucket } from '../../support/cluster/link.js';
import { startRelay } from '../../support/cluster/relay.js';
import { left, right } from '../../support/either.js';
import {
  hasClusterNats,
  type NatsServer,
  NEEDS_CLUSTER_NATS,
  startNats,
} from '../../support/servers/natsServer.js';

const describeNats = hasClusterNats ? describe : describe.skip;

describeNats(`buckets on one NATS server ${NEEDS_CLUSTER_NATS}`, () => {
  let server: NatsServer;
  let one: ClusterLink;
  let two: ClusterLink;

  beforeAll(async () => {
    server = await startNats('max_payload: 262144');
    const servers = [`127.0.0.1:${server.port}`];
    // They create the buckets at once.
    [one, two] = await Promise.all([linkTo(servers), linkTo(servers)]);
  });
  afterAll(async () => {
    await Promise.all([one.close(), two.close()]);
    await server.remove();
  });

  test('two links that create a bucket at once see the same keys', async () => {
    const [first, second] = await Promise.all([
      one.globals.write('a', bytes('1'), 0),
      two.globals.write('b', bytes('2'), 0),
    ]);
    expect(right(second)).not.toBe(right(first));
    expect(text(right(await two.globals.read('a'))?.value)).toBe('1');
    expect(text(right(await one.globals.read('b'))?.value)).toBe('2');
  });

  test('a missing key reads as none, and a removed one too', async () => {
    expect(right(await one.leases.read('gone'))).toBeNull();
    const revision = right(await one.leases.write('gone', bytes('x'), 0));
    expect(right(await two.leases.read('gone'))).toEqual({ key: 'gone', value: expect.anything(), revision });
    right(await two.leases.remove('gone', revision));
    expect(right(await one.leases.read('gone'))).toBeNull();
    right(await one.leases.remove('gone', null));
    right(await one.leases.remove('never', null));
  });

  test('a write replaces only the revision that it names', async () => {
    const first = right(await one.leases.write('cas', bytes('1'), 0));
    expect(left(await two.leases.write('cas', bytes('2'), 0)).code).toBe('precondition_failed');
    const second = right(await two.leases.write('cas', bytes('2'), first));
    expect(second).toBeGreaterThan(first);
    expect(left(await one.leases.write('cas', bytes('3'), first)).code).toBe('precondition_failed');
    expect(left(await one.leases.remove('cas', first)).code).toBe('precondition_failed');
    expect(text(right(await one.leases.read('cas'))?.value)).toBe('2');
    right(await one.leases.write('cas', bytes('4'), null));
    expect(text(right(await two.leases.read('cas'))?.value)).toBe('4');
  });

  test('a removed key can be created again, by one of many', async () => {
    right(await one.leases.remove('again', null));
    right(await one.leases.remove('again', right(await one.leases.write('again', bytes('x'), 0))));
    const tries = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? one : two).leases.write('again', bytes(`${index}`), 0),
      ),
    );
    expect(tries.filter((result) => result._tag === 'Right')).toHaveLength(1);
  });

  test('concurrent increments by compare-and-set lose none', async () => {
    const EACH = 25;
    const increment = async (link: ClusterLink): Promise<void> => {
      for (let done = 0; done < EACH; ) {
        const entry = right(await link.checkpoints.read('counter'));
        const next = bytes(String(Number(text(entry?.value) ?? '0') + 1));
        const written = await link.checkpoints.write('counter', next, entry?.revision ?? 0);
        if (written._tag === 'Right') done += 1;
        else expect(written.left.code).toBe('precondition_failed');
      }
    };
    await Promise.all([one, two, one, two].map(increment));
    expect(text(right(await one.checkpoints.read('counter'))?.value)).toBe(String(4 * EACH));
  });

  test('a value over max_payload is refused with the limit and what to do', async () => {
    const error = left(await one.globals.write('large', Buffer.alloc(300_000), null));
    expect(error.code).toBe('too_large');
    expect(error.message).toMatch(/300000 bytes exceed the limit of 26\d{4} bytes.*max_payload/);
    right(await one.globals.write('large', Buffer.alloc(261_000), null));
    expect(right(await two.globals.read('large'))?.value).toHaveLength(261_000);
  });

  test('a watch tells entries, once that all are there, then changes in order', async () => {
    const empty = await watchBucket(one.nodes);
    await empty.until((_, currents) => currents === 1);
    expect(empty.changes).toEqual([]);
    for (const key of ['a', 'b', 'c']) right(await two.nodes.write(key, bytes('1'), null));
    right(await two.nodes.write('a', bytes('2'), null));
    right(await two.nodes.remove('b', null));
    await empty.until((changes) => changes.length === 5);
    expect(empty.changes.map(({ key, value }) => [key, text(value)])).toEqual([
      ['a', '1'],
      ['b', '1'],
      ['c', '1'],
      ['a', '2'],
      ['b', null],
    ]);
    const late = await watchBucket(two.nodes);
    await late.until((_, currents) => currents === 1);
    expect(late.changes.map(({ key, value }) => [key, text(value)])).toEqual([
      ['c', '1'],
      ['a', '2'],
    ]);
    right(await one.nodes.write('d', bytes('3'), null));
    await late.until((changes) => changes.length === 3);
    expect(empty.currents() + late.currents()).toBe(2);
    empty.stop();
    late.stop();
  });

  test('a watch tells thousands of entries before it says that all are there', async () => {
    const COUNT = 3_000;
    const keys = Array.from({ length: COUNT }, (_, index) => `unit/${index}=x_.-${index}`);
    await Promise.all(keys.map(async (key) => right(await one.startup.write(key, bytes(key), 0))));
    let before = -1;
    const watch = await watchBucket(two.startup);
    await watch.until((changes, currents) => {
      if (currents === 1 && before < 0) before = changes.length;
      return currents === 1;
    });
    expect(before).toBe(COUNT);
    expect(new Set(watch.changes.map(({ key }) => key))).toEqual(new Set(keys));
    watch.stop();
  });
});

describeNats(`a watch of a server that loses the end of its stream ${NEEDS_CLUSTER_NATS}`, () => {
  test('learns what has the lost revisions now', async () => {
    const server = await startNats();
    const relay = await startRelay(server.port);
    const streams = join(server.folder, 'streams');
    const before = await linkTo([`127.0.0.1:${server.port}`]);
    right(await before.leases.write('first', bytes('1'), null));
    await before.close();
    await server.stop();
    cpSync(streams, `${streams}-before`, { recursive: true });
    await server.start();
    const near = await linkTo([`127.0.0.1:${server.port}`]);
    const far = await linkTo([`127.0.0.1:${relay.port}`], { discovers_servers: false });
    const watch = await watchBucket(far.leases);
    const write = async (key: string, value: string): Promise<number> => {
      for (;;) {
        const written = await near.leases.write(key, bytes(value), null);
        if (E.isRight(written)) return written.right;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const changed = await write('changed', 'lost');
    await write('gone', '1');
    const removed = await write('removed', 'lost');
    await watch.until((changes) => changes.at(-1)?.key === 'removed');

    relay.cut('reset');
    await server.kill();
    rmSync(streams, { recursive: true });
    cpSync(`${streams}-before`, streams, { recursive: true });
    await server.start();
    expect(await write('changed', 'kept')).toBe(changed);
    expect(await write('removed', 'again')).toBe(removed - 1);
    right(await near.leases.remove('removed', null));
    relay.heal();
    await watch.until((changes) => changes.length === 7);
    expect(watch.changes.slice(4).map(({ key, value, revision }) => [key, text(value), revision])).toEqual([
      ['changed', 'kept', changed],
      ['removed', null, removed],
      ['gone', null, removed],
    ]);

    watch.stop();
    await Promise.all([near.close(), far.close()]);
    await relay.close();
    await server.remove();
  });
});
