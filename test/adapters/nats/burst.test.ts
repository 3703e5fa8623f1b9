import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { bytes, linkTo, watchBucket } from '../../support/cluster/link.js';
import { type NatsCluster, natsCluster } from '../../support/cluster/natsCluster.js';
import { hasClusterNats, NEEDS_CLUSTER_NATS } from '../../support/servers/natsServer.js';

(hasClusterNats ? describe : describe.skip)(
  `a burst of writes on three servers ${hasClusterNats ? '' : NEEDS_CLUSTER_NATS}`,
  () => {
    let nats: NatsCluster;
    beforeAll(async () => {
      nats = await natsCluster(3);
      await nats.isReady();
    }, 60_000);
    afterAll(() => nats.remove());

    test('reaches every watch', async () => {
      const links = await Promise.all([1, 2, 3].map(() => linkTo(nats.addresses, { replicas: 3 })));
      const watches = await Promise.all(links.map((link) => watchBucket(link.leases)));
      const last = new Map<string, number | null>();
      const work = async (link: (typeof links)[number], from: number): Promise<void> => {
        for (let round = 0; round < 3; round++)
          await Promise.all(
            Array.from({ length: 100 }, async (_, i) => {
              const key = `g.${from + i}`;
              const put = await link.leases.write(key, bytes('x'.repeat(150)), 0);
              if (E.isLeft(put)) throw new Error(JSON.stringify(put.left));
              last.set(key, put.right);
              if (round === 2) return;
              const gone = await link.leases.remove(key, put.right);
              if (E.isLeft(gone)) throw new Error(JSON.stringify(gone.left));
              last.set(key, null);
            }),
          );
      };
      await Promise.all(links.map((link, index) => work(link, index * 1_000)));
      const expected = [...last].sort();
      for (const watch of watches) {
        const seen = new Map<string, number | null>();
        await watch.until((changes) => {
          for (const { key, value, revision } of changes) seen.set(key, value === null ? null : revision);
          return expected.every(([key, revision]) => seen.get(key) === revision);
        });
      }
      for (const link of links) await link.close();
      expect(expected).toHaveLength(300);
    }, 60_000);
  },
);
