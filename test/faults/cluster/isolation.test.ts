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
  settledAt,
  spateNodes,
} from '../../support/cluster/spateNodes.js';
import { eventually } from '../../support/instance.js';
import {
  hasClusterNats as hasNats,
  NEEDS_CLUSTER_NATS as NEEDS_NATS,
} from '../../support/servers/natsServer.js';

const LEASE = 3;
const IDS = Array.from({ length: 9 }, (_, index) => `g${index + 1}`);
/** Events of all generators in the two seconds between two saves of a position, twice. */
const WINDOW = IDS.length * 50 * 2 * 2;

const seconds = (count: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, count * 1_000);
  });

(hasNats ? describe : describe.skip)(`a node that the others lose ${hasNats ? '' : NEEDS_NATS}`, () => {
  let nats: NatsCluster;
  let all: SpateNodes;
  let a: SpateNode;
  let b: SpateNode;

  /** Resolves when a node holds none of the generators, or some. */
  const holds = (node: SpateNode, hasSome: boolean): Promise<true> =>
    eventually(
      async () => {
        const places = [...(await placesAt(a)).values()];
        return places.includes(node.name) === hasSome && !places.includes(null) ? true : null;
      },
      `${node.name} holds ${hasSome ? 'some' : 'none'}`,
    );

  beforeAll(async () => {
    nats = await natsCluster(3);
    await nats.isReady();
    all = await spateNodes({ nats, name: 'isolation', lease: LEASE });
    [a, b] = all.nodes as [SpateNode, SpateNode, SpateNode];
    await all.push(MARKED, markedList(all.folder, IDS));
    await Promise.all(all.nodes.map((node) => node.start()));
    await allRun(a, IDS);
  }, 120_000);

  afterAll(async () => {
    await all.remove();
    await nats.remove();
  });

  test('for a second keeps its generators', async () => {
    const before = await settledAt(a, all.nodes);
    b.way.cut('silent');
    await seconds(1);
    b.way.heal();
    await seconds(LEASE);
    expect(await placesAt(a)).toEqual(before);
    await allRun(a, IDS);
  }, 60_000);

  test('for several leases stops, and takes its share again when it is back', async () => {
    b.way.cut('silent');
    await holds(b, false);
    await allRun(a, IDS);
    const own = await b.api('GET', '/generators/');
    expect(own.status).toBe(200);
    const edit = await b.api('DELETE', '/startup/g1');
    expect(edit).toMatchObject({ status: 503 });
    b.way.heal();
    await holds(b, true);
    await allRun(b, IDS);
  }, 120_000);

  test('because it is frozen stops before its next write', async () => {
    b.freeze();
    await holds(b, false);
    await seconds(LEASE);
    b.thaw();
    await holds(b, true);
    await allRun(b, IDS);
  }, 120_000);

  test('loses nothing, and doubles only what was made after the last save', async () => {
    await Promise.all(all.nodes.map((node) => node.kill('SIGTERM')));
    expect(await expectComplete(all.folder, IDS)).toBeLessThan(WINDOW);
  }, 60_000);
});
