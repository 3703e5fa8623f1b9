import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../../src/adapters/systemClock.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { ClusterLink } from '../../../src/ports/cluster.js';
import { bytes, linkTo, text, watchBucket } from '../../support/cluster/link.js';
import { right } from '../../support/either.js';
import {
  hasClusterNats,
  type NatsServer,
  NEEDS_CLUSTER_NATS,
  startNats,
} from '../../support/servers/natsServer.js';

const describeNats = hasClusterNats ? describe : describe.skip;

/** A clock whose long sleeps end when the test says so. `asleep` resolves when the next one begins. */
const sweepClock = () => {
  const waiting: (() => void)[] = [];
  let tell = (): void => {};
  const clock: Clock = {
    ...systemClock,
    sleepMs: (ms, signal) => {
      if (ms < 600_000) return systemClock.sleepMs(ms, signal);
      return new Promise((resolve) => {
        waiting.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
        tell();
      });
    },
  };
  const round = async (): Promise<void> => {
    const asleep = new Promise<void>((resolve) => {
      tell = resolve;
    });
    waiting.shift()?.();
    await asleep;
  };
  return { clock, round };
};

describeNats(`sweeps on one NATS server ${NEEDS_CLUSTER_NATS}`, () => {
  let server: NatsServer;
  let link: ClusterLink;
  const { clock, round } = sweepClock();

  beforeAll(async () => {
    server = await startNats();
    link = await linkTo([`127.0.0.1:${server.port}`], { clock });
  });
  afterAll(async () => {
    await link.close();
    await server.remove();
  });

  test('the second sweep removes markers of removed keys, and never a value', async () => {
    for (const key of ['gone', 'again', 'stays']) right(await link.nodes.write(key, bytes('1'), 0));
    for (const key of ['gone', 'again']) right(await link.nodes.remove(key, null));
    const watch = await watchBucket(link.nodes);
    await round();
    expect((await server.stateOf('KV_spate-lab-nodes')).messages).toBe(3);
    right(await link.nodes.write('again', bytes('2'), 0));
    await round();
    expect((await server.stateOf('KV_spate-lab-nodes')).messages).toBe(2);
    expect(right(await link.nodes.read('gone'))).toBeNull();
    expect(text(right(await link.nodes.read('again'))?.value)).toBe('2');
    expect(text(right(await link.nodes.read('stays'))?.value)).toBe('1');
    right(await link.nodes.write('gone', bytes('3'), 0));
    await watch.until((changes) => changes.at(-1)?.key === 'gone');
    expect(watch.changes.map(({ key, value }) => `${key}=${text(value)}`)).toEqual([
      'stays=1',
      'again=2',
      'gone=3',
    ]);
    watch.stop();
  });

  test('the second sweep removes content that no archive refers to, and no other', async () => {
    right(await link.configs.write('kept', Buffer.alloc(300_000, 'x'), 'd', 0));
    const before = (await server.stateOf('OBJ_spate-lab-configs')).messages;
    await server.withClient(async (client) => {
      for (let part = 0; part < 3; part += 1) {
        await client.request('$O.spate-lab-configs.C.left-behind', bytes('part'));
      }
    });
    await round();
    expect((await server.stateOf('OBJ_spate-lab-configs')).messages).toBe(before + 3);
    await round();
    expect((await server.stateOf('OBJ_spate-lab-configs')).messages).toBe(before);
    expect(right(await link.configs.read('kept'))?.content).toHaveLength(300_000);
  });
});
