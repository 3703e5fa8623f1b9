/**
 * A Kafka cluster of the tests' own, for faults that librdkafka's mock brokers cannot be asked for: errors by partition,
 * lost replies, logins, TLS, and brokers that go and come back at their port with their log. It knows ApiVersions 0,
 * Metadata 1 to 4, Produce 3 to 8, InitProducerId 0 to 1, SaslHandshake 1 and SaslAuthenticate 0 to 1 as the protocol guide of
 * Apache Kafka describes them, and checks record batches as a broker does. That both sides read the guide right is what
 * `real.test.ts` shows: there librdkafka's brokers take the messages, and its consumer gives them back.
 */
import * as net from 'node:net';
import * as tls from 'node:tls';
import {
  makeReader,
  makeWireWriter,
  type WireReader,
  type Writer,
} from '../../../../src/plugins/outputs/kafka/protocol/wire.js';
import { type FakeLogin, type FakeUser, fakeLogin, MECHANISMS } from './fakeSasl.js';
import { type KafkaMessage, type RecordBatch, readBatch } from './recordBatches.js';

/** What a broker does with the record batch of a partition. */
export type Verdict =
  | { readonly error: number; readonly message?: string; readonly records?: readonly number[] }
  /** The batch is in the log, and the reply is lost. */
  | 'unanswered'
  /** The batch is in the log, and the connection breaks. */
  | 'broken'
  | null;

export interface FakeKafkaOptions {
  readonly brokers?: number;
  readonly partitions?: number;
  readonly tls?: tls.TlsOptions;
  readonly user?: FakeUser;
  /** Highest versions, to be an older broker. */
  readonly versions?: Readonly<Record<number, readonly [number, number]>>;
}

export interface SeenRequest {
  readonly node: number;
  readonly api: number;
  readonly version: number;
  readonly client_id: string | null;
  readonly acks?: number;
  readonly bytes: number;
}

export interface FakeKafka {
  readonly ports: readonly number[];
  readonly servers: string[];
  readonly seen: SeenRequest[];
  /** Messages of all partitions, in the order of arrival. */
  readonly messages: KafkaMessage[];
  readonly batches: (RecordBatch & { readonly partition: number })[];
  /** May be set: decides about each record batch, before the log takes it. */
  verdict: (partition: number, batch: RecordBatch, node: number) => Verdict;
  /** May be set: error of the topic in replies to Metadata. */
  topicError: number;
  /** May be set: leader of each partition, from 1. */
  leaders: number[];
  /** May be set: port that metadata names for each broker. */
  advertised: number[];
  user: FakeUser | null;
  /** May be set: signs logins like a server that does not know the password. */
  forgets: boolean;
  lifetime_ms: number;
  readonly connections: () => number;
  /** Resolves when no connection is left. */
  readonly isQuiet: () => Promise<void>;
  /** Breaks all connections. */
  readonly cut: () => void;
  /** Ends all brokers; logs stay. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Takes connections and bytes, and answers nothing. */
  readonly freeze: () => void;
  readonly thaw: () => void;
}

const VERSIONS: Readonly<Record<number, readonly [number, number]>> = {
  0: [0, 11],
  3: [0, 12],
  17: [0, 1],
  18: [0, 3],
  22: [0, 5],
  36: [0, 2],
};

interface Client {
  readonly socket: net.Socket;
  readonly node: number;
  login: FakeLogin | null;
  isLoggedIn: boolean;
}

const NO_REPLY = 'no reply';
type Reply = Writer | typeof NO_REPLY;

export const fakeKafka = async (options: FakeKafkaOptions = {}): Promise<FakeKafka> => {
  const { brokers = 1, partitions = 1, versions = VERSIONS } = options;
  const clients = new Set<Client>();
  const sequences = new Map<string, { next: number; readonly last: string[] }>();
  const offsets = new Map<number, number>();
  let producers = 100n;
  let isFrozen = false;
  let held: (() => void)[] = [];

  const append = (partition: number, batch: RecordBatch): number => {
    const { producer_id, sequence, messages } = batch;
    if (producer_id >= 0n) {
      const state = sequences.get(`${producer_id} ${partition}`) ?? { next: 0, last: [] };
      sequences.set(`${producer_id} ${partition}`, state);
      const name = `${sequence} ${messages.length}`;
      if (state.last.includes(name)) return 0;
      if (sequence !== state.next) return 45;
      state.next = sequence + messages.length;
      state.last.splice(0, Math.max(0, state.last.length - 4));
      state.last.push(name);
    }
    offsets.set(partition, (offsets.get(partition) ?? 0) + messages.length);
    fake.batches.push({ ...batch, partition });
    for (const message of messages) fake.messages.push(message);
    return 0;
  };

  const produce = (client: Client, reader: WireReader, version: number, seen: SeenRequest): Reply => {
    reader.string();
    const acks = reader.int16();
    reader.int32();
    fake.seen.push({ ...seen, acks });
    const reply = makeWireWriter();
    let isAnswered = acks !== 0;
    const topics = reader.list(() => ({
      name: reader.string() ?? '',
      parts: reader.list(() => ({ partition: reader.int32(), bytes: reader.bytes() })),
    }));
    reply.int32(topics.length);
    for (const { name, parts } of topics) {
      reply.string(name).int32(parts.length);
      for (const { partition, bytes } of parts) {
        const batch = readBatch(bytes, partition);
        const isLed = fake.leaders[partition] === client.node;
        const verdict: Verdict = isLed ? fake.verdict(partition, batch, client.node) : { error: 6 };
        const isTaken = verdict === null || typeof verdict === 'string';
        const error = isTaken ? append(partition, batch) : verdict.error;
        if (verdict === 'unanswered') isAnswered = false;
        if (verdict === 'broken') client.socket.destroy();
        reply.int32(partition).int16(error).int64(0n).int64(-1n);
        if (version >= 5) reply.int64(0n);
        if (version < 8) continue;
        const records = isTaken ? [] : (verdict.records ?? []);
        reply.int32(records.length);
        for (const index of records) reply.int32(index).string('not valid');
        reply.string(isTaken ? null : (verdict.message ?? null));
      }
    }
    return isAnswered ? reply.int32(0) : NO_REPLY;
  };

  const metadata = (reader: WireReader, version: number): Reply => {
    const [topic] = reader.list(() => reader.string() ?? '');
    const reply = makeWireWriter();
    if (version >= 3) reply.int32(0);
    reply.int32(brokers);
    fake.advertised.forEach(
      (port, index) =>
        void reply
          .int32(index + 1)
          .string('127.0.0.1')
          .int32(port)
          .string(null),
    );
    if (version >= 2) reply.string('fake');
    reply
      .int32(1)
      .int32(1)
      .int16(fake.topicError)
      .string(topic ?? '')
      .int8(0);
    if (fake.topicError !== 0) return reply.int32(0);
    reply.int32(fake.leaders.length);
    fake.leaders.forEach((leader, partition) => {
      const error = leader < 0 ? 5 : 0;
      reply.int16(error).int32(partition).int32(leader).int32(1).int32(leader).int32(1).int32(leader);
    });
    return reply;
  };

  const authenticate = (client: Client, reader: WireReader, version: number): Reply => {
    const answer = client.login?.(reader.bytes()) ?? { failed: 'no handshake' };
    const reply = makeWireWriter();
    if ('failed' in answer) reply.int16(58).string(answer.failed).bytes(Buffer.alloc(0));
    else {
      reply.int16(0).string(null).bytes(Buffer.from(answer.token));
      client.isLoggedIn = !answer.token.startsWith('r=');
    }
    return version >= 1 ? reply.int64(BigInt(fake.lifetime_ms)) : reply;
  };

  const answer = (client: Client, frame: Buffer): void => {
    const reader = makeReader(frame);
    const [api, version, correlation] = [reader.int16(), reader.int16(), reader.int32()];
    const seen = { node: client.node, api, version, client_id: reader.string(), bytes: frame.length };
    if (api !== 0) fake.seen.push(seen);
    const isOpen = fake.user === null || client.isLoggedIn || [17, 18, 36].includes(api);
    const [lowest, highest] = versions[api] ?? [1, 0];
    if (!isOpen || version < lowest || version > highest) return void client.socket.destroy();
    const reply = ((): Reply => {
      if (api === 0) return produce(client, reader, version, seen);
      if (api === 3) return metadata(reader, version);
      if (api === 17) {
        const mechanism = reader.string() ?? '';
        const isKnown = fake.user !== null && MECHANISMS.some((name) => name === mechanism);
        if (isKnown && fake.user !== null) client.login = fakeLogin(mechanism, fake.user, fake.forgets);
        const writer = makeWireWriter()
          .int16(isKnown ? 0 : 33)
          .int32(fake.user === null ? 0 : MECHANISMS.length);
        if (fake.user !== null) for (const name of MECHANISMS) writer.string(name);
        return writer;
      }
      if (api === 36) return authenticate(client, reader, version);
      if (api === 22) return makeWireWriter().int32(0).int16(0).int64(producers++).int16(0);
      const rows = Object.entries(versions);
      const writer = makeWireWriter().int16(0).int32(rows.length);
      for (const [name, [low, high]] of rows) writer.int16(Number(name)).int16(low).int16(high);
      return writer;
    })();
    if (reply === NO_REPLY || client.socket.destroyed) return;
    const body = reply.done();
    const head = makeWireWriter();
    head.int32(body.length + 4).int32(correlation);
    client.socket.write(Buffer.concat([head.done(), body]));
  };

  const onClient = (socket: net.Socket, node: number): void => {
    const client: Client = { socket, node, login: null, isLoggedIn: false };
    clients.add(client);
    let bytes: Buffer = Buffer.alloc(0);
    const work = (): void => {
      while (bytes.length >= 4 && bytes.length >= 4 + bytes.readInt32BE(0)) {
        const end = 4 + bytes.readInt32BE(0);
        const frame = bytes.subarray(4, end);
        bytes = bytes.subarray(end);
        answer(client, frame);
      }
    };
    socket.on('error', () => {});
    socket.on('close', () => clients.delete(client));
    socket.on('data', (part: Buffer) => {
      bytes = Buffer.concat([bytes, part]);
      if (isFrozen) held.push(work);
      else work();
    });
  };

  const servers = Array.from({ length: brokers }, (_, index) => {
    const listener = (socket: net.Socket): void => onClient(socket, index + 1);
    return options.tls === undefined ? net.createServer(listener) : tls.createServer(options.tls, listener);
  });
  const listen = (server: net.Server, port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve((server.address() as net.AddressInfo).port));
    });
  const ports = await Promise.all(servers.map((server) => listen(server, 0)));

  const fake: FakeKafka = {
    ports,
    servers: ports.map((port) => `127.0.0.1:${port}`),
    seen: [],
    messages: [],
    batches: [],
    verdict: () => null,
    topicError: 0,
    leaders: Array.from({ length: partitions }, (_, index) => 1 + (index % brokers)),
    advertised: [...ports],
    user: options.user ?? null,
    forgets: false,
    lifetime_ms: 0,
    connections: () => clients.size,
    isQuiet: async () => {
      while (clients.size > 0) await new Promise((resolve) => setImmediate(resolve));
    },
    cut: () => {
      for (const { socket } of clients) socket.destroy();
    },
    kill: async () => {
      const closed = servers.map(
        (server) => new Promise<void>((resolve) => void server.close(() => resolve())),
      );
      fake.cut();
      await Promise.all(closed);
      held = [];
    },
    start: async () => {
      await Promise.all(servers.map((server, index) => listen(server, ports[index] ?? 0)));
    },
    freeze: () => {
      isFrozen = true;
    },
    thaw: () => {
      isFrozen = false;
      for (const work of held.splice(0)) work();
    },
  };
  return fake;
};
