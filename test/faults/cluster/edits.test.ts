import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type NatsCluster, natsCluster } from '../../support/cluster/natsCluster.js';
import {
  allRun,
  MARKED,
  markedList,
  phasesAt,
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
const IDS = ['g1', 'g2', 'g3', 'g4'];
const MEMBER = 'member';

(hasNats ? describe : describe.skip)(`requests to any node ${hasNats ? '' : NEEDS_NATS}`, () => {
  let nats: NatsCluster;
  let all: SpateNodes;

  /** Waits while a task moves. */
  const nodeOf = (id: string): Promise<SpateNode> =>
    eventually(async () => {
      const { tasks } = await (all.nodes[0] as SpateNode).cluster();
      if (!tasks.every(({ node, owner }) => node !== null && node === owner)) return null;
      const name = tasks.find(({ generator_ids }) => generator_ids.includes(id))?.node;
      return all.nodes.find((node) => node.name === name) ?? null;
    }, `a node has ${id}`);
  const othersThan = (node: SpateNode): readonly SpateNode[] => all.nodes.filter((other) => other !== node);

  beforeAll(async () => {
    nats = await natsCluster(3);
    await nats.isReady();
    all = await spateNodes({ nats, name: 'edits', lease: LEASE });
    const list = `${markedList(all.folder, IDS)}${markedList(all.folder, [MEMBER], ', scenarios: [shop]')}`;
    await all.push(MARKED, list);
    await Promise.all(all.nodes.map((node) => node.start()));
    await allRun(all.nodes[0] as SpateNode, [...IDS, MEMBER]);
  }, 120_000);

  afterAll(async () => {
    await all.remove();
    await nats.remove();
  });

  test('reach the generator that they are about, streams included', async () => {
    const holder = await nodeOf('g1');
    const [other] = othersThan(holder) as [SpateNode];
    const stats = await other.api('GET', '/generators/g1/stats');
    expect(stats).toMatchObject({ status: 200, body: { id: 'g1' } });
    expect(await other.api('POST', '/generators/g1/stop')).toMatchObject({ status: 200 });
    expect((await phasesAt(holder)).get('g1')).toBe('stopped');
    expect(await other.api('POST', '/generators/g1/start')).toMatchObject({ status: 200 });
    const tail = new AbortController();
    const response = await fetch(`${other.url}/generators/g1/tail`, { signal: tail.signal });
    let text = '';
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(part);
      if (text.includes('an event')) break;
    }
    tail.abort();
    expect(text).toContain('an event');
  }, 60_000);

  test('show the events of every node in one stream', async () => {
    const [a] = all.nodes as [SpateNode];
    const stream = new AbortController();
    const response = await fetch(`${a.url}/events`, { signal: stream.signal });
    const seen = new Set<string>();
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      for (const [, id] of new TextDecoder().decode(part).matchAll(/"id":"([^"]+)"/g)) seen.add(id as string);
      if (seen.size === IDS.length + 1) break;
    }
    stream.abort();
    expect([...seen].sort()).toEqual([...IDS, MEMBER].sort());
  }, 60_000);

  test('change one file on two nodes: one wins, the other is told', async () => {
    const [a, b] = all.nodes as [SpateNode, SpateNode];
    const write = (node: SpateNode, text: string) =>
      fetch(`${node.url}/generator-configs/made/file/note.txt`, { method: 'POST', body: formOf(text) });
    expect((await write(a, 'first')).status).toBe(201);
    const put = async (node: SpateNode, text: string) =>
      (
        await fetch(`${node.url}/generator-configs/made/file/note.txt`, {
          method: 'PUT',
          body: text,
          headers: { 'content-type': 'text/plain' },
        })
      ).status;
    await eventually(
      async () =>
        (await b.api('GET', '/generator-configs/made/file-tree')).status === 200 &&
        (await readNote(b)) === 'first'
          ? true
          : null,
      'the other node has the file',
    );
    const answers = await Promise.all([put(a, 'of a'), put(b, 'of b')]);
    expect([...answers].sort()).toEqual([200, 412]);
    const winner = answers[0] === 200 ? 'of a' : 'of b';
    for (const node of all.nodes)
      await eventually(
        async () => ((await readNote(node)) === winner ? true : null),
        `${node.name} has what won`,
      );
  }, 60_000);

  test('take the entity tag of one node for a change on another one', async () => {
    const [a, b] = all.nodes as [SpateNode, SpateNode];
    const tagAt = async (node: SpateNode, path: string) =>
      (await fetch(`${node.url}${path}`)).headers.get('etag') ?? '';
    const note = '/generator-configs/made/file/note.txt';
    for (const path of [note, '/generator-configs/made', '/startup/g1', `/startup/${MEMBER}`])
      expect(await tagAt(b, path)).toBe(await tagAt(a, path));
    const put = async (tag: string) =>
      (
        await fetch(`${b.url}${note}`, {
          method: 'PUT',
          body: 'next',
          headers: { 'content-type': 'text/plain', 'if-match': tag },
        })
      ).status;
    const tag = await tagAt(a, note);
    expect([await put(tag), await put(tag)]).toEqual([200, 412]);
  }, 60_000);

  test('change the startup list on all nodes at the same time: every entry is there', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `new${index}`);
    const answers = await Promise.all(
      ids.map((id, index) =>
        (all.nodes[index % 3] as SpateNode).api('POST', `/startup/${id}`, {
          path: 'made/generator.yml',
          params: { to: join(all.folder, `${id}.log`) },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 201));
    for (const node of all.nodes) await allRun(node, ids);
  }, 60_000);

  test('keep a generator stopped that a person has stopped, also when its node dies', async () => {
    const holder = await nodeOf('g2');
    const [other] = othersThan(holder) as [SpateNode];
    expect(await other.api('POST', '/generators/g2/stop')).toMatchObject({ status: 200 });
    await holder.kill('SIGKILL');
    await eventually(async () => {
      const { tasks } = await other.cluster();
      const task = tasks.find(({ generator_ids }) => generator_ids.includes('g2'));
      return task?.node !== null && task?.node !== holder.name ? true : null;
    }, 'another node has it');
    expect((await phasesAt(other)).get('g2')).toBe('idle');
    await holder.start();
    await eventually(
      async () => ((await other.cluster()).tasks.every(({ node, owner }) => node === owner) ? true : null),
      'the cluster has settled',
    );
  }, 90_000);

  test('change globals 100 times a second while the node that has them dies: every answered change is there', async () => {
    const holder = await nodeOf(MEMBER);
    const [other] = othersThan(holder) as [SpateNode];
    const answered: string[] = [];
    const over = new AbortController();
    const patching = (async () => {
      for (let number = 0; !over.signal.aborted; number++) {
        const key = `k${number}`;
        const { status } = await other.api('PATCH', '/scenarios/shop/globals', { [key]: number });
        if (status === 200) answered.push(key);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    await eventually(async () => (answered.length > 50 ? true : null), 'changes are answered');
    await holder.kill('SIGKILL');
    const before = answered.length;
    await eventually(async () => (answered.length > before + 50 ? true : null), 'changes are answered again');
    over.abort();
    await patching;
    const { body } = await other.api('GET', '/scenarios/shop/globals');
    expect(answered.filter((key) => !Object.hasOwn(body as object, key))).toEqual([]);
  }, 90_000);

  const readNote = async (node: SpateNode): Promise<string | null> => {
    try {
      return await readFile(join(node.folder, 'generators/made/note.txt'), 'utf8');
    } catch {
      return null;
    }
  };
  const formOf = (text: string): FormData => {
    const form = new FormData();
    form.set('content', new Blob([text]));
    return form;
  };
});
