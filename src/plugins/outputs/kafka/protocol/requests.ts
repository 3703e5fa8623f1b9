import { makeReader, makeWireWriter, type WireReader } from './wire.js';

/** Numbers of the requests that an output sends. */
export const API = {
  produce: 0,
  metadata: 3,
  saslHandshake: 17,
  apiVersions: 18,
  initProducerId: 22,
  saslAuthenticate: 36,
} as const;

export type ApiName = keyof typeof API;

/**
 * Versions that this client speaks, the last ones before "flexible" encoding: all brokers since Kafka 0.11 know one of
 * each, also Kafka 4.
 */
const SPOKEN: Readonly<Record<ApiName, readonly [lowest: number, highest: number]>> = {
  produce: [3, 8],
  metadata: [1, 4],
  saslHandshake: [1, 1],
  apiVersions: [0, 0],
  initProducerId: [0, 1],
  saslAuthenticate: [0, 1],
};

/** Version of each request for one broker. Undefined when client and broker have none in common. */
export type Versions = Readonly<Partial<Record<ApiName, number>>>;

/** Header of a request and its start; the length of the rest is `more_bytes`. */
export const requestHead = (
  api: ApiName,
  version: number,
  correlation: number,
  client_id: string,
  body: Uint8Array,
  more_bytes: number,
): Buffer => {
  const head = makeWireWriter().int16(API[api]).int16(version).int32(correlation).string(client_id).done();
  const size = Buffer.allocUnsafe(4);
  size.writeInt32BE(head.length + body.length + more_bytes);
  return Buffer.concat([size, head, body]);
};

interface ApiVersionsReply {
  readonly error: number;
  readonly versions: Versions;
}

export const readApiVersions = (reader: WireReader): ApiVersionsReply => {
  const error = reader.int16();
  const offered = new Map<number, readonly [lowest: number, highest: number]>();
  reader.list(() => offered.set(reader.int16(), [reader.int16(), reader.int16()]));
  const common = (Object.keys(API) as ApiName[]).flatMap((name) => {
    const [low, high] = offered.get(API[name]) ?? [1, 0];
    const [lowest, highest] = SPOKEN[name];
    const version = Math.min(high, highest);
    return version >= Math.max(low, lowest) ? [[name, version] as const] : [];
  });
  return { error, versions: Object.fromEntries(common) };
};

export interface KafkaAddress {
  readonly host: string;
  readonly port: number;
}

export interface TopicPartition {
  readonly id: number;
  readonly error: number;
  /** Node of the leader; -1: none. */
  readonly leader: number;
}

export interface MetadataReply {
  readonly nodes: ReadonlyMap<number, KafkaAddress>;
  readonly error: number;
  /** By number, without gaps. */
  readonly partitions: readonly TopicPartition[];
}

export const writeMetadata = (topic: string, version: number): Buffer => {
  const writer = makeWireWriter().int32(1).string(topic);
  // The broker's own setting decides whether topics are created.
  return (version >= 4 ? writer.int8(1) : writer).done();
};

export const readMetadata = (reader: WireReader, version: number): MetadataReply => {
  if (version >= 3) reader.int32();
  const nodes = new Map<number, KafkaAddress>();
  reader.list(() => {
    nodes.set(reader.int32(), { host: reader.string() ?? '', port: reader.int32() });
    reader.string();
  });
  if (version >= 2) reader.string();
  reader.int32();
  const [topic] = reader.list(() => {
    const error = reader.int16();
    reader.string();
    reader.int8();
    const partitions = reader.list((): TopicPartition => {
      const partition = { error: reader.int16(), id: reader.int32(), leader: reader.int32() };
      reader.list(reader.int32);
      reader.list(reader.int32);
      return partition;
    });
    return { error, partitions: [...partitions].sort((a, b) => a.id - b.id) };
  });
  return { nodes, error: topic?.error ?? 0, partitions: topic?.partitions ?? [] };
};

export interface ProducedPart {
  readonly partition: number;
  readonly records: Buffer;
}

/** The parts of a produce request in front of each record batch: `pieces[i]` goes before the records of part `i`. */
export const writeProduce = (
  transactional_id: string | null,
  acks: number,
  timeout_ms: number,
  topic: string,
  parts: readonly ProducedPart[],
): { readonly start: Buffer; readonly pieces: readonly Buffer[] } => {
  const start = makeWireWriter()
    .string(transactional_id)
    .int16(acks)
    .int32(timeout_ms)
    .int32(1)
    .string(topic)
    .int32(parts.length)
    .done();
  const pieces = parts.flatMap(({ partition, records }) => [
    makeWireWriter().int32(partition).int32(records.length).done(),
    records,
  ]);
  return { start, pieces };
};

export interface PartReply {
  readonly partition: number;
  readonly error: number;
  /** Records of the batch that the broker rejects. */
  readonly records: readonly { readonly index: number; readonly message: string | null }[];
  readonly message: string | null;
}

export const readProduce = (reader: WireReader, version: number): readonly PartReply[] =>
  reader
    .list(() => {
      reader.string();
      return reader.list((): PartReply => {
        const partition = reader.int32();
        const error = reader.int16();
        reader.int64();
        reader.int64();
        if (version >= 5) reader.int64();
        if (version < 8) return { partition, error, records: [], message: null };
        const records = reader.list(() => ({ index: reader.int32(), message: reader.string() }));
        return { partition, error, records, message: reader.string() };
      });
    })
    .flat();

export const writeInitProducerId = (transactional_id: string | null, timeout_ms: number): Buffer =>
  makeWireWriter().string(transactional_id).int32(timeout_ms).done();

export const readInitProducerId = (reader: WireReader) => {
  reader.int32();
  return { error: reader.int16(), producer_id: reader.int64(), producer_epoch: reader.int16() };
};

export const writeSaslHandshake = (mechanism: string): Buffer => makeWireWriter().string(mechanism).done();

export const readSaslHandshake = (reader: WireReader) => ({
  error: reader.int16(),
  mechanisms: reader.list(() => reader.string() ?? ''),
});

export const writeSaslAuthenticate = (token: Uint8Array): Buffer => makeWireWriter().bytes(token).done();

export const readSaslAuthenticate = (reader: WireReader, version: number) => {
  const error = reader.int16();
  const message = reader.string();
  const token = reader.bytes();
  return { error, message, token, lifetime_ms: version >= 1 ? Number(reader.int64()) : 0 };
};

export const answerReaderOf = (reply: Buffer): WireReader => makeReader(reply);
