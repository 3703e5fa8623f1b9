import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type NatsCluster, natsCluster } from '../../support/cluster/natsCluster.js';
import {
  allRun,
  expectComplete,
  MARKED,
  markedList,
  placesOf,
  type SpateNode,
  type SpateNodes,
  spateNodes,
} from '../../support/cluster/spateNodes.js';
import { eventually } from '../../support/instance.js';
import {
  hasClusterNats as hasNats,
  NEEDS_CLUSTER_NATS as NEEDS_NATS,
} from '../../support/servers/natsServer.js';

const LEASE = 3;
const IDS = Array.from({ length: 12 }, (_, index) => `g${index + 1}`);

const differences = (
  before: ReadonlyMap<string, string | null>,
  after: ReadonlyMap<string, string | null>,
): readonly string[] => [...after].filter(([id, node]) => before.get(id) !== node).map(([id]) => id);

(hasNats ? describe : describe.skip)(`generators that move ${hasNats ? '' : NEEDS_NATS}`, () => {
  let nats: NatsCluster;
  let all: SpateNodes;
  let a: SpateNode;
  let b: SpateNode;
  let c: SpateNode;

  const settled = (isSo: (nodes: readonly string[]) => boolean, what: string) =>
    eventually(async () => {
      const { tasks } = await a.cluster();
      const places = placesOf(tasks);
      const nodes = [...places.values()];
      if (nodes.includes(null) || !isSo(nodes as string[])) return null;
      // A move may still be under way.
      return tasks.every(({ node, owner }) => node === owner) ? places : null;
    }, what);

  beforeAll(async () => {
    nats = await natsCluster(3);
    await nats.isReady();
    all = await spateNodes({ nats, name: 'moves', lease: LEASE });
    [a, b, c] = all.nodes as [SpateNode, SpateNode, SpateNode];
    await all.push(MARKED, markedList(all.folder, IDS));
    await Promise.all([a.start(), b.start()]);
    await allRun(a, IDS);
    await settled((nodes) => nodes.includes(a.name) && nodes.includes(b.name), 'both nodes have their share');
  }, 120_000);

  afterAll(async () => {
    await all.remove();
    await nats.remove();
  });

  test('go to a node that joins, and only its share does', async () => {
    const before = await settled(() => true, 'all are placed');
    await c.start();
    const after = await settled((nodes) => nodes.includes(c.name), 'the new node has its share');
    const moved = differences(before, after);
    expect(moved.every((id) => after.get(id) === c.name)).toBe(true);
    await allRun(a, IDS);
  }, 60_000);

  test('leave a node that is drained, and come back when it resumes', async () => {
    const before = await settled(() => true, 'all are placed');
    expect(await a.api('POST', `/cluster/nodes/${b.name}/drain`)).toMatchObject({ status: 200 });
    const drained = await settled((nodes) => !nodes.includes(b.name), 'the node is empty');
    expect(differences(before, drained).every((id) => before.get(id) === b.name)).toBe(true);
    await allRun(c, IDS);
    expect(await c.api('POST', `/cluster/nodes/${b.name}/resume`)).toMatchObject({ status: 200 });
    expect(await settled((nodes) => nodes.includes(b.name), 'it has its share again')).toEqual(before);
    await allRun(c, IDS);
  }, 90_000);

  test('do not dance while a node flaps', async () => {
    const d = await all.add();
    const before = await settled(() => true, 'all are placed');
    for (let times = 0; times < 2; times++) {
      await d.start();
      await d.kill('SIGKILL');
    }
    expect(await settled(() => true, 'all are placed')).toEqual(before);
    await allRun(a, IDS);
  }, 60_000);

  test('stop one after the other with their nodes, and nothing is lost or doubled', async () => {
    for (const node of [c, b]) {
      expect(await node.kill('SIGTERM')).toMatchObject({ code: 0 });
      await settled((nodes) => !nodes.includes(node.name), `${node.name} has left`);
      await allRun(a, IDS);
    }
    await a.kill('SIGTERM');
    expect(await expectComplete(all.folder, IDS)).toBe(0);
  }, 90_000);
});
