import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AckPolicy, jetstream, jetstreamManager, type StreamConfig } from '@nats-io/jetstream';
import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { isClusterNats } from '../../../.ci/debianPackages.mjs';
import { freePort } from '../instance.js';
import { hasPrograms, needs } from '../programs.js';
import { type BrokerProcess, brokerProcess } from './brokerProcess.js';
import { unpacked } from './debianPackages.js';

/** Whether a nats-server of any version is installed; tests that need it say so in their name. */
export const hasNats = hasPrograms('nats-server');
export const NEEDS_NATS = needs('nats-server');

const wantsNewest = process.env['SPATE_TEST_NATS'] === 'newest';
const newest = wantsNewest ? unpacked('nats-server-newest', ['nats-server'], 'sid') : null;

/** The program that tests start: with SPATE_TEST_NATS=newest that of Debian's unstable suite. */
export const NATS_SERVER = newest === null ? 'nats-server' : join(newest, 'usr', 'sbin', 'nats-server');

/** Whether it is new enough for `spate run --cluster`. */
export const hasClusterNats = wantsNewest ? newest !== null : hasNats && isClusterNats(NATS_SERVER);
export const NEEDS_CLUSTER_NATS = wantsNewest
  ? '(needs the newest nats-server: SPATE_TEST_INSTALL=1 npm test downloads it)'
  : '(needs nats-server 2.10 or later: SPATE_TEST_INSTALL=1 npm test installs it)';

export interface NatsServer extends BrokerProcess {
  readonly port: number;
  /** Its config and its streams; removed at the end. */
  readonly folder: string;
  /** Replaces the part of the config after port and JetStream. */
  readonly configure: (config: string) => void;
  /** Runs with a connection of the tests. */
  readonly withClient: <A>(work: (client: NatsConnection) => Promise<A>) => Promise<A>;
  readonly addStream: (name: string, config: Partial<StreamConfig> & { subjects: string[] }) => Promise<void>;
  readonly changeStream: (name: string, config: Partial<StreamConfig>) => Promise<void>;
  readonly removeStream: (name: string) => Promise<void>;
  readonly stateOf: (name: string) => Promise<{ readonly messages: number; readonly bytes: number }>;
  /** All messages of a stream, in order. */
  readonly messagesOf: (name: string) => Promise<readonly StoredMessage[]>;
  readonly remove: () => Promise<void>;
}

export interface StoredMessage {
  readonly subject: string;
  readonly text: string;
  readonly id: string;
  readonly header: (name: string) => string;
}

const FETCH = 5_000;

/** Starts a server with JetStream in a temporary folder. `client` are options of the tests' own connections. */
export const startNats = async (
  config = '',
  client: NodeConnectionOptions = {},
  program = NATS_SERVER,
): Promise<NatsServer> => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'spate-nats-'));
  const port = await freePort();
  const configure = (more: string): void =>
    fs.writeFileSync(
      join(folder, 'nats.conf'),
      `listen: "127.0.0.1:${port}"\njetstream {store_dir: "${join(folder, 'streams')}"}\n${more}\n`,
    );
  configure(config);
  const server = brokerProcess(program, ['-c', join(folder, 'nats.conf')], port);
  await server.start();
  const withClient: NatsServer['withClient'] = async (work) => {
    const connection = await connect({ servers: [`127.0.0.1:${port}`], reconnect: false, ...client });
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  };
  const manage = <A>(
    work: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<A>,
  ): Promise<A> =>
    withClient(async (connection) => work(await jetstreamManager(connection, { checkAPI: false })));
  const stateOf: NatsServer['stateOf'] = (name) =>
    manage(async ({ streams }) => (await streams.info(name)).state);
  return {
    ...server,
    port,
    folder,
    configure,
    withClient,
    stateOf,
    addStream: (name, more) =>
      manage(async ({ streams }) => void (await streams.add({ ...more, name, storage: 'file' }))),
    changeStream: (name, more) => manage(async ({ streams }) => void (await streams.update(name, more))),
    removeStream: (name) => manage(async ({ streams }) => void (await streams.delete(name))),
    messagesOf: async (name) => {
      const { messages: count } = await stateOf(name);
      return withClient(async (connection) => {
        const manager = await jetstreamManager(connection, { checkAPI: false });
        await manager.consumers.add(name, { durable_name: 'reader', ack_policy: AckPolicy.None });
        const consumer = await jetstream(connection, { checkAPI: false }).consumers.get(name, 'reader');
        const found: StoredMessage[] = [];
        while (found.length < count) {
          const messages = await consumer.fetch({ max_messages: FETCH, expires: 2_000 });
          const before = found.length;
          for await (const message of messages) {
            found.push({
              subject: message.subject,
              text: message.string(),
              id: message.headers?.get('Nats-Msg-Id') ?? '',
              header: (header) => message.headers?.get(header) ?? '',
            });
            if (found.length === count || found.length - before === FETCH) break;
          }
          if (found.length === before) throw new Error(`only ${before} of ${count} messages can be read`);
        }
        await manager.consumers.delete(name, 'reader');
        return found;
      });
    },
    remove: async () => {
      await server.kill();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
};
