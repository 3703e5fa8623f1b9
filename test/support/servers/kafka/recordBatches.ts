import { gunzipSync } from 'node:zlib';
import { makeReader } from '../../../../src/plugins/outputs/kafka/protocol/wire.js';

/** A message as it came, texts as UTF-8. */
export interface KafkaMessage {
  readonly partition: number;
  readonly key: string | null;
  readonly value: string;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly timestamp_ms: number;
}

export interface RecordBatch {
  readonly producer_id: bigint;
  readonly producer_epoch: number;
  readonly sequence: number;
  readonly messages: readonly KafkaMessage[];
}

/** CRC-32C bit by bit, as its definition says. */
export const slowCrc32c = (bytes: Uint8Array): number => {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0x82f6_3b78 : crc >>> 1;
  }
  return (crc ^ 0xffff_ffff) >>> 0;
};

const readerOfRecords = (bytes: Buffer) => {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes.readUInt8(at++);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const text = (): string | null => {
    const size = varint();
    if (size < 0) return null;
    at += size;
    if (at > bytes.length) throw new RangeError('a record ends behind its batch');
    return bytes.toString('utf8', at - size, at);
  };
  const skip = (size: number): void => {
    at += size;
  };
  return { varint, text, skip, at: () => at };
};

/** Reads a record batch of format 2 and checks all it says of itself, as a broker does. Throws when something is wrong. */
export const readBatch = (bytes: Buffer, partition: number): RecordBatch => {
  const head = makeReader(bytes);
  const wrong = (what: string): never => {
    throw new Error(`record batch: ${what}`);
  };
  if (head.int64() !== 0n) wrong('base offset');
  if (head.int32() !== bytes.length - 12) wrong('length');
  head.int32();
  if (head.int8() !== 2) wrong('magic');
  if (head.int32() >>> 0 !== slowCrc32c(bytes.subarray(21))) wrong('CRC');
  const attributes = head.int16();
  const lastDelta = head.int32();
  const first_ms = Number(head.int64());
  const max_ms = Number(head.int64());
  const producer_id = head.int64();
  const producer_epoch = head.int16();
  const sequence = head.int32();
  const count = head.int32();
  if (lastDelta !== count - 1 || count < 1) wrong('count');
  if (![0, 1].includes(attributes)) wrong(`attributes ${attributes}`);
  const body = bytes.subarray(61);
  const records = attributes === 1 ? gunzipSync(body) : body;
  const reader = readerOfRecords(records);
  const messages: KafkaMessage[] = [];
  for (let index = 0; index < count; index++) {
    const size = reader.varint();
    const start = reader.at();
    reader.skip(1);
    const timestamp_ms = first_ms + reader.varint();
    if (timestamp_ms > max_ms) wrong('timestamp');
    if (reader.varint() !== index) wrong('offset');
    const key = reader.text();
    const value = reader.text() ?? wrong('value');
    const headers: [name: string, value: string | null][] = [];
    for (let left = reader.varint(); left > 0; left--)
      headers.push([reader.text() ?? wrong('header'), reader.text()]);
    if (reader.at() - start !== size) wrong('record length');
    messages.push({ partition, key, value, headers: Object.fromEntries(headers), timestamp_ms });
  }
  if (reader.at() !== records.length) wrong('rest');
  return { producer_id, producer_epoch, sequence, messages };
};
