import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from '@jest/globals';
import { workingCopies } from '../../../src/adapters/directories/workingCopies.js';
import type { VerifyReport } from '../../../src/analysis/verify/report.js';
import { LIST_KEY } from '../../../src/cluster/keys.js';
import { packList } from '../../../src/daemon/cluster/startupFile.js';
import type { ClusterInfo } from '../../../src/messages/cluster.js';
import { right } from '../either.js';
import { eventually, type Instance, makeInstance, runProgram } from '../instance.js';
import { linkTo } from './link.js';
import type { NatsCluster, NodeWay } from './natsCluster.js';

/** A daemon of the cluster with its own way to the NATS servers. */
export interface SpateNode extends Instance {
  readonly name: string;
  readonly way: NodeWay;
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** The cluster as this node sees it. */
  readonly cluster: () => Promise<ClusterInfo>;
}

export interface SpateNodes {
  readonly nodes: readonly SpateNode[];
  /** Folder for the events. */
  readonly folder: string;
  /** Puts files of generator directories and the startup list into the cluster. */
  readonly push: (generators: Readonly<Record<string, string>>, startup: string) => Promise<void>;
  /** A further node; it is not started. */
  readonly add: () => Promise<SpateNode>;
  readonly remove: () => Promise<void>;
}

interface NodesOptions {
  /** Additional environment variables of the nodes. */
  readonly env?: NodeJS.ProcessEnv;
  readonly nats: NatsCluster;
  readonly name: string;
  readonly lease: number;
  readonly count?: number;
  readonly replicas?: number;
  /** More of cluster.yml. */
  readonly more?: string;
  /** Section `generation` of the settings of each node. */
  readonly settings?: readonly string[];
}

const makeNode = async (
  options: NodesOptions,
  folder: string,
  name: string,
  settings: string,
): Promise<SpateNode> => {
  const { nats, lease, replicas = 1, more = '' } = options;
  const way = await nats.way();
  const file = join(folder, `${name}.yml`);
  const servers = JSON.stringify(way.servers.map((address) => `nats://${address}`));
  writeFileSync(
    file,
    `name: ${options.name}\nnode: ${name}\nlease: ${lease}\nreplicas: ${replicas}\nnats: {servers: ${servers}, discovers_servers: false}\n${more}\n`,
  );
  const instance = await makeInstance({
    startup: '',
    generators: {},
    settings,
    env: { ...options.env, SPATE_CLUSTER: file },
  });
  const signal = (what: NodeJS.Signals) => (): void => void instance.program().child.kill(what);
  return {
    ...instance,
    name,
    way,
    freeze: signal('SIGSTOP'),
    thaw: signal('SIGCONT'),
    cluster: async () => (await instance.api('GET', '/cluster')).body as ClusterInfo,
  };
};

/** Nodes of one cluster; each is started by the test. */
export const spateNodes = async (options: NodesOptions): Promise<SpateNodes> => {
  const folder = mkdtempSync(join(tmpdir(), 'spate-nodes-'));
  mkdirSync(join(folder, 'events'));
  const nodes: SpateNode[] = [];
  const add = async (): Promise<SpateNode> => {
    const name = `node-${String.fromCharCode(97 + nodes.length)}`;
    const node = await makeNode(options, folder, name, options.settings?.[nodes.length] ?? '');
    nodes.push(node);
    return node;
  };
  for (let i = 0; i < (options.count ?? 3); i++) await add();
  return {
    nodes,
    folder: join(folder, 'events'),
    add,
    push: async (generators, startup) => {
      const { replicas = 1, nats } = options;
      const link = await linkTo(nats.addresses, { name: options.name, replicas });
      const source = mkdtempSync(join(tmpdir(), 'spate-push-'));
      for (const [path, text] of Object.entries(generators)) {
        mkdirSync(dirname(join(source, path)), { recursive: true });
        writeFileSync(join(source, path), text);
      }
      const copies = workingCopies(source);
      const stored = new Map(right(await link.configs.list()).map(({ name, revision }) => [name, revision]));
      for (const directory of new Set(Object.keys(generators).map((path) => path.split('/')[0] as string))) {
        const packed = right(await copies.pack(directory));
        if (packed === null) continue;
        const replaces = stored.get(directory) ?? 0;
        right(await link.configs.write(directory, packed.content, packed.digest, replaces));
      }
      right(await link.startup.write(LIST_KEY, packList(startup), null));
      await link.close();
      rmSync(source, { recursive: true });
    },
    remove: async () => {
      await Promise.all(nodes.map((node) => node.remove()));
      rmSync(folder, { recursive: true });
    },
  };
};

interface Row {
  readonly id: string;
  readonly status: { readonly phase: string; readonly reason: string | null };
}

/** Phases of the generators as a node shows them. */
export const phasesAt = async (node: SpateNode): Promise<ReadonlyMap<string, string>> => {
  const { body } = await node.api('GET', '/generators/');
  return new Map((body as readonly Row[]).map(({ id, status }) => [id, status.phase]));
};

/** Resolves when every one of these generators runs. The error says what the node shows instead. */
export const allRun = async (node: SpateNode, ids: readonly string[]): Promise<void> => {
  try {
    await eventually(async () => {
      const phases = await phasesAt(node);
      return ids.every((id) => phases.get(id) === 'running') ? true : null;
    }, `${ids.length} generators run, as ${node.name} sees them`);
  } catch (thrown) {
    const [{ body }, cluster] = [await node.api('GET', '/generators/'), await node.cluster()];
    const rest = (body as readonly Row[]).filter(({ status }) => status.phase !== 'running');
    throw new Error(`${String(thrown)}\n${JSON.stringify({ rest, cluster })}\n${node.program().stderr()}`);
  }
};

/** Resolves to the places of all tasks when each one is where it belongs, and each of these nodes has some. */
export const settledAt = (
  node: SpateNode,
  nodes: readonly SpateNode[],
): Promise<ReadonlyMap<string, string | null>> =>
  eventually(async () => {
    const { tasks } = await node.cluster();
    const isSettled = tasks.every(({ node: holder, owner }) => holder !== null && holder === owner);
    const holders = new Set(tasks.map(({ node: holder }) => holder));
    return isSettled && nodes.every(({ name }) => holders.has(name)) ? placesOf(tasks) : null;
  }, 'the cluster has settled');

/** Node that holds each generator. */
export const placesOf = (tasks: ClusterInfo['tasks']): ReadonlyMap<string, string | null> =>
  new Map(tasks.flatMap(({ generator_ids, node }) => generator_ids.map((id) => [id, node])));

/** Node that holds each generator, as a node sees it. */
export const placesAt = async (node: SpateNode): Promise<ReadonlyMap<string, string | null>> =>
  placesOf((await node.cluster()).tasks);

export interface Verified {
  /** Without loss, damage or torn lines; duplicates are accepted. */
  readonly isComplete: boolean;
  /** One for a generator that went on where it stopped. */
  readonly streams: number;
  readonly events: number;
  readonly duplicates: number;
}

/** What `spate verify` says about the events of a file. */
export const verify = async (file: string): Promise<Verified> => {
  const program = runProgram(['verify', file, '--allow-duplicates', '--json']);
  const { code } = await program.exited;
  const { streams, events } = JSON.parse(program.stdout()) as VerifyReport;
  const duplicates = streams.reduce((sum, stream) => sum + stream.duplicates.count, 0);
  return { isComplete: code === 0, streams: streams.length, events, duplicates };
};

/** A generator directory `made`: 50 marked events a second to the file `params.to`. */
export const MARKED: Readonly<Record<string, string>> = {
  'made/generator.yml': `input:
  - timer: {seconds: 0.1, count: 5}
event:
  script: {path: make.mjs, marks: text}
output:
  - file: {path: '\${params.to}'}
`,
  'made/make.mjs': "export const produce = () => 'an event';\n",
};

const fileOf = (folder: string, id: string): string => join(folder, `${id}.log`);

/** A startup list of marked generators; `more`: further keys of an entry. */
export const markedList = (folder: string, ids: readonly string[], more = ''): string =>
  ids
    .map((id) => `- {id: ${id}, path: made/generator.yml, params: {to: ${fileOf(folder, id)}}${more}}\n`)
    .join('');

/** Every generator made one stream without loss. Answers the number of duplicates. */
export const expectComplete = async (folder: string, ids: readonly string[]): Promise<number> => {
  let duplicates = 0;
  for (const id of ids) {
    const found = await verify(fileOf(folder, id));
    expect({ id, ...found }).toMatchObject({ id, isComplete: true, streams: 1 });
    duplicates += found.duplicates;
  }
  return duplicates;
};
