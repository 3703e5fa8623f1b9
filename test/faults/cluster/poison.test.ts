import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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
import { eventually, runProgram } from '../../support/instance.js';
import {
  hasClusterNats as hasNats,
  NEEDS_CLUSTER_NATS as NEEDS_NATS,
} from '../../support/servers/natsServer.js';

const LEASE = 3;
const IDS = Array.from({ length: 20 }, (_, index) => `g${index + 1}`);
const PILL = {
  'pill/generator.yml': `input:
  - timer: {seconds: 2, count: 1}
event:
  script: {path: kill.mjs}
output:
  - stdout: {}
`,
  'pill/kill.mjs': "export const produce = () => { process.kill(process.pid, 'SIGKILL'); };\n",
};
const CURE = { 'pill/kill.mjs': "export const produce = () => 'cured';\n" };
const PILL_ENTRY = '- {id: pill, path: pill/generator.yml, autostart: false}\n';
const QUARANTINE = /^in quarantine: 2 nodes in a row were lost .* SIGKILL ended its process/;

/** How long a dead node stays away, and how long the good generators are looked at: they wait for two take-overs. */
const CASES: readonly (readonly [when: string, away_ms: number, look_ms: number])[] = [
  ['at once', 0, 45_000],
  ['after two leases', 2_000 * LEASE, 120_000],
];
/** A long run, as of the series of crashes, tries both. */
const IS_LONG = process.env['SPATE_TEST_CRASHES'] !== undefined;
/** Least share of the time in which the good generators run. Beside other tests nodes take up to ten seconds to start. */
const LEAST_SHARE = IS_LONG ? 0.95 : 0.75;

(hasNats ? describe : describe.skip).each(IS_LONG ? CASES : CASES.slice(0, 1))(
  `a poison pill, nodes start again %s ${hasNats ? '' : NEEDS_NATS}`,
  (_, away_ms, look_ms) => {
    let nats: NatsCluster;
    let all: SpateNodes;
    let list = '';
    let isOver = false;

    beforeAll(async () => {
      nats = await natsCluster(3);
      await nats.isReady();
      all = await spateNodes({ nats, name: 'poison', lease: LEASE, replicas: 3 });
      list = markedList(all.folder, IDS) + PILL_ENTRY;
      await all.push({ ...MARKED, ...PILL }, list);
      await Promise.all(all.nodes.map((node) => node.start()));
    }, 120_000);

    afterAll(async () => {
      isOver = true;
      await all.remove();
      await nats.remove();
    });

    /** What a node shows of the pill. */
    const shown = async (node: SpateNode) => {
      const { body } = await node.api('GET', '/generators/pill/status');
      const { reason, health } = body as { readonly reason: string | null; readonly health: string };
      const { tasks } = await node.cluster();
      return { reason, health, problem: tasks.find(({ name }) => name === 'g.pill')?.problem ?? null };
    };

    test(
      'ends two nodes at most, then rests on all nodes with the reason until someone starts it',
      async () => {
        const [a] = all.nodes as [SpateNode, SpateNode, SpateNode];
        await settledAt(a, all.nodes);
        await allRun(a, IDS);
        const deaths: string[] = [];
        /** Starts it again whenever it has died, as a service manager does. */
        const tend = async (node: SpateNode): Promise<void> => {
          await node.program().exited;
          if (isOver) return;
          deaths.push(node.name);
          await new Promise((resolve) => setTimeout(resolve, away_ms));
          await node.start();
          return tend(node);
        };
        const tending = Promise.all(all.nodes.map(tend));
        const looks = { all: 0, running: 0 };
        const began = Date.now();
        void (await a.api('POST', '/generators/pill/start'));
        while (Date.now() - began < look_ms) {
          await new Promise((resolve) => setTimeout(resolve, 250));
          for (const node of all.nodes) {
            const phases = await phasesAt(node).catch(() => null);
            if (phases === null) continue;
            looks.all += IDS.length;
            looks.running += IDS.filter((id) => phases.get(id) === 'running').length;
            break;
          }
        }
        const share = looks.running / looks.all;
        process.stderr.write(`deaths: ${deaths.join(', ')}; running: ${(share * 100).toFixed(1)} %\n`);
        expect(deaths.length).toBeLessThanOrEqual(2);
        expect(deaths.length).toBeGreaterThan(0);
        expect(share).toBeGreaterThan(LEAST_SHARE);
        for (const node of all.nodes)
          expect(await shown(node)).toMatchObject({
            reason: expect.stringMatching(QUARANTINE),
            problem: expect.stringMatching(QUARANTINE),
            health: 'failing',
          });
        const file = join(dirname(all.folder), `${a.name}.yml`);
        const status = runProgram(['cluster', 'status', '--cluster', file]);
        await status.exited;
        expect(status.stdout()).toMatch(/generator pill .*in quarantine: 2 nodes/);
        // Started as it is, it ends a process of its own again, and no node.
        await a.api('POST', '/generators/pill/start');
        await eventually(async () => ((await shown(a)).problem === null ? null : true), 'quarantine again');
        await all.push({ ...MARKED, ...PILL, ...CURE }, list);
        await a.api('POST', '/generators/pill/start');
        await allRun(a, ['pill']);
        await eventually(async () => ((await shown(a)).problem === null ? true : null), 'no quarantine');
        expect(deaths.length).toBeLessThanOrEqual(2);
        isOver = true;
        await Promise.all(all.nodes.map((node) => node.kill('SIGTERM')));
        await tending;
        await expectComplete(all.folder, IDS);
      },
      240_000 + look_ms,
    );
  },
);
