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

const LEASE = 2;
const IDS = Array.from({ length: 6 }, (_, index) => `g${index + 1}`);
/** A node looks again at what it refuses after two leases: this is three such looks. */
const LOOK_MS = 6 * LEASE * 1_000;

const WITH_SECRET = {
  ...MARKED,
  'made/generator.yml': `${MARKED['made/generator.yml']}  - file: {path: '\${params.to}.\${secrets.token}'}\n`,
};

(hasNats ? describe : describe.skip)(`a node without a secret ${hasNats ? '' : NEEDS_NATS}`, () => {
  let nats: NatsCluster;
  let all: SpateNodes;

  const moves = async (): Promise<number> => {
    const infos = await Promise.all(all.nodes.map((node) => node.cluster()));
    return infos.reduce((sum, { counters }) => sum + counters.moves, 0);
  };

  beforeAll(async () => {
    nats = await natsCluster(3);
    await nats.isReady();
    const env = { SPATE_KEYRING_PASSWORD: 'a password of the test' };
    all = await spateNodes({ nats, name: 'secrets', lease: LEASE, count: 2, env });
  }, 120_000);

  afterAll(async () => {
    await all.remove();
    await nats.remove();
  });

  test('leaves to another one what needs it, for good, and takes its share once it has the secret', async () => {
    const [without, with_] = all.nodes as [SpateNode, SpateNode];
    await Promise.all(all.nodes.map((node) => node.start()));
    expect(await with_.api('PUT', '/secrets/token', 'copy')).toMatchObject({ status: 200 });
    await all.push(WITH_SECRET, markedList(all.folder, IDS));
    const isAllOn = (name: string) => async () =>
      [...(await placesAt(with_)).values()].filter((place) => place === name).length === IDS.length
        ? true
        : null;
    await eventually(isAllOn(with_.name), 'the node with the secret has all');
    await allRun(with_, IDS);
    const { nodes } = await with_.cluster();
    const refused = nodes.find(({ name }) => name === without.name)?.refused ?? [];
    expect(refused).toEqual([
      { reason: expect.stringContaining("secret 'token' is not in the keyring"), tasks: expect.anything() },
    ]);

    const before = await moves();
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    expect(await moves()).toBe(before);
    expect(await isAllOn(with_.name)()).toBe(true);

    expect(await without.api('PUT', '/secrets/token', 'copy')).toMatchObject({ status: 200 });
    await eventually(
      async () => ([...(await placesAt(with_)).values()].includes(without.name) ? true : null),
      'the node that has the secret now has its share',
    );
    await allRun(without, IDS);
    await Promise.all(all.nodes.map((node) => node.kill('SIGTERM')));
    await expectComplete(all.folder, IDS);
  }, 180_000);
});
