import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { freePort } from '../instance.js';
import { type BrokerProcess, brokerProcess } from '../servers/brokerProcess.js';
import { NATS_SERVER } from '../servers/natsServer.js';
import { type Relay, startRelay } from './relay.js';

/** One server of a cluster, on the same ports and store for its whole life. */
export interface ClusterServer extends Pick<BrokerProcess, 'start' | 'kill' | 'stop' | 'freeze' | 'thaw'> {
  readonly name: string;
  readonly port: number;
}

/** The way of one node to all servers. */
export interface NodeWay {
  /** Addresses of relays; use them with `discovers_servers: false`. */
  readonly servers: readonly string[];
  readonly cut: (how?: 'reset' | 'silent') => void;
  readonly delay: (ms: number) => void;
  readonly heal: () => void;
  readonly relays: readonly Relay[];
}

export interface NatsCluster {
  readonly servers: readonly ClusterServer[];
  readonly addresses: readonly string[];
  /** Resolves when there is a leader and all servers are current. */
  readonly isReady: () => Promise<void>;
  /** A way of its own for a node of the test. */
  readonly way: () => Promise<NodeWay>;
  /** The server that leads a stream; `null`: none does. */
  readonly leaderOf: (stream: string) => Promise<ClusterServer | null>;
  /** Removes the markers of removed keys, as a sweep does. Resolves to the keys. */
  readonly dropMarkers: (stream: string, prefix: string) => Promise<readonly string[]>;
  readonly remove: () => Promise<void>;
}

const POLL_MS = 50;
const READY_LIMIT_MS = 60_000;
const FIRST_READY_LIMIT_MS = 15_000;
const NUDGE_EVERY_MS = 5_000;
/** Characters of each server's log in errors. */
const LOG_TAIL = 3_000;

const textFrom = async (url: string): Promise<string> => {
  try {
    return await (await fetch(url, { signal: AbortSignal.timeout(2_000) })).text();
  } catch {
    return '';
  }
};

interface Jsz {
  readonly meta_cluster?: {
    readonly leader?: string;
    readonly cluster_size?: number;
    readonly replicas?: readonly { readonly current: boolean; readonly offline?: boolean }[];
  };
}

/** Whether a server is healthy, and, when it leads the others, all of them are current. */
const looksReady = async (
  name: string,
  monitor: number,
  size: number,
): Promise<'no' | 'healthy' | 'leader'> => {
  const base = `http://127.0.0.1:${monitor}`;
  const [health, state] = await Promise.all([textFrom(`${base}/healthz`), textFrom(`${base}/jsz`)]);
  if (!health.includes('"ok"') || state === '') return 'no';
  const { meta_cluster: meta } = JSON.parse(state) as Jsz;
  if (!meta?.leader || meta.cluster_size !== size) return 'no';
  // What the others say about their neighbors is old.
  if (meta.leader !== name) return 'healthy';
  const replicas = meta.replicas ?? [];
  return replicas.length === size - 1 && replicas.every(({ current, offline }) => current && offline !== true)
    ? 'leader'
    : 'no';
};

/** Starts servers with JetStream that replicate among each other; ready when it resolves. */
export const natsCluster = async (size = 3, program = NATS_SERVER, attempts = 3): Promise<NatsCluster> => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'spate-nats-cluster-'));
  const ports: { client: number; route: number; monitor: number }[] = [];
  for (let index = 0; index < size; index += 1) {
    ports.push({ client: await freePort(), route: await freePort(), monitor: await freePort() });
  }
  const routes = ports.map(({ route }) => `nats-route://127.0.0.1:${route}`).join(', ');
  const logOf = (name: string): string => join(folder, `${name}.log`);
  const servers = ports.map(({ client, route, monitor }, index): ClusterServer => {
    const name = `n${index + 1}`;
    const config = join(folder, `${name}.conf`);
    fs.writeFileSync(
      config,
      `server_name: ${name}
listen: "127.0.0.1:${client}"
http: "127.0.0.1:${monitor}"
log_file: "${logOf(name)}"
jetstream {store_dir: "${join(folder, name)}", max_mem: 256M, max_file: 4G}
cluster {name: lab, listen: "127.0.0.1:${route}", routes: [${routes}]}
`,
    );
    return { ...brokerProcess(program, ['-c', config], client), name, port: client };
  });
  const removeServers = async (): Promise<void> => {
    await Promise.all(servers.map(({ kill }) => kill()));
    fs.rmSync(folder, { recursive: true, force: true });
  };
  const addresses = ports.map(({ client }) => `127.0.0.1:${client}`);
  const manage = async <A>(work: (manager: JetStreamManager) => Promise<A>): Promise<A> => {
    const client = await connect({ servers: [...addresses], reconnect: false, timeout: 2_000 });
    try {
      return await work(await jetstreamManager(client, { checkAPI: false }));
    } finally {
      await client.close();
    }
  };
  /** A change of the list of streams: nats-server 2.10 may call a server that was killed "not current" until there is one. */
  const nudge = (): Promise<void> =>
    manage(async ({ streams }) => {
      await streams.add({ name: 'NUDGE', subjects: ['nudge'] });
      await streams.delete('NUDGE');
    }).catch(() => undefined);
  const becomeReady = async (limit_ms: number): Promise<void> => {
    const until = Date.now() + limit_ms;
    let nudgeAt = Date.now() + NUDGE_EVERY_MS;
    for (;;) {
      const looks = await Promise.all(ports.map(({ monitor }, i) => looksReady(`n${i + 1}`, monitor, size)));
      if (!looks.includes('no') && looks.includes('leader')) return;
      if (Date.now() > nudgeAt) {
        nudgeAt = Date.now() + NUDGE_EVERY_MS;
        void nudge();
      }
      if (Date.now() > until) {
        const logs = servers.map(({ name }) => fs.readFileSync(logOf(name), 'utf8').slice(-LOG_TAIL));
        throw new Error(`the NATS cluster is not ready: ${looks.join(', ')}\n${logs.join('\n')}`);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  try {
    await Promise.all(servers.map(({ start }) => start()));
    await becomeReady(FIRST_READY_LIMIT_MS);
  } catch (thrown) {
    // A port that was free may be taken by now; and on a busy machine servers may not find each other in time.
    await removeServers();
    if (attempts > 1) return natsCluster(size, program, attempts - 1);
    throw thrown;
  }

  const isReady = (): Promise<void> => becomeReady(READY_LIMIT_MS);
  const ways: NodeWay[] = [];
  const way = async (): Promise<NodeWay> => {
    const relays = await Promise.all(ports.map(({ client }) => startRelay(client)));
    const made: NodeWay = {
      servers: relays.map(({ port }) => `127.0.0.1:${port}`),
      cut: (how = 'reset') => {
        for (const relay of relays) relay.cut(how);
      },
      delay: (ms) => {
        for (const relay of relays) relay.delay(ms);
      },
      heal: () => {
        for (const relay of relays) relay.heal();
      },
      relays,
    };
    ways.push(made);
    return made;
  };
  return {
    servers,
    addresses,
    isReady,
    way,
    leaderOf: async (stream) => {
      try {
        const { cluster } = await manage(({ streams }) => streams.info(stream));
        return servers.find(({ name }) => name === cluster?.leader) ?? null;
      } catch {
        return null;
      }
    },
    dropMarkers: (stream, prefix) =>
      manage(async ({ streams }) => {
        const { state } = await streams.info(stream, { subjects_filter: '>' });
        const dropped: string[] = [];
        for (const subject of Object.keys(state.subjects ?? {})) {
          const last = await streams.getMessage(stream, { last_by_subj: subject });
          if (last?.header.get('KV-Operation') !== 'DEL') continue;
          await streams.deleteMessage(stream, last.seq, false);
          dropped.push(subject.slice(prefix.length));
        }
        return dropped;
      }),
    remove: async () => {
      await Promise.all(ways.flatMap(({ relays }) => relays.map((relay) => relay.close())));
      await removeServers();
    },
  };
};
