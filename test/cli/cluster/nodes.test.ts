import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  DOCUMENT_FORMAT,
  LEASE_FORMAT,
  parseOrders,
  printClusterDocument,
} from '../../../src/cluster/documents.js';
import { encodeToken, generatorKey, ordersKey } from '../../../src/cluster/keys.js';
import type { ClusterInfo } from '../../../src/messages/cluster.js';
import { bytes } from '../../support/cluster/link.js';
import { right } from '../../support/either.js';
import { eventually, freePort, type Instance, makeInstance } from '../../support/instance.js';
import { hasClusterNats, NEEDS_CLUSTER_NATS } from '../../support/servers/natsServer.js';
import { fakeIo, folderWith, spate } from '../support.js';
import { type ClusterRig, clusterFolder, clusterRig, listOf } from './rig.js';

const describeNats = hasClusterNats ? describe : describe.skip;

/** Nodes start, take leases and move generators; a busy machine is slow. */
const NODES_MS = 120_000;
const MORE = 'lease: 2\n';

const infoOf = (out: string): ClusterInfo => JSON.parse(out) as ClusterInfo;

describeNats(`the commands of a cluster ${NEEDS_CLUSTER_NATS}`, () => {
  let rig: ClusterRig;
  let cwd: string;
  beforeAll(async () => {
    rig = await clusterRig();
    cwd = await clusterFolder(rig, ['web']);
  });
  afterAll(() => rig.remove());

  describe('without nodes', () => {
    test('status says that no node answers', async () => {
      expect(await rig.run('status', cwd)).toEqual({
        code: 1,
        out: 'cluster lab: no node answers. NATS stores 0 nodes and 0 leases.\n',
        err: '',
      });
    });

    test('status shows what NATS stores of nodes that are gone', async () => {
      const key = encodeToken('node-z');
      const node = {
        format: LEASE_FORMAT,
        session: 's',
        follows: null,
        previous: null,
        since: 0,
        generation: {},
        version: '9.9.9',
        api: 'http://z:9474',
        capacity: 1,
        labels: {},
        beat: 3,
        load: { generators: 7, events_per_second: 1, cpu: 0 },
        local: [],
        draining: false,
        refused: [],
        problems: [],
      };
      const since = '2026-01-01T00:00:00Z';
      const lease = { format: LEASE_FORMAT, node: 'node-z', session: 's', epoch: 1, deaths: 0, since };
      right(await rig.link.nodes.write(key, printClusterDocument(node), 0));
      right(await rig.link.leases.write(generatorKey('web'), printClusterDocument(lease), 0));
      const { code, out, err } = await rig.run('status', cwd);
      const json = await rig.run('status --json', cwd);
      right(await rig.link.nodes.remove(key, null));
      right(await rig.link.leases.remove(generatorKey('web'), null));
      expect(code).toBe(1);
      expect(err).toMatch(/^spate: node node-z: /);
      expect(out).toBe(`cluster lab: no node answers. NATS stores 1 node and 1 lease.

node    version  address        generators
node-z  9.9.9    http://z:9474  7

lease          node    since
generator web  node-z  ${since}
`);
      expect(json.code).toBe(1);
      expect(JSON.parse(json.out)).toEqual({
        name: 'lab',
        node: null,
        nodes: [{ name: 'node-z', document: node }],
        leases: [{ key: generatorKey('web'), node: 'node-z', since }],
      });
    });

    describe('with a node that answers as it is told', () => {
      const info = (held: number): ClusterInfo => ({
        name: 'lab',
        node: 'node-q',
        phase: 'member',
        is_connected: true,
        state_age_seconds: 1,
        lease_seconds: 2,
        nodes: [],
        tasks: Array.from({ length: held }, (_, i) => ({
          name: `g.web${i}`,
          generator_ids: [`web${i}`],
          scenarios: [],
          node: 'node-q',
          owner: 'node-r',
          since: null,
          problem: null,
        })),
        counters: {
          takeovers: 0,
          last_takeover_ms: 0,
          moves: 0,
          isolations: 0,
          bucket_reads: 0,
          bucket_writes: 0,
        },
      });

      /** Serves `node-q`: one answer after the other, the last one again and again; `null`: nonsense. */
      const withNode = async (
        answers: readonly (ClusterInfo | null)[],
        work: () => Promise<void>,
      ): Promise<void> => {
        const ending = new AbortController();
        const left = [...answers];
        const next = (): ClusterInfo | null => (left.length > 1 ? left.shift() : left[0]) ?? null;
        const serve = async () => {
          const answer = next();
          return { head: bytes(JSON.stringify(answer === null ? 'what?' : { right: answer })), stream: null };
        };
        rig.link.calls.serve('node-q', serve, ending.signal);
        right(await rig.link.nodes.write(encodeToken('node-q'), bytes('{}'), null));
        try {
          await work();
        } finally {
          ending.abort();
          right(await rig.link.nodes.remove(encodeToken('node-q'), null));
          right(await rig.link.startup.remove(ordersKey('node-q'), null));
        }
      };
      const terminal = { terminals: ['stderr'] as const };

      test('status says in words what is wrong with a node', () => {
        const problem = 'NATS does not permit its user to publish to "a". Correct the permissions.';
        const node: ClusterInfo['nodes'][number] = {
          ...{ name: 'node-q', phase: 'joining' as const, api: null, version: '1', capacity: 1, labels: {} },
          ...{ generators: 0, events_per_second: 0, cpu: 0, seen_seconds_ago: 0, is_drained: false },
          ...{ refused: [], problems: [problem] },
        };
        return withNode([{ ...info(0), nodes: [node] }], async () => {
          const { out } = await rig.run('status', cwd);
          expect(out).toContain('node-q  joining ');
          expect(out).toContain(`\nnode-q: ${problem}\n`);
        });
      });

      test('drain shows how much is left until the node is empty', () =>
        withNode([info(2), info(1), info(0)], async () => {
          const { code, out, err } = await rig.run('drain node-q', cwd, terminal);
          expect({ code, out }).toEqual({ code: 0, out: 'Node "node-q" is empty.\n' });
          expect(err).toMatch(/draining node-q: 2 tasks left.*draining node-q: 1 task left/s);
        }));

      test('drain fails at the timeout and names what is left; the order stands', () =>
        withNode([info(22)], async () => {
          const { code, out, err } = await rig.run('drain node-q --timeout 1', cwd);
          expect({ code, out }).toEqual({ code: 1, out: '' });
          expect(err).toMatch(
            /^spate: node "node-q" is not empty after 1 s: it still holds 22 tasks:\n {2}generator web0\n/,
          );
          expect(err).toMatch(/\n {2}generator web19\n {2}and 2 more tasks\n$/);
          const order = right(await rig.link.startup.read(ordersKey('node-q')));
          const parsed = parseOrders(order?.value ?? new Uint8Array());
          expect(parsed).toMatchObject({ kind: 'valid', document: { drain: true } });
        }));

      test('a node of another version is told apart from one that is gone', () =>
        withNode([null], async () => {
          expect(await rig.run('status', cwd)).toMatchObject({
            code: 1,
            err: 'spate: node node-q sent no status. Run the same version on all nodes.\n',
          });
          expect((await rig.run('drain node-q --timeout 1', cwd)).err).toContain(
            'no node says what it holds',
          );
        }));
    });

    test.each(['drain', 'resume', 'remove'])('%s names the nodes that it knows', async (command) => {
      expect(await rig.run(`${command} node-x`, cwd)).toEqual({
        code: 1,
        out: '',
        err: 'spate: there is no node "node-x": the cluster has no nodes\n',
      });
    });

    test('remove takes a node away that is silent for a lease, and no other', async () => {
      const folder = await folderWith({ 'cluster.yml': rig.clusterFile('lease: 1\n') });
      const key = encodeToken('node-z');
      right(await rig.link.nodes.write(key, bytes('{}'), null));
      right(await rig.link.startup.write(ordersKey('node-z'), bytes('{}'), null));
      const pulse = setInterval(() => void rig.link.nodes.write(key, bytes('{}'), null), 100);
      const refused = await rig.run('remove node-z', folder);
      clearInterval(pulse);
      expect(refused).toEqual({
        code: 1,
        out: '',
        err: 'spate: node "node-z" is not lost: it has just been heard\n',
      });
      expect(await rig.run('remove node-z', folder)).toEqual({
        code: 0,
        out: 'Node "node-z" is removed.\n',
        err: '',
      });
      expect(right(await rig.link.nodes.read(key))).toBeNull();
      expect(right(await rig.link.startup.read(ordersKey('node-z')))).toBeNull();
    });

    test('a drained node that is stopped is known', async () => {
      const orders = { format: DOCUMENT_FORMAT, drain: true };
      right(await rig.link.startup.write(ordersKey('node.é'), printClusterDocument(orders), null));
      expect((await rig.run('resume other', cwd)).err).toContain('the cluster has node.é');
      expect(await rig.run('resume node.é', cwd)).toMatchObject({ code: 0 });
      expect((await rig.run('resume other', cwd)).err).toContain('the cluster has no nodes');
    });

    test.each(['status', 'drain a', 'resume a', 'remove a'])('%s needs a cluster file', async (line) => {
      expect(await spate(`cluster ${line}`, fakeIo({ cwd }))).toMatchObject({
        code: 2,
        err: expect.stringContaining('give --cluster FILE or set SPATE_CLUSTER'),
      });
    });

    test(
      'servers that do not answer are an error',
      async () => {
        const port = await freePort();
        const folder = await folderWith({ 'cluster.yml': `nats: {servers: ["127.0.0.1:${port}"]}\n` });
        expect(await rig.run('status', folder)).toMatchObject({
          code: 1,
          out: '',
          err: expect.stringContaining(`spate: cannot connect to NATS at 127.0.0.1:${port}: `),
        });
      },
      NODES_MS,
    );
  });

  describe('with two nodes', () => {
    const nodes: Instance[] = [];

    const startNode = async (name: string, more = ''): Promise<Instance> => {
      const file = join(cwd, `${name}.yml`);
      await writeFile(file, rig.clusterFile(`node: ${name}\n${MORE}${more}`));
      const node = await makeInstance({ startup: '[]\n', generators: {}, env: { SPATE_CLUSTER: file } });
      nodes.push(node);
      await node.start();
      return node;
    };

    const until = (what: string, holds: (info: ClusterInfo) => boolean): Promise<ClusterInfo> =>
      eventually(async () => {
        const { code, out } = await rig.run('status --json', cwd);
        const info = code === 0 ? infoOf(out) : null;
        return info !== null && holds(info) ? info : null;
      }, what);
    const isPlaced = ({ tasks, nodes: seen }: ClusterInfo): boolean =>
      tasks.every(({ node }) => node !== null) && seen.every(({ phase }) => phase === 'member');

    beforeAll(async () => {
      await writeFile(
        join(cwd, 'startup.yml'),
        `${listOf('web')}  scenarios: [shop]\n- id: split\n  path: web/generator.yml\n  partitions: 2\n`,
      );
      expect(await rig.run('push generators startup.yml', cwd)).toMatchObject({ code: 0 });
      await Promise.all([startNode('node-a', 'labels: {zone: a}\n'), startNode('node-b')]);
      await until(
        'all tasks are held',
        (info) => info.nodes.length === 2 && info.tasks.length === 3 && isPlaced(info),
      );
    }, NODES_MS);
    afterAll(() => Promise.all(nodes.map((node) => node.remove())), NODES_MS);

    test('status shows nodes and tasks in words', async () => {
      const { code, out, err } = await rig.run('status', cwd);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(/^cluster lab: 2 nodes, 3 of 3 tasks held, lease 2 s; answered by node-[ab]\n/);
      expect(out).toMatch(/\nnode +state +generators +events\/s +cores +capacity +seen +labels\n/);
      expect(out).toMatch(/\nnode-a +member +\d +[\d.]+ +[\d.]+ +1 +\d+ s ago +zone=a\n/);
      expect(out).toMatch(/\nscenario shop: web +node-[ab] +2\d{3}-\S+Z\n/);
      expect(out).toMatch(/\npartition split~0 +node-[ab] /);
      expect(out).toMatch(/\npartition split~1 +node-[ab] /);
      expect(out).toMatch(
        /\nnode-[ab] since its start: 0 takeovers, \d+ moves?, 0 isolations; \d+ reads and [\d,]+ writes of buckets\n$/,
      );
    });

    test('status --json is what a node answers', async () => {
      const info = infoOf((await rig.run('status --json', cwd)).out);
      expect(info).toMatchObject({
        name: 'lab',
        is_connected: true,
        lease_seconds: 2,
        nodes: [{ name: 'node-a', labels: { zone: 'a' } }, { name: 'node-b' }],
        counters: { takeovers: 0 },
      });
      expect(info.tasks.flatMap(({ generator_ids }) => generator_ids).sort()).toEqual([
        'split~0',
        'split~1',
        'web',
      ]);
    });

    test(
      'drain returns when the node is empty, resume fills it again',
      async () => {
        const before = await until('placed', isPlaced);
        const name = before.tasks[0]?.node ?? '';
        expect(await rig.run(`drain ${name}`, cwd)).toEqual({
          code: 0,
          out: `Node "${name}" is empty.\n`,
          err: '',
        });
        const drained = infoOf((await rig.run('status --json', cwd)).out);
        expect(drained.tasks.filter(({ node }) => node === name)).toEqual([]);
        expect(drained.nodes.find((node) => node.name === name)?.is_drained).toBe(true);
        // A drained node is known by name: the order stands.
        expect(await rig.run(`drain ${name} --no-wait`, cwd)).toMatchObject({
          code: 0,
          out: `Node "${name}" drains. See spate cluster status.\n`,
        });
        expect(await rig.run(`resume ${name}`, cwd)).toEqual({
          code: 0,
          out: `Node "${name}" takes generators again.\n`,
          err: '',
        });
        await until('filled again', (info) => info.tasks.some(({ node }) => node === name) && isPlaced(info));
      },
      NODES_MS,
    );

    test('a live node is not removed', async () => {
      expect(await rig.run('remove node-a', cwd)).toEqual({
        code: 1,
        out: '',
        err: expect.stringMatching(/^spate: node "node-a" is not lost: it was heard \d s ago\. Stop it/),
      });
      expect(right(await rig.link.nodes.read(encodeToken('node-a')))).not.toBeNull();
    });

    test('an unknown node is an error that names the others, and stores nothing', async () => {
      expect(await rig.run('drain node-c', cwd)).toEqual({
        code: 1,
        out: '',
        err: 'spate: there is no node "node-c": the cluster has node-a, node-b\n',
      });
      expect(right(await rig.link.startup.read(ordersKey('node-c')))).toBeNull();
    });

    test(
      'drain tells what no node runs then',
      async () => {
        await writeFile(
          join(cwd, 'startup.yml'),
          `${listOf('web')}  runs_on: {zone: a}\n- id: split\n  path: web/generator.yml\n  partitions: 2\n`,
        );
        expect(await rig.run('push generators startup.yml', cwd)).toMatchObject({
          code: 0,
          out: '~ startup list (1 changed)\nPushed to cluster "lab".\n',
        });
        await until('web runs on node-a', ({ tasks }) =>
          tasks.some(({ generator_ids, node }) => generator_ids.includes('web') && node === 'node-a'),
        );
        const { code, out, err } = await rig.run('drain node-a', cwd);
        expect(await rig.run('resume node-a', cwd)).toMatchObject({ code: 0 });
        expect({ code, out, err }).toEqual({
          code: 0,
          out: 'Node "node-a" is empty.\n',
          err: 'spate: no node runs 1 task:\n  generator web (no node can take it (node-a: drained; node-b: without label zone=a))\n',
        });
      },
      NODES_MS,
    );

    test(
      'a push reaches running nodes: what is new starts, what is removed ends',
      async () => {
        const next = await clusterFolder(rig, ['web', 'mail']);
        expect(await rig.run('push generators startup.yml --delete', next)).toMatchObject({
          code: 0,
          out: expect.stringMatching(/^\+ mail .*\n~ startup list \(\+1 entry, -1, 1 changed\)\n/),
        });
        const info = await until(
          'mail runs',
          ({ tasks }) => tasks.length === 2 && tasks.every(({ node }) => node !== null),
        );
        expect(info.tasks.flatMap(({ generator_ids }) => generator_ids).sort()).toEqual(['mail', 'web']);
      },
      NODES_MS,
    );
  });
});
