import { expect, test } from '@jest/globals';
import { natsCluster } from '../support/cluster/natsCluster.js';
import {
  allRun,
  MARKED,
  markedList,
  phasesAt,
  type SpateNode,
  settledAt,
  spateNodes,
} from '../support/cluster/spateNodes.js';
import { eventually } from '../support/instance.js';
import {
  hasClusterNats as hasNats,
  NEEDS_CLUSTER_NATS as NEEDS_NATS,
} from '../support/servers/natsServer.js';
import { TRACED, traceProgram } from '../support/trace.js';
import { expectWalk } from './walks.js';

const IDS = ['g1', 'g2', 'g3', 'g4'];
const NAME = 'a take-over goes through the files that its walk tells of';

(hasNats ? test : test.skip)(`${NAME} ${hasNats ? '' : NEEDS_NATS}`, async () => {
  const nats = await natsCluster(3);
  await nats.isReady();
  const all = await spateNodes({ nats, name: 'walk', lease: 3, count: 2, env: TRACED });
  try {
    await all.push(MARKED, markedList(all.folder, IDS));
    await Promise.all(all.nodes.map((node) => node.start()));
    const [a, b] = all.nodes as [SpateNode, SpateNode];
    await settledAt(a, all.nodes);
    await allRun(a, IDS);
    const trace = await traceProgram(a.program());
    await trace.take();
    await b.kill('SIGKILL');
    const isLost = async () => [...(await phasesAt(a)).values()].some((phase) => phase !== 'running');
    await eventually(async () => ((await isLost()) ? true : null), 'the loss of a node is seen');
    await allRun(a, IDS);
    const { main } = await trace.take();
    trace.end();
    expect(main.size).toBeGreaterThan(10);
    expectWalk('takeover', main);
  } finally {
    await all.remove();
    await nats.remove();
  }
});
