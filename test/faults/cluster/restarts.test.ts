import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type NatsCluster, natsCluster } from '../../support/cluster/natsCluster.js';
import {
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

/** So long that a test that waits for the end of a lease fails. */
const LEASE = 15;
/** Kills; a long run sets `SPATE_TEST_KILLS=20`. */
const KILLS = Number(process.env['SPATE_TEST_KILLS'] ?? '2');
const IDS = Array.from({ length: 6 }, (_, index) => `g${index + 1}`);

(hasNats ? describe : describe.skip)(`nodes that start again ${hasNats ? '' : NEEDS_NATS}`, () => {
  let nats: NatsCluster;
  let all: SpateNodes;

  beforeAll(async () => {
    nats = await natsCluster(3);
    await nats.isReady();
  }, 120_000);

  afterEach(() => all.remove());
  afterAll(() => nats.remove());

  const sizesOf = (ids: readonly string[]): readonly number[] =>
    ids.map((id) => statSync(join(all.folder, `${id}.log`), { throwIfNoEntry: false })?.size ?? 0);

  /** Resolves when each of these generators has made an event since then. */
  const grown = (ids: readonly string[], before: readonly number[]): Promise<true> =>
    eventually(
      async () => (sizesOf(ids).every((size, index) => size > (before[index] as number)) ? true : null),
      'each generator makes events',
    );

  const begin = async (name: string, count: number): Promise<void> => {
    all = await spateNodes({ nats, name, lease: LEASE, replicas: 3, count });
    await all.push(MARKED, markedList(all.folder, IDS));
    await Promise.all(all.nodes.map((node) => node.start()));
    await settledAt(all.nodes[0] as SpateNode, all.nodes);
    await grown(
      IDS,
      IDS.map(() => 0),
    );
  };

  /** Resolves to the seconds from the kill until each of these generators has made an event. */
  const restart = async (node: SpateNode, ids: readonly string[]): Promise<number> => {
    await node.kill('SIGKILL');
    const [before, beganMs] = [sizesOf(ids), Date.now()];
    await node.start();
    await grown(ids, before);
    return (Date.now() - beganMs) / 1_000;
  };

  const tell = (what: string, times: readonly number[]): void => {
    const texts = [...times].sort((a, b) => a - b).map((time) => time.toFixed(1));
    process.stderr.write(`${what}: events again after ${texts.join(', ')} s, lease ${LEASE} s\n`);
  };

  test(
    'one that is alone makes events again long before its lease is over, and loses nothing',
    async () => {
      await begin('alone', 1);
      const [node] = all.nodes as [SpateNode];
      const times: number[] = [];
      for (let kill = 0; kill < KILLS; kill++) times.push(await restart(node, IDS));
      tell('alone', times);
      expect(Math.max(...times)).toBeLessThan(LEASE / 2);
      await node.kill('SIGTERM');
      await expectComplete(all.folder, IDS);
    },
    120_000 + KILLS * 30_000,
  );

  test(
    'one of three has its own generators again at once: no other node takes them',
    async () => {
      await begin('three', 3);
      const before = await placesAt(all.nodes[0] as SpateNode);
      const times: number[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const [victim, witness] = [0, 1].map((i) => all.nodes[(kill + i) % 3]) as [SpateNode, SpateNode];
        const own = [...before].flatMap(([id, node]) => (node === victim.name ? [id] : []));
        times.push(await restart(victim, own));
        // The victim must be steady before it dies again.
        for (const node of [witness, victim]) expect(await settledAt(node, all.nodes)).toEqual(before);
      }
      tell('of three', times);
      expect(Math.max(...times)).toBeLessThan(LEASE / 2);
      for (const node of all.nodes) expect((await node.cluster()).counters).toMatchObject({ takeovers: 0 });
      await Promise.all(all.nodes.map((node) => node.kill('SIGTERM')));
      await expectComplete(all.folder, IDS);
    },
    120_000 + KILLS * 60_000,
  );
});
