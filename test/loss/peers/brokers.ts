/** Kafka, MQTT and NATS. */

import { once } from 'node:events';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { type ChildProcess, spawn } from '../../support/programs.js';
import { fakeKafka } from '../../support/servers/kafka/fakeKafka.js';
import { hasKcat, NEEDS_KCAT } from '../../support/servers/kafka/kcat.js';
import { hasMosquitto, NEEDS_MOSQUITTO, startMosquitto } from '../../support/servers/mosquittoServer.js';
import { hasNats, type NatsServer, NEEDS_NATS, startNats } from '../../support/servers/natsServer.js';
import { type LossCase, lackOf, linesOf } from '../peer.js';

const PAGE = 5_000;
const STREAM = 'EVENTS';

const storedIn = async function* (server: NatsServer): AsyncGenerator<string> {
  const connection = await connect({ servers: [`127.0.0.1:${server.port}`] });
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const { messages: count } = await server.stateOf(STREAM);
    await manager.consumers.add(STREAM, { durable_name: 'reader', ack_policy: AckPolicy.None });
    const consumer = await jetstream(connection, { checkAPI: false }).consumers.get(STREAM, 'reader');
    for (let found = 0; found < count; ) {
      const page: string[] = [];
      const wanted = Math.min(PAGE, count - found);
      for await (const message of await consumer.fetch({ max_messages: wanted, expires: 5_000 })) {
        page.push(`${message.string()}\n`);
        if (page.length === wanted) break;
      }
      if (page.length === 0) throw new Error(`only ${found} of ${count} messages can be read`);
      found += page.length;
      yield page.join('');
    }
  } finally {
    await connection.close();
  }
};

const KAFKA = { topic: 'events', acks: -1, max_batch_size: 262_144, formatter: { format: 'plain' } };
const START_LIMIT_MS = 20_000;
const QUIET_MS = 2_000;

/** librdkafka's mock brokers with a consumer that writes values to the file, in one kcat process. */
const startMock = async (
  file: string,
): Promise<{ readonly child: ChildProcess; readonly servers: string }> => {
  const output = fs.openSync(file, 'a');
  const child = spawn(
    'kcat',
    [
      ...['-C', '-b', 'mock', '-t', KAFKA.topic, '-d', 'mock', '-f', '%s\\n'],
      ...['-X', 'test.mock.num.brokers=3', '-X', 'fetch.wait.max.ms=10'],
    ],
    { stdio: ['ignore', output, 'pipe'] },
  );
  fs.closeSync(output);
  const servers = await new Promise<string>((resolve, reject) => {
    let said: string | null = '';
    const timer = setTimeout(() => reject(new Error('kcat did not start')), START_LIMIT_MS);
    child.stderr?.on('data', (part: Buffer) => {
      if (said === null) return;
      said += String(part);
      const found = /bootstrap\.servers=(127[\d.:,]+)/.exec(said)?.[1];
      if (found === undefined) return;
      said = null;
      clearTimeout(timer);
      resolve(found);
    });
  });
  return { child, servers };
};

/** A file that a reader appends to: once it has stopped growing, the reader is ended, which writes its last lines. */
const readBy = async function* (reader: ChildProcess, file: string): AsyncGenerator<Buffer> {
  for (let size = -1; size !== fs.statSync(file).size; ) {
    size = fs.statSync(file).size;
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  }
  const ended = once(reader, 'exit');
  if (reader.kill('SIGTERM')) await ended;
  yield* linesOf(file);
};

export const brokers: readonly LossCase[] = [
  {
    output: 'kafka',
    lack: lackOf(hasKcat, NEEDS_KCAT),
    kill: "SIGSTOP: librdkafka's mock brokers keep everything in memory",
    isPromised: true,
    start: async (folder) => {
      const file = join(folder, 'arrived');
      const { child, servers } = await startMock(file);
      return {
        params: { ...KAFKA, bootstrap_servers: servers.split(',') },
        kill: async () => child.kill('SIGSTOP'),
        start: async () => child.kill('SIGCONT'),
        arrived: () => readBy(child, file),
        remove: async () => child.kill('SIGKILL'),
      };
    },
  },
  {
    output: 'kafka',
    lack: null,
    kill: 'all brokers of the fake cluster end at once; logs stay',
    isPromised: true,
    start: async (folder) => {
      const kafka = await fakeKafka({ brokers: 3, partitions: 4 });
      const file = join(folder, 'arrived');
      const save = (): void => {
        fs.appendFileSync(
          file,
          kafka.messages
            .splice(0)
            .map(({ value }) => `${value}\n`)
            .join(''),
        );
        kafka.batches.length = 0;
        kafka.seen.length = 0;
      };
      const saving = setInterval(save, 50);
      return {
        params: { ...KAFKA, bootstrap_servers: kafka.servers },
        kill: kafka.kill,
        start: kafka.start,
        arrived: () => {
          save();
          return linesOf(file);
        },
        remove: async () => {
          clearInterval(saving);
          await kafka.kill();
        },
      };
    },
  },
  {
    output: 'mqtt',
    lack: lackOf(hasMosquitto, NEEDS_MOSQUITTO),
    kill: 'SIGTERM: mosquitto keeps messages in memory and saves them when it stops',
    isPromised: true,
    start: async (folder) => {
      const server = await startMosquitto();
      server.subscribe('events');
      const file = join(folder, 'arrived');
      const output = fs.openSync(file, 'a');
      const login = ['-h', '127.0.0.1', '-p', String(server.port), '-u', 'reader', '-P', 'right'];
      // It connects again by itself, to its session.
      const reader = spawn('mosquitto_sub', [...login, '-i', 'reader', '-c', '-q', '1', '-t', 'events'], {
        stdio: ['ignore', output, 'ignore'],
      });
      fs.closeSync(output);
      return {
        params: {
          url: `mqtt://127.0.0.1:${server.port}`,
          ...{ topic: 'events', username: 'writer', password: 'right', protocol_version: '3.1.1' },
        },
        kill: server.stop,
        start: server.start,
        arrived: () => readBy(reader, file),
        remove: async () => {
          reader.kill('SIGKILL');
          await server.remove();
        },
      };
    },
  },
  {
    output: 'nats',
    lack: lackOf(hasNats, NEEDS_NATS),
    kill: 'SIGKILL; a file stream',
    isPromised: true,
    start: async () => {
      const server = await startNats();
      await server.addStream(STREAM, { subjects: ['events'] });
      return {
        ...server,
        params: { servers: [`127.0.0.1:${server.port}`], subject: 'events', jetstream: true },
        arrived: () => storedIn(server),
      };
    },
  },
];
