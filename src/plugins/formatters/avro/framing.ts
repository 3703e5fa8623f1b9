import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { Container } from '../../../domain/events/eventBatch.js';
import { makeSink, writeBytes, writeLong, writeText } from './sink.js';

const FINGERPRINT_BYTES = 8;
const ID_BYTES = 4;

/** Apache Avro 1.12, "Single-object encoding". */
export const singleObjectPrefix = (fingerprint: bigint): Buffer => {
  const prefix = Buffer.alloc(2 + FINGERPRINT_BYTES, Buffer.from([0xc3, 0x01]));
  prefix.writeBigUInt64LE(fingerprint, 2);
  return prefix;
};

/** Wire format of Confluent's serializers: a zero and the ID of the schema. */
export const confluentPrefix = (schema_id: number): Buffer => {
  const prefix = Buffer.alloc(1 + ID_BYTES);
  prefix.writeInt32BE(schema_id, 1);
  return prefix;
};

const MAGIC = Buffer.from('Obj\u0001', 'latin1');
const MARKER_BYTES = 16;
const FIRST_BYTES = 1024;

export type ContainerCodec = 'null' | 'deflate';

export interface ContainerMaker extends Container {
  readonly make: (data: Uint8Array, count: number) => Buffer;
}

/** Makes an Object Container File of one block. The marker follows from the schema: equal events make equal bytes. */
export const containerMaker = (schema: string, codec: ContainerCodec): ContainerMaker => {
  const marker = createHash('sha256').update(`${codec} ${schema}`).digest().subarray(0, MARKER_BYTES);
  const head = makeSink(FIRST_BYTES);
  writeBytes(head, MAGIC);
  writeLong(head, 2);
  writeText(head, 'avro.schema');
  writeText(head, schema);
  writeText(head, 'avro.codec');
  writeText(head, codec);
  writeLong(head, 0);
  writeBytes(head, marker);
  const header = Buffer.from(head.bytes.subarray(0, head.length));
  const make = (data: Uint8Array, count: number): Buffer => {
    const stored = codec === 'deflate' ? deflateRawSync(data) : data;
    const block = makeSink(FIRST_BYTES);
    writeLong(block, count);
    writeLong(block, stored.length);
    return Buffer.concat([header, block.bytes.subarray(0, block.length), stored, marker]);
  };
  return { header, trailer: marker, make };
};
