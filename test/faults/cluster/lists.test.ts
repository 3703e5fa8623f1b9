import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GeneratorListItem } from '../../../src/messages/generators.js';
import { type NatsCluster, natsCluster } from '../../support/cluster/natsCluster.js';
import {
  allRun,
  MARKED,
  markedList,
  placesAt,
  type SpateNode,
  type SpateNodes,
  settledAt,
  spateNodes,
} from '../../support/cluster/spateNodes.js';
import { eventually } from '../../support/instance.js';
import { dataOf, eventReader } from '../../support/servers/eventSource.js';
import {
  hasClusterNats as hasNats,
  NEEDS_CLUSTER_NATS as NEEDS_NATS,
} from '../../support/servers/natsServer.js';

/** Longer than a list waits for a node, so that it is frozen before it is lost. */
const LEASE = 6;
const IDS = Array.from({ length: 9 }, (_, index) => `g${index + 1}`);

(hasNats ? describe : describe.skip)(`a node that stands still ${hasNats ? '' : NEEDS_NATS}`, () => {
  let nats: NatsCluster;
  let all: SpateNodes;
  let a: SpateNode;
  let b: SpateNode;

  const rows = async (): Promise<readonly GeneratorListItem[]> => {
    const { status, body } = await a.api('GET', '/generators/');
    expect(status).toBe(200);
    return body as readonly GeneratorListItem[];
  };
  const phaseOf = async (name: string): Promise<string | undefined> =>
    (await a.cluster()).nodes.find((node) => node.name === name)?.phase;

  beforeAll(async () => {
    nats = await natsCluster(3);
    await nats.isReady();
    all = await spateNodes({ nats, name: 'lists', lease: LEASE });
    [a, b] = all.nodes as [SpateNode, SpateNode, SpateNode];
    await all.push(MARKED, markedList(all.folder, IDS));
    await Promise.all(all.nodes.map((node) => node.start()));
    await allRun(a, IDS);
    await settledAt(a, all.nodes);
  }, 120_000);

  afterAll(async () => {
    await all.remove();
    await nats.remove();
  });

  test('is in the list with its generators and the reason, is lost, and is removed', async () => {
    const places = await placesAt(a);
    const id = IDS.find((one) => places.get(one) === b.name) as string;
    const response = await fetch(`${a.url}/generators/${id}/tail`);
    const tail = eventReader(response.body as unknown as AsyncIterable<Uint8Array>);
    await tail.until((events) => events.some(({ event }) => event === 'event'));

    b.freeze();
    const frozen = await rows();
    expect(frozen.map((row) => row.id).sort()).toEqual([...IDS].sort());
    expect(frozen.find((row) => row.id === id)).toMatchObject({
      node: b.name,
      status: { reason: expect.stringContaining('its node does not answer') },
    });
    expect(await a.api('DELETE', `/cluster/nodes/${b.name}`)).toMatchObject({ status: 409 });

    await allRun(a, IDS);
    expect(await phaseOf(b.name)).toBe('lost');
    expect((await rows()).map(({ node }) => node)).not.toContain(b.name);
    await tail.until((events) => {
      const moved = events.findIndex(({ event }) => event === 'moved');
      return moved !== -1 && events.slice(moved).some(({ event }) => event === 'event');
    });
    expect(dataOf(tail.events(), 'state')).not.toContainEqual(expect.objectContaining({ phase: 'removed' }));
    await tail.close();

    expect(await a.api('DELETE', `/cluster/nodes/${b.name}`)).toMatchObject({ status: 200 });
    await eventually(async () => ((await phaseOf(b.name)) === undefined ? true : null), 'b is removed');
    b.thaw();
    await eventually(async () => ((await phaseOf(b.name)) === 'member' ? true : null), 'b is a member again');
    await settledAt(a, all.nodes);
  }, 120_000);
});
