/**
 * `npm run cluster-demo [-- --seconds N]`: three NATS servers and three nodes of the built program on free ports of this
 * machine, with the shop example. Everything lies in temporary folders and ends with Ctrl-C.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { natsCluster } from '../support/cluster/natsCluster.js';
import { type Instance, makeInstance, runProgram } from '../support/instance.js';
import { hasClusterNats } from '../support/servers/natsServer.js';

const USAGE = `usage: npm run cluster-demo [-- --seconds N]

  --seconds N   end after N seconds (default: with Ctrl-C)
`;

const MISSING = `cluster-demo: nats-server 2.10 or later is not installed.
  Debian 13           sudo apt install nats-server
  macOS               brew install nats-server
  others, Debian 12   https://nats.io/download
`;

const ROOT = join(import.meta.dirname, '..', '..');
const NODES = ['node-1', 'node-2', 'node-3'] as const;
const GENERATORS = ['shop-orders', 'shop-fulfilment', 'access-log'];
const POLL_MS = 250;
const PLACED_LIMIT_MS = 20_000;

const STARTUP = `- {id: shop-orders, path: shop-orders/generator.yml, scenarios: [shop]}
- {id: shop-fulfilment, path: shop-fulfilment/generator.yml, scenarios: [shop]}
- {id: access-log, path: access-log/generator.yml}
`;

const say = (text: string): void => void process.stdout.write(text);

/** Resolves at the first signal, when the starter is gone, or after the given time. */
const asked = (): { readonly stop: Promise<void>; readonly after: (seconds: number) => void } => {
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(signal, () => stop());
  return { stop: stopped, after: (seconds) => void setTimeout(stop, seconds * 1_000).unref() };
};

const run = async (clusterFile: string, ...args: readonly string[]) => {
  const program = runProgram(['cluster', ...args, '--cluster', clusterFile], { cwd: ROOT });
  const { code } = await program.exited;
  return { code, out: program.stdout(), err: program.stderr() };
};

const spate = async (clusterFile: string, ...args: readonly string[]): Promise<string> => {
  const { code, out, err } = await run(clusterFile, ...args);
  if (code !== 0) throw new Error(`spate cluster ${args.join(' ')} ended with ${code}:\n${err}`);
  return out;
};

interface Placement {
  readonly nodes: readonly { readonly phase: string; readonly generators: number }[];
  readonly tasks: readonly {
    readonly node: string | null;
    readonly owner: string | null;
    readonly generator_ids: readonly string[];
  }[];
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

const isPlaced = ({ nodes, tasks }: Placement): boolean =>
  nodes.length === NODES.length &&
  nodes.every(({ phase }) => phase === 'member') &&
  tasks.every(({ node, owner }) => node !== null && node === owner) &&
  sum(nodes.map(({ generators }) => generators)) === sum(tasks.map((task) => task.generator_ids.length));

/** Resolves when every task runs where it belongs; after a while in any case. */
const placed = async (clusterFile: string): Promise<void> => {
  for (let waited = 0; waited < PLACED_LIMIT_MS; waited += POLL_MS) {
    // No node answers before its first beat.
    const { code, out } = await run(clusterFile, 'status', '--json');
    if (code === 0 && isPlaced(JSON.parse(out) as Placement)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};

const startNode = async (clusterFile: string): Promise<Instance> => {
  const node = await makeInstance({ startup: '[]\n', generators: {}, env: { SPATE_CLUSTER: clusterFile } });
  await node.start();
  return node;
};

const listOf = (nodes: readonly Instance[], clusterFile: string): string =>
  [
    '',
    ...NODES.map(
      (name, i) => `${name}  ${nodes[i]?.url.replace(/api$/, '')}  pid ${nodes[i]?.program().child.pid}`,
    ),
    '',
    'Try, in another terminal:',
    `  export SPATE_CLUSTER=${clusterFile}`,
    '  npx spate cluster status',
    '  npx spate cluster drain node-2',
    '  npx spate cluster resume node-2',
    `  kill -9 ${nodes[1]?.program().child.pid}`,
    '',
    '',
  ].join('\n');

const demo = async (folder: string, seconds: number | null): Promise<void> => {
  const { stop, after } = asked();
  say('Starting three NATS servers ...\n');
  const nats = await natsCluster(NODES.length);
  const nodes: Instance[] = [];
  try {
    const cluster = `name: demo\nnats: {servers: ${JSON.stringify(nats.addresses)}}\nlease: 5\n`;
    const files = NODES.map((name) => join(folder, `${name}.yml`));
    NODES.forEach((name, i) => {
      writeFileSync(files[i] ?? '', `${cluster}node: ${name}\n`);
    });
    const file = join(folder, 'cluster.yml');
    writeFileSync(file, cluster);
    writeFileSync(join(folder, 'startup.yml'), STARTUP);
    const generators = join(folder, 'generators');
    for (const name of GENERATORS) {
      cpSync(join(ROOT, 'generators', name), join(generators, name), {
        recursive: true,
        filter: (path) => basename(path) !== 'out',
      });
    }
    say(await spate(file, 'push', generators, join(folder, 'startup.yml')));
    say('Starting three nodes ...\n');
    nodes.push(...(await Promise.all(files.map(startNode))));
    await placed(file);
    say(`\n${await spate(file, 'status')}${listOf(nodes, file)}`);
    if (seconds === null) say('Ctrl-C stops everything.\n');
    else after(seconds);
    await stop;
  } finally {
    say('Stopping ...\n');
    await Promise.all(nodes.map((node) => node.kill('SIGTERM')));
    await Promise.all(nodes.map((node) => node.remove()));
    await nats.remove();
  }
};

/** Resolves to the exit code. */
export const main = async (args: readonly string[]): Promise<number> => {
  const { seconds, help } = parseArgs({
    args: [...args],
    options: { seconds: { type: 'string' }, help: { type: 'boolean' } },
  }).values;
  if (help === true || (seconds !== undefined && !(Number(seconds) >= 0))) {
    say(USAGE);
    return help === true ? 0 : 2;
  }
  if (!hasClusterNats) {
    process.stderr.write(MISSING);
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), 'spate-cluster-demo-'));
  try {
    await demo(folder, seconds === undefined ? null : Number(seconds));
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
