/** Runs the commands of docs/cluster.md with three NATS servers and three nodes on this machine. */

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ClusterInfo } from '../../src/messages/cluster.js';
import { CLI, eventually, freePort } from '../support/instance.js';
import { type ChildProcess, hasPrograms, needs, spawn } from '../support/programs.js';
import { type BrokerProcess, brokerProcess } from '../support/servers/brokerProcess.js';
import { hasClusterNats, NATS_SERVER, NEEDS_CLUSTER_NATS } from '../support/servers/natsServer.js';
import { type Command, isCommand, type ShownFile, stepsOf } from './pages/commands.js';
import { compareOutput } from './pages/compare.js';
import { blocksOf, ROOT, readPages } from './pages/markdown.js';

const MACHINES = [1, 2, 3] as const;
const NODES = ['node-1', 'node-2', 'node-3'] as const;
/** What the startup list names; the others only take time. */
const GENERATORS = ['access-log', 'shop-orders', 'shop-fulfilment'];
/** Shorter than the default, which makes drains slow. */
const LEASE = 'lease: 3\n';
const PAGE_MS = 600_000;
const READY_LIMIT_MS = 20_000;

interface Ran {
  readonly code: number | null;
  readonly lines: readonly string[];
}

class ClusterPage {
  private servers: readonly BrokerProcess[] = [];
  private addresses: ReadonlyMap<string, string> = new Map();
  private readonly nodes: ChildProcess[] = [];
  private conf = '';

  private constructor(readonly home: string) {}

  get folder(): string {
    return join(this.home, 'spate');
  }

  static async begin(): Promise<ClusterPage> {
    const home = await mkdtemp(join(tmpdir(), 'spate-cluster-page-'));
    const page = new ClusterPage(home);
    await cp(join(ROOT, 'settings'), join(page.folder, 'settings'), { recursive: true });
    for (const name of GENERATORS) {
      await cp(join(ROOT, 'generators', name), join(page.folder, 'generators', name), {
        recursive: true,
        filter: (path) => basename(path) !== 'out',
      });
    }
    await mkdir(join(home, 'bin'));
    const shim = `#!/bin/sh\n[ "$1" = spate ] || exit 70\nshift\nexec '${process.execPath}' '${CLI}' "$@"\n`;
    await writeFile(join(home, 'bin', 'npx'), shim, { mode: 0o755 });
    return page;
  }

  private here(text: string): string {
    return [...this.addresses].reduce((old, [there, here]) => old.replaceAll(there, here), text);
  }

  async write({ path, text }: ShownFile): Promise<void> {
    if (path === 'nats.conf') this.conf = text;
    const file = join(this.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, path.endsWith('cluster.yml') ? `${this.here(text)}${LEASE}` : text);
  }

  async run({ line }: Command): Promise<Ran> {
    if (line.startsWith('nats-server')) return this.startServers();
    if (line.startsWith('npx spate run')) return this.startNodes(line);
    if (/cluster (status|drain)/.test(line) && !line.includes('--help')) await this.settled();
    return this.bash(line, this.folder);
  }

  /** Each machine has the file of the page with its own name and addresses. Tries again: a port that was free may be taken, and a server whose port for routes or monitoring is taken ends after it accepted clients. */
  private async startServers(attempts = 3): Promise<Ran> {
    const addresses = new Map<string, string>();
    for (const machine of MACHINES) {
      for (const port of [4222, 6222])
        addresses.set(`10.0.0.${machine}:${port}`, `127.0.0.1:${await freePort()}`);
    }
    this.addresses = addresses;
    const monitors = await Promise.all(MACHINES.map(() => freePort()));
    this.servers = await Promise.all(
      MACHINES.map(async (machine, i) => {
        const own = this.conf
          .replace('server_name: nats-1', `server_name: nats-${machine}`)
          .replaceAll('listen: "10.0.0.1:', `listen: "10.0.0.${machine}:`)
          .replace('/var/lib/nats', join(this.home, `nats-${machine}`));
        const file = join(this.home, `nats-${machine}.conf`);
        await writeFile(file, `${this.here(own)}http: "127.0.0.1:${monitors[i]}"\n`);
        const port = Number(this.here(`10.0.0.${machine}:4222`).split(':')[1]);
        return brokerProcess(NATS_SERVER, ['-c', file], port);
      }),
    );
    const areHealthy = async () =>
      (await Promise.all(monitors.map(isHealthy))).includes(false) ? null : true;
    try {
      await Promise.all(this.servers.map((server) => server.start()));
      await eventually(areHealthy, 'the NATS servers are ready', READY_LIMIT_MS);
    } catch (thrown) {
      await Promise.all(this.servers.map((server) => server.kill()));
      for (const machine of MACHINES)
        await rm(join(this.home, `nats-${machine}`), { recursive: true, force: true });
      if (attempts > 1) return this.startServers(attempts - 1);
      throw thrown;
    }
    return { code: 0, lines: [] };
  }

  /** Each node has settings and a generators folder of its own. */
  private async startNodes(line: string): Promise<Ran> {
    for (const name of NODES) {
      const folder = join(this.home, name);
      await mkdir(join(folder, 'settings'), { recursive: true });
      await mkdir(join(folder, 'generators'));
      const settings = await readFile(join(this.folder, 'settings/spate.yml'), 'utf8');
      const port = await freePort();
      await writeFile(join(folder, 'settings/spate.yml'), settings.replace('port: 9474', `port: ${port}`));
      const cluster = await readFile(join(this.folder, 'settings/cluster.yml'), 'utf8');
      await writeFile(join(folder, 'settings/cluster.yml'), `${cluster}node: ${name}\n`);
      this.nodes.push(this.spawn(`exec ${line}`, folder));
    }
    await this.settled();
    return { code: 0, lines: [] };
  }

  /** Resolves when every task is where it belongs. */
  private async settled(): Promise<void> {
    const isSettled = ({ nodes, tasks }: ClusterInfo): boolean =>
      nodes.length === NODES.length &&
      nodes.every(({ phase }) => phase === 'member' || phase === 'draining') &&
      tasks.every(({ node, owner }) => node !== null && node === owner);
    await eventually(async () => {
      const line = 'npx spate cluster status --json --cluster settings/cluster.yml';
      const { code, lines } = await this.bash(line, this.folder);
      return code === 0 && isSettled(JSON.parse(lines.join('\n')) as ClusterInfo) ? true : null;
    }, 'every task is where it belongs');
  }

  private spawn(line: string, cwd: string): ChildProcess {
    const path = `${join(this.home, 'bin')}:${process.env['PATH']}`;
    return spawn('bash', ['-c', line], { cwd, stdio: 'ignore', env: { ...process.env, PATH: path } });
  }

  private bash(line: string, cwd: string): Promise<Ran> {
    const state = join(this.home, 'exports');
    const path = `${join(this.home, 'bin')}:${process.env['PATH']}`;
    const script = `[ -f '${state}' ] && . '${state}'\ntrap "export -p > '${state}'" EXIT\n${line}\n`;
    const child = spawn('bash', ['-c', script], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: path },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
    return new Promise((resolve) =>
      child.on('close', (code) => resolve({ code, lines: text.replace(/\n$/, '').split('\n') })),
    );
  }

  async end(): Promise<void> {
    for (const node of this.nodes) {
      if (node.exitCode !== null || node.signalCode !== null) continue;
      const ended = new Promise((resolve) => node.once('exit', resolve));
      node.kill('SIGKILL');
      await ended;
    }
    await Promise.all(this.servers.map((server) => server.kill()));
    await rm(this.home, { recursive: true, force: true });
  }
}

const isHealthy = async (monitor: number): Promise<boolean> => {
  const textOf = async (path: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${monitor}/${path}`)).text();
  try {
    const { meta_cluster: meta } = JSON.parse(await textOf('jsz')) as {
      meta_cluster?: { leader?: string; cluster_size?: number };
    };
    return (
      (await textOf('healthz')).includes('"ok"') &&
      meta?.leader !== undefined &&
      meta.cluster_size === MACHINES.length
    );
  } catch {
    return false;
  }
};

/** Columns are as wide as their longest cell, which varies. */
const squeezed = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => line.replaceAll(/ {2,}/g, '  '));

const describeNats = hasClusterNats && hasPrograms('bash', 'curl') ? describe : describe.skip;

describeNats(`docs/cluster.md ${NEEDS_CLUSTER_NATS} ${needs('bash', 'curl')}`, () => {
  let page: ClusterPage;
  beforeAll(async () => {
    page = await ClusterPage.begin();
  });
  afterAll(() => page.end(), PAGE_MS);

  test(
    'does what it shows',
    async () => {
      const text = (await readPages()).find(({ name }) => name === 'docs/cluster.md');
      const steps = text === undefined ? [] : stepsOf(blocksOf(text));
      expect(steps.filter(isCommand).length).toBeGreaterThan(8);
      for (const step of steps) {
        if (!isCommand(step)) {
          await page.write(step);
          continue;
        }
        const { code, lines } = await page.run(step);
        const at = `${step.place}: ${step.line}`;
        expect({ at, code, lines: code === step.exitCode ? [] : lines }).toEqual({
          at,
          code: step.exitCode,
          lines: [],
        });
        if (step.output.length === 0) continue;
        const { isSame, expected, actual } = compareOutput(
          squeezed(step.output),
          squeezed(lines),
          page.folder,
          step,
        );
        if (!isSame) expect({ at, output: actual }).toEqual({ at, output: expected });
      }
    },
    PAGE_MS,
  );
});
