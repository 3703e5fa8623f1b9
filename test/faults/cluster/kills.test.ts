import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../../src/domain/random.js';
import { type NatsCluster, natsCluster } from '../../support/cluster/natsCluster.js';
import {
  allRun,
  expectComplete,
  MARKED,
  markedList,
  phasesAt,
  type SpateNode,
  type SpateNodes,
  settledAt,
  spateNodes,
} from '../../support/cluster/spateNodes.js';
import { eventually } from '../../support/instance.js';
import {
  hasClusterNats as hasNats,
  NEEDS_CLUSTER_NATS as NEEDS_NATS,
} from '../../support/servers/natsServer.js';

const LEASE = 3;
/** Kills; a long run sets `SPATE_TEST_KILLS=20`. */
const KILLS = Number(process.env['SPATE_TEST_KILLS'] ?? '2');
const SEED = String(process.env['SPATE_TEST_SEED'] ?? Date.now());
const IDS = Array.from({ length: 12 }, (_, index) => `g${index + 1}`);

(hasNats ? describe : describe.skip)(`nodes that are killed ${hasNats ? '' : NEEDS_NATS}`, () => {
  let nats: NatsCluster;
  let all: SpateNodes;

  beforeAll(async () => {
    nats = await natsCluster(3);
    await nats.isReady();
    all = await spateNodes({ nats, name: 'kills', lease: LEASE, replicas: 3 });
    await all.push(MARKED, markedList(all.folder, IDS));
    await Promise.all(all.nodes.map((node) => node.start()));
  }, 120_000);

  afterAll(async () => {
    await all.remove();
    await nats.remove();
  });

  test(
    'their generators run again within the lease and 5 s, and nothing is lost',
    async () => {
      const [a] = all.nodes as [SpateNode, SpateNode, SpateNode];
      await settledAt(a, all.nodes);
      await allRun(a, IDS);
      const random = seededRandom(SEED);
      process.stderr.write(`seed of the kills (SPATE_TEST_SEED): ${SEED}\n`);
      const times: number[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const drawn = random.integer(0, all.nodes.length - 1);
        const victim = all.nodes[drawn] as SpateNode;
        const witness = all.nodes[(drawn + 1) % all.nodes.length] as SpateNode;
        await new Promise((resolve) => setTimeout(resolve, random.integer(0, LEASE * 1_000)));
        await victim.kill('SIGKILL');
        const before = Date.now();
        await eventually(
          async () =>
            [...(await phasesAt(witness)).values()].some((phase) => phase !== 'running') ? true : null,
          'the loss of a node is seen',
        );
        await allRun(witness, IDS);
        times.push((Date.now() - before) / 1_000);
        await victim.start();
        // The next victim has generators, too.
        await settledAt(witness, all.nodes);
        await allRun(victim, IDS);
      }
      const sorted = [...times].sort((x, y) => x - y);
      process.stderr.write(
        `take-over: median ${sorted[Math.floor(sorted.length / 2)]?.toFixed(1)} s, worst ${sorted.at(-1)?.toFixed(1)} s of ${KILLS} kills with a lease of ${LEASE} s\n`,
      );
      expect(Math.max(...times)).toBeLessThan(LEASE + 5);
      await Promise.all(all.nodes.map((node) => node.kill('SIGTERM')));
      await expectComplete(all.folder, IDS);
    },
    120_000 + KILLS * 60_000,
  );
});
