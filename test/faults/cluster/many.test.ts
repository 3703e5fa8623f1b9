import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type NatsCluster, natsCluster } from '../../support/cluster/natsCluster.js';
import { type SpateNode, type SpateNodes, spateNodes } from '../../support/cluster/spateNodes.js';
import { eventually } from '../../support/instance.js';
import {
  hasClusterNats as hasNats,
  NEEDS_CLUSTER_NATS as NEEDS_NATS,
} from '../../support/servers/natsServer.js';

const LEASE = 15;
/** Generators; a long run sets `SPATE_TEST_TASKS=10000`: an event a minute each, and a node is killed. */
const TASKS = Number(process.env['SPATE_TEST_TASKS'] ?? '300');
const IS_LONG = process.env['SPATE_TEST_TASKS'] !== undefined;
/** What two cores start in a second, with the servers on the same machine. */
const STARTS_PER_SECOND = 50;

const LONGEST_MS = 60_000 + (TASKS / STARTS_PER_SECOND) * 2_000;

const CONFIG = `input:
  - timer: {seconds: ${IS_LONG ? 60 : 10}, count: 1}
event:
  script: {path: make.mjs}
output:
  - file: {path: /dev/null}
`;

(hasNats ? describe : describe.skip)(
  `${TASKS} generators on three nodes ${hasNats ? '' : NEEDS_NATS}`,
  () => {
    let nats: NatsCluster;
    let all: SpateNodes;

    beforeAll(async () => {
      nats = await natsCluster(3);
      await nats.isReady();
      all = await spateNodes({ nats, name: 'many', lease: LEASE, replicas: 3 });
      const list = Array.from({ length: TASKS }, (_, i) => `- {id: g${i}, path: made/generator.yml}\n`).join(
        '',
      );
      await all.push(
        { 'made/generator.yml': CONFIG, 'made/make.mjs': "export const produce = () => 'x';\n" },
        list,
      );
    }, 120_000);

    afterAll(async () => {
      await all.remove();
      await nats.remove();
    });

    test(
      'all run soon after the three beats that nodes wait for each other, in fair shares',
      async () => {
        const started = Date.now();
        await Promise.all(all.nodes.map((node) => node.start()));
        const [a] = all.nodes as [SpateNode];
        /** Until the nodes that are not lost say that they run all of them. */
        const allRun = (): Promise<true> =>
          eventually(
            async () => {
              const { nodes } = await a.cluster();
              const counts = nodes.map(({ phase, generators }) => (phase === 'lost' ? 0 : generators));
              return counts.reduce((sum, count) => sum + count, 0) === TASKS ? true : null;
            },
            'all run',
            LONGEST_MS,
          );
        await allRun();
        const took = (Date.now() - started) / 1_000;
        const settled = await eventually(async () => {
          const { tasks, nodes } = await a.cluster();
          const counts = nodes.map(({ name }) => tasks.filter(({ node }) => node === name).length);
          return tasks.every(({ node, owner }) => node !== null && node === owner) ? counts : null;
        }, 'the tasks are where they belong');
        const before = await Promise.all(all.nodes.map(async (node) => (await node.cluster()).counters));
        await new Promise((resolve) => setTimeout(resolve, 10_000));
        const after = await Promise.all(all.nodes.map(async (node) => (await node.cluster()).counters));
        const writes = after.reduce(
          (sum, { bucket_writes }, i) => sum + bucket_writes - (before[i]?.bucket_writes ?? 0),
          0,
        );
        process.stderr.write(
          `${TASKS} generators ran after ${took.toFixed(1)} s (${settled.join(', ')} on the nodes); ${(writes / 10).toFixed(1)} bucket writes/s then\n`,
        );
        expect(took).toBeLessThan(9 + (LEASE / 5) * 4 + TASKS / STARTS_PER_SECOND);
        for (const count of settled) expect(Math.abs(count - TASKS / 3)).toBeLessThan(TASKS * 0.15);
        if (!IS_LONG) return;
        await all.nodes[2]?.kill('SIGKILL');
        const killed = Date.now();
        await eventually(
          async () => ((await a.cluster()).nodes.some(({ phase }) => phase === 'lost') ? true : null),
          'the loss is seen',
        );
        await allRun();
        const healed = (Date.now() - killed) / 1_000;
        process.stderr.write(`a killed node: all ran again after ${healed.toFixed(1)} s\n`);
        expect(healed).toBeLessThan(LEASE + 10 + TASKS / STARTS_PER_SECOND);
      },
      LONGEST_MS * 3,
    );
  },
);
