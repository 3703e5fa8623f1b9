import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type NatsCluster, natsCluster } from '../../support/cluster/natsCluster.js';
import {
  allRun,
  expectComplete,
  MARKED,
  markedList,
  placesAt,
  type SpateNode,
  type SpateNodes,
  spateNodes,
} from '../../support/cluster/spateNodes.js';
import { eventually } from '../../support/instance.js';
import {
  hasClusterNats as hasNats,
  NEEDS_CLUSTER_NATS as NEEDS_NATS,
} from '../../support/servers/natsServer.js';

const PLAIN = ['g1', 'g2', 'g3', 'g4'];
const OWN = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const ALL = [...PLAIN, ...OWN];

(hasNats ? describe : describe.skip)(`nodes with different settings ${hasNats ? '' : NEEDS_NATS}`, () => {
  let nats: NatsCluster;
  let all: SpateNodes;

  beforeAll(async () => {
    nats = await natsCluster(3);
    await nats.isReady();
    const settings = ['timezone: UTC', 'timezone: Europe/Berlin'];
    all = await spateNodes({ nats, name: 'settings', lease: 3, replicas: 3, count: 2, settings });
    const own = markedList(all.folder, OWN, ', timezone: Asia/Tokyo');
    await all.push(MARKED, `${markedList(all.folder, PLAIN)}${own}`);
  }, 120_000);

  afterAll(async () => {
    await all.remove();
    await nats.remove();
  });

  test('the younger takes only what its settings do not change, says which differ, and no stream starts over', async () => {
    const [older, younger] = all.nodes as [SpateNode, SpateNode];
    await older.start();
    await allRun(older, ALL);
    await younger.start();
    const places = await eventually(async () => {
      const now = await placesAt(older);
      const isMoved = OWN.some((id) => now.get(id) === younger.name);
      return isMoved && ALL.every((id) => typeof now.get(id) === 'string') ? now : null;
    }, 'the younger node has its share');
    expect(PLAIN.map((id) => places.get(id))).toEqual(PLAIN.map(() => older.name));
    for (const node of all.nodes) {
      const { nodes } = await node.cluster();
      expect(nodes.find(({ name }) => name === older.name)?.refused).toEqual([]);
      expect(nodes.find(({ name }) => name === younger.name)?.refused).toEqual([
        {
          reason: expect.stringContaining(
            'generation.timezone is "Europe/Berlin" on this node and "UTC" on node "node-a"',
          ),
          tasks: PLAIN.map((id) => expect.stringContaining(id)),
        },
      ]);
    }
    await allRun(younger, ALL);
    await Promise.all(all.nodes.map((node) => node.kill('SIGTERM')));
    await expectComplete(all.folder, ALL);
  }, 180_000);
});
