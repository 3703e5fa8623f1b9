import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type NatsCluster, natsCluster } from '../../support/cluster/natsCluster.js';
import {
  allRun,
  expectComplete,
  MARKED,
  markedList,
  phasesAt,
  placesAt,
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

/** Two thirds of it are longer than the election of a NATS leader, which takes up to 9 s. */
const LEASE = 15;
const IDS = Array.from({ length: 6 }, (_, index) => `g${index + 1}`);

const seconds = (count: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, count * 1_000);
  });

(hasNats ? describe : describe.skip)(`NATS servers that are lost ${hasNats ? '' : NEEDS_NATS}`, () => {
  let nats: NatsCluster;
  let all: SpateNodes;
  let a: SpateNode;

  beforeAll(async () => {
    nats = await natsCluster(3);
    await nats.isReady();
    all = await spateNodes({ nats, name: 'loss', lease: LEASE, replicas: 3 });
    [a] = all.nodes as [SpateNode];
    await all.push(MARKED, markedList(all.folder, IDS));
    await Promise.all(all.nodes.map((node) => node.start()));
    await allRun(a, IDS);
  }, 120_000);

  afterAll(async () => {
    await all.remove();
    await nats.remove();
  });

  test('one of three, the leader of the nodes: nothing moves or stops', async () => {
    const before = await settledAt(a, all.nodes);
    const leader = await nats.leaderOf('KV_spate-loss-nodes');
    if (leader === null) throw new Error('no server leads the nodes');
    await leader.kill();
    await seconds(LEASE);
    expect(await placesAt(a)).toEqual(before);
    await allRun(a, IDS);
    for (const node of all.nodes) {
      const { counters } = await node.cluster();
      expect({ node: node.name, ...counters }).toMatchObject({ takeovers: 0, isolations: 0 });
    }
    await leader.start();
    await nats.isReady();
  }, 120_000);

  test('all three for 20 s: generators stop in time, requests are answered, and all goes on without a restart', async () => {
    await settledAt(a, all.nodes);
    await Promise.all(nats.servers.map((server) => server.kill()));
    await eventually(async () => {
      const phases = await phasesAt(a);
      return [...phases.values()].includes('running') ? null : true;
    }, 'the generators have stopped');
    expect((await a.api('GET', '/startup/')).status).toBe(200);
    expect((await a.api('GET', '/generators/')).body).toHaveLength(IDS.length);
    expect((await a.cluster()).state_age_seconds).toBeGreaterThan(0);
    expect(await a.api('DELETE', '/startup/g1')).toMatchObject({ status: 503 });
    expect(await a.cluster()).toMatchObject({ is_connected: false, phase: 'isolated' });
    await seconds(8);
    await Promise.all(nats.servers.map((server) => server.start()));
    await nats.isReady();
    await allRun(a, IDS);
    await Promise.all(all.nodes.map((node) => node.kill('SIGTERM')));
    await expectComplete(all.folder, IDS);
  }, 180_000);
});
