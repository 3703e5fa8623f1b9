import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type NatsCluster, natsCluster } from '../../support/cluster/natsCluster.js';
import { phasesAt, type SpateNode, type SpateNodes, spateNodes } from '../../support/cluster/spateNodes.js';
import { eventually } from '../../support/instance.js';
import {
  hasClusterNats as hasNats,
  NEEDS_CLUSTER_NATS as NEEDS_NATS,
} from '../../support/servers/natsServer.js';

const LEASE = 3;
const PARTITIONS = 6;
/** Ordinals of the schedule: fifty a second for 20 seconds. */
const LINES = 1_000;

const CONFIG = `input:
  - timer: {seconds: 0.1, count: 5, repeat: ${LINES / 5}}
event:
  replay: {path: lines.txt}
output:
  - file: {path: '\${params.to}'}
`;

(hasNats ? describe : describe.skip)(`partitions on three nodes ${hasNats ? '' : NEEDS_NATS}`, () => {
  let nats: NatsCluster;
  let all: SpateNodes;

  beforeAll(async () => {
    nats = await natsCluster(3);
    await nats.isReady();
    all = await spateNodes({ nats, name: 'partitions', lease: LEASE });
    const lines = Array.from({ length: LINES }, (_, ordinal) => `ordinal ${ordinal}\n`).join('');
    const to = join(all.folder, 'all.log');
    writeFileSync(to, '');
    await all.push(
      { 'made/generator.yml': CONFIG, 'made/lines.txt': lines },
      `- {id: p, path: made/generator.yml, partitions: ${PARTITIONS}, params: {to: ${to}}}\n`,
    );
    await Promise.all(all.nodes.map((node) => node.start()));
  }, 120_000);

  afterAll(async () => {
    await all.remove();
    await nats.remove();
  });

  test('make every ordinal of the schedule, also when a node dies in the middle', async () => {
    const [a, b] = all.nodes as [SpateNode, SpateNode];
    const ordinals = (): readonly number[] =>
      [...readFileSync(join(all.folder, 'all.log'), 'utf8').matchAll(/^ordinal (\d+)$/gm)].map(([, text]) =>
        Number(text),
      );
    await eventually(async () => (ordinals().length > LINES / 4 ? true : null), 'a quarter is there');
    const { tasks } = await a.cluster();
    expect(new Set(tasks.map(({ node }) => node)).size).toBeGreaterThan(1);
    expect((await phasesAt(a)).get('p')).toBe('running');
    await b.kill('SIGKILL');
    await eventually(
      async () => ((await phasesAt(a)).get('p') === 'finished' ? true : null),
      'the generator has finished',
    );
    const made = ordinals();
    expect([...new Set(made)].sort((x, y) => x - y)).toEqual(Array.from({ length: LINES }, (_, i) => i));
    // Only what was made after the last save of the node that died is there twice.
    expect(made.length - LINES).toBeLessThan(200);
  }, 120_000);
});
