import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { BucketChange, ClusterLink } from '../../../src/ports/cluster.js';
import { bytes, linkTo, text, watchBucket } from '../../support/cluster/link.js';
import { type NatsCluster, natsCluster } from '../../support/cluster/natsCluster.js';
import { right } from '../../support/either.js';
import { hasClusterNats, NEEDS_CLUSTER_NATS } from '../../support/servers/natsServer.js';

const describeNats = hasClusterNats ? describe : describe.skip;
const TAKEOVER_MS = 15_000;

/** Retries until the cluster takes it. A write whose answer was lost may have happened. */
const insist = async (link: ClusterLink, key: string, value: string): Promise<number> => {
  const until = performance.now() + TAKEOVER_MS;
  for (;;) {
    const written = await link.leases.write(key, bytes(value), null);
    if (written._tag === 'Right') return written.right;
    expect(written.left.code).toBe('unavailable');
    if (performance.now() > until) throw new Error(`no write for ${TAKEOVER_MS} ms: ${written.left.message}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** Values of each key in the order of a watch, without repetitions. */
const historyOf = (changes: readonly BucketChange[], key: string): readonly (string | null)[] =>
  changes
    .filter((change) => change.key === key)
    .map(({ value }) => text(value))
    .filter((value, index, all) => index === 0 || value !== all[index - 1]);

describeNats(`buckets and calls on three NATS servers ${NEEDS_CLUSTER_NATS}`, () => {
  let lab: NatsCluster;
  const links: ClusterLink[] = [];
  const link = async (servers: readonly string[] = lab.addresses): Promise<ClusterLink> => {
    const made = await linkTo(servers, { replicas: 3, discovers_servers: servers === lab.addresses });
    links.push(made);
    return made;
  };

  beforeAll(async () => {
    lab = await natsCluster(3);
  });
  afterEach(async () => {
    await Promise.all(links.splice(0).map((one) => one.close()));
    for (const { thaw } of lab.servers) thaw();
  });
  afterAll(() => lab.remove());

  test('three links that start at once share buckets with three copies', async () => {
    const all = await Promise.all([link(), link(), link()]);
    await Promise.all(
      all.map(async (one, index) => right(await one.leases.write(`k${index}`, bytes('x'), 0))),
    );
    for (const one of all) expect(right(await one.leases.read('k1'))).not.toBeNull();
    expect(await lab.leaderOf('KV_spate-lab-leases')).not.toBeNull();
  });

  test('of many that write over one revision at once, one wins', async () => {
    const all = await Promise.all([link(), link(), link()]);
    for (let round = 0; round < 20; round += 1) {
      const start = right(await all[0].leases.write('contested', bytes('free'), null));
      const tries = await Promise.all(
        all.flatMap((one, index) =>
          [0, 1].map((each) => one.leases.write('contested', bytes(`${index}.${each}`), start)),
        ),
      );
      const winners = tries.flatMap((one) => (one._tag === 'Right' ? [one.right] : []));
      expect(winners).toHaveLength(1);
      expect(right(await all[1].leases.read('contested'))?.revision).toBe(winners[0]);
    }
  });

  test('of many that write an archive over one revision at once, one wins', async () => {
    const all = await Promise.all([link(), link(), link()]);
    let { revision } = right(await all[0].configs.write('raced', bytes('0'), 'd', 0));
    for (let round = 0; round < 5; round += 1) {
      const start = revision;
      const tries = await Promise.all(
        all.map((one, index) => one.configs.write('raced', bytes(`${round}.${index}`), 'd', start)),
      );
      const won = tries.flatMap((one, index) => (one._tag === 'Right' ? [`${round}.${index}`] : []));
      expect(won).toHaveLength(1);
      const there = right(await all[0].configs.read('raced'));
      expect(text(there?.content)).toBe(won[0]);
      revision = there?.info.revision ?? 0;
    }
  });

  test('no increment is lost and no watch misses a change while the leader of the bucket is killed', async () => {
    const [one, two] = await Promise.all([link(), link()]);
    const watch = await watchBucket(two.leases);
    await insist(one, 'counter', '0');
    const leader = await lab.leaderOf('KV_spate-lab-leases');
    const EACH = 60;
    let isKilled = false;
    const increment = async (by: ClusterLink): Promise<number> => {
      let inDoubt = 0;
      for (let done = 0; done < EACH; ) {
        const entry = await by.leases.read('counter');
        if (entry._tag === 'Left') {
          expect(entry.left.code).toBe('unavailable');
          continue;
        }
        const next = Number(text(entry.right?.value)) + 1;
        if (next === 30 && !isKilled) {
          isKilled = true;
          await leader?.kill();
        }
        const written = await by.leases.write('counter', bytes(String(next)), entry.right?.revision ?? 0);
        if (written._tag === 'Right') done += 1;
        else if (written.left.code === 'unavailable') inDoubt += 1;
      }
      return inDoubt;
    };
    const doubts = await Promise.all([increment(one), increment(two)]);
    const final = Number(text(right(await one.leases.read('counter'))?.value));
    expect(final).toBeGreaterThanOrEqual(2 * EACH);
    expect(final).toBeLessThanOrEqual(2 * EACH + doubts[0] + doubts[1]);
    await watch.until((changes) => text(changes.at(-1)?.value) === String(final));
    const seen = historyOf(watch.changes, 'counter').map(Number);
    expect([...seen].sort((a, b) => a - b)).toEqual(seen);
    await leader?.start();
    await lab.isReady();
    watch.stop();
  });

  test('a watch goes on after all servers were killed and started again', async () => {
    const [one, two] = await Promise.all([link(), link()]);
    await insist(one, 'stays', '1');
    await insist(one, 'goes', '1');
    const watch = await watchBucket(two.leases);
    await watch.until((_, currents) => currents === 1);
    await Promise.all(lab.servers.map(({ kill }) => kill()));
    const refused = await one.leases.write('stays', bytes('lost'), null);
    expect(refused._tag).toBe('Left');
    await Promise.all(lab.servers.map(({ start }) => start()));
    // A majority is enough: the copy of one server can stand still for long.
    await insist(one, 'stays', '2');
    right(await one.leases.remove('goes', null));
    await watch.until((changes) => changes.at(-1)?.key === 'goes' && changes.at(-1)?.value === null);
    expect(historyOf(watch.changes, 'stays').slice(-2)).toEqual(['1', '2']);
    expect(watch.currents()).toBe(1);
    watch.stop();
  });

  test('a watch of a node that was cut off learns what changed, removals whose markers are gone included', async () => {
    const way = await lab.way();
    const [far, near] = await Promise.all([link(way.servers), link()]);
    for (const key of ['removed', 'changed', 'same', 'again']) await insist(near, key, '1');
    const watch = await watchBucket(far.leases);
    await watch.until((_, currents) => currents === 1);
    const known = watch.changes.length;
    way.cut();
    right(await near.leases.remove('removed', null));
    right(await near.leases.remove('again', null));
    right(await near.leases.write('again', bytes('2'), 0));
    expect(await lab.dropMarkers('KV_spate-lab-leases', '$KV.spate-lab-leases.')).toContain('removed');
    right(await near.leases.write('changed', bytes('2'), null));
    expect((await far.leases.read('same'))._tag).toBe('Left');
    way.heal();
    await watch.until((changes) => changes.slice(known).length >= 3);
    expect(
      watch.changes
        .slice(known)
        .map(({ key, value }) => `${key}=${text(value)}`)
        .sort(),
    ).toEqual(['again=2', 'changed=2', 'removed=null']);
    right(await near.leases.write('same', bytes('2'), null));
    await watch.until((changes) => changes.at(-1)?.key === 'same');
    expect(watch.currents()).toBe(1);
    watch.stop();
  });

  test('a silent connection is given up, and operations fail at once until it is healed', async () => {
    const way = await lab.way();
    const far = await link(way.servers);
    await insist(far, 'frozen', '1');
    way.cut('silent');
    // The client notices by its pings.
    const started = performance.now();
    while (far.isConnected()) await far.leases.write('frozen', bytes('2'), null);
    expect(performance.now() - started).toBeLessThan(20_000);
    const asked = performance.now();
    expect((await far.leases.read('frozen'))._tag).toBe('Left');
    expect((await far.calls.call('b', bytes(''), 60_000))._tag).toBe('Left');
    expect(performance.now() - asked).toBeLessThan(4_000);
    way.heal();
    await insist(far, 'frozen', '3');
  });

  test('a stream ends with an error when the way of its sender is cut, and the sender is returned', async () => {
    const way = await lab.way();
    const [far, near] = await Promise.all([link(way.servers), link()]);
    let tellReturned = (): void => {};
    const returned = new Promise<void>((resolve) => {
      tellReturned = resolve;
    });
    const stream: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => {
        let isFirst = true;
        return {
          next: () => {
            if (!isFirst) return new Promise(() => {});
            isFirst = false;
            return Promise.resolve({ done: false, value: bytes('first') });
          },
          return: () => {
            tellReturned();
            return Promise.resolve({ done: true, value: undefined });
          },
        };
      },
    };
    far.calls.serve(
      'far',
      () => Promise.resolve({ head: bytes('head'), stream }),
      new AbortController().signal,
    );
    right(await far.leases.read('x'));
    const answer = right(await near.calls.call('far', bytes(''), 10_000));
    const iterator = answer.stream![Symbol.asyncIterator]();
    expect(text((await iterator.next()).value)).toBe('first');
    way.cut('silent');
    await expect(iterator.next()).rejects.toMatchObject({ error: { code: 'unavailable' } });
    await returned;
    way.heal();
  });

  test('a delay on the way changes nothing but the time', async () => {
    const way = await lab.way();
    const [far, near] = await Promise.all([link(way.servers), link()]);
    way.delay(40);
    far.calls.serve(
      'far',
      (request) => Promise.resolve({ head: request, stream: null }),
      new AbortController().signal,
    );
    right(await far.leases.read('x'));
    const request = Buffer.alloc(1_000_000, 'x');
    expect(right(await near.calls.call('far', request, 10_000)).head).toHaveLength(request.length);
    const revision = await insist(far, 'delayed', '1');
    expect(right(await near.leases.read('delayed'))?.revision).toBe(revision);
  });
});
