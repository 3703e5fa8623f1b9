/** Values, keys and headers of the events of a write. */
export interface RecordMessages {
  readonly count: number;
  /** All values; value `i` ends `gap` bytes before `ends[i]`, where the next one starts. */
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
  readonly gap: number;
  readonly keyOf: (index: number) => Uint8Array | null;
  /** Number of headers and the headers, encoded. */
  readonly headersOf: (index: number) => Uint8Array;
}

/** Identity of an idempotent producer. Null for any other producer. */
export interface Identity {
  readonly producer_id: bigint;
  readonly producer_epoch: number;
  readonly sequence: number;
}

const HEAD_BYTES = 61;
const MAGIC = 2;
const TRAITS_AT = 21;
const BITS_OF_COMPRESSION = { none: 0, gzip: 1, zstd: 4 } as const;

export type Compression = keyof typeof BITS_OF_COMPRESSION;

/** Bytes of a zigzag varint of a number from 0. */
export const varintSize = (value: number): number =>
  value < 0x40 ? 1 : value < 0x2000 ? 2 : value < 0x10_0000 ? 3 : value < 0x800_0000 ? 4 : 5;

/** Writes a zigzag varint of a number from 0 below 2^31; returns the index behind it. */
export const putVarint = (buffer: Uint8Array, value: number, at: number): number => {
  let rest = value << 1;
  let index = at;
  for (; rest >>> 0 > 0x7f; rest >>>= 7) buffer[index++] = (rest & 0x7f) | 0x80;
  buffer[index++] = rest;
  return index;
};

const NO_KEY = 0x01;

const valueStart = ({ ends }: RecordMessages, index: number): number =>
  index === 0 ? 0 : (ends[index - 1] as number);

const valueEnd = ({ ends, gap }: RecordMessages, index: number): number => (ends[index] as number) - gap;

/** Length of a record without its own length. */
const recordSize = (delta: number, key: Uint8Array | null, value: number, headers: Uint8Array): number => {
  const keySize = key === null ? 1 : varintSize(key.length) + key.length;
  return 2 + varintSize(delta) + keySize + varintSize(value) + value + headers.length;
};

const bodySize = (messages: RecordMessages, index: number, delta: number): number => {
  const value = valueEnd(messages, index) - valueStart(messages, index);
  return recordSize(delta, messages.keyOf(index), value, messages.headersOf(index));
};

/** Bytes of a batch of one record, before compression. */
export const singleSize = (messages: RecordMessages, index: number): number => {
  const body = bodySize(messages, index, 0);
  return HEAD_BYTES + varintSize(body) + body;
};

/** Bytes that a record adds to a batch, at `delta` records from its first. */
export const addedSize = (messages: RecordMessages, index: number, delta: number): number => {
  const body = bodySize(messages, index, delta);
  return varintSize(body) + body;
};

/**
 * Encodes the records of `items[from, to)`; `size`: their bytes. Leaves room for the head of the batch. Values of
 * neighbors are copied at once behind the room for the records and then moved: a view for each costs more than its copy.
 */
const encodeRecords = (
  messages: RecordMessages,
  items: readonly number[],
  from: number,
  to: number,
  size: number,
): Buffer => {
  const out = Buffer.allocUnsafe(HEAD_BYTES + size);
  const { bytes } = messages;
  const first = items[from] as number;
  const last = items[to - 1] as number;
  const areNeighbors = last - first === to - from - 1;
  const rawStart = valueStart(messages, first);
  const rawEnd = messages.ends[last] as number;
  // Each record is longer than its value and separator: records never reach values that are not yet moved.
  const shift = out.length - rawEnd;
  if (areNeighbors) out.set(bytes.subarray(rawStart, rawEnd), rawStart + shift);
  let at = HEAD_BYTES;
  for (let index = from; index < to; index++) {
    const item = items[index] as number;
    const delta = index - from;
    const key = messages.keyOf(item);
    const headers = messages.headersOf(item);
    const start = valueStart(messages, item);
    const end = valueEnd(messages, item);
    at = putVarint(out, recordSize(delta, key, end - start, headers), at);
    // Attributes, then the timestamp: all records have that of the batch.
    out[at++] = 0;
    out[at++] = 0;
    at = putVarint(out, delta, at);
    if (key === null) out[at++] = NO_KEY;
    else {
      at = putVarint(out, key.length, at);
      out.set(key, at);
      at += key.length;
    }
    at = putVarint(out, end - start, at);
    if (areNeighbors) out.copyWithin(at, start + shift, end + shift);
    else out.set(bytes.subarray(start, end), at);
    at += end - start;
    if (headers.length === 1) out[at++] = headers[0] as number;
    else {
      out.set(headers, at);
      at += headers.length;
    }
  }
  return out;
};

interface BatchOptions {
  readonly timestamp_ms: number;
  readonly identity: Identity | null;
  readonly compression: Compression;
  readonly compress: ((bytes: Uint8Array) => Promise<Buffer>) | null;
}

/** A record batch (format 2) of `items[from, to)`; `size`: bytes of their records before compression. */
export const encodeBatch = async (
  messages: RecordMessages,
  items: readonly number[],
  from: number,
  to: number,
  size: number,
  options: BatchOptions,
): Promise<Buffer> => {
  const { timestamp_ms, identity, compression, compress } = options;
  const plain = encodeRecords(messages, items, from, to, size);
  const out =
    compress === null
      ? plain
      : Buffer.concat([plain.subarray(0, HEAD_BYTES), await compress(plain.subarray(HEAD_BYTES))]);
  const timestamp = BigInt(timestamp_ms);
  out.writeBigInt64BE(0n, 0);
  out.writeInt32BE(out.length - 12, 8);
  out.writeInt32BE(-1, 12);
  out[16] = MAGIC;
  out.writeInt16BE(BITS_OF_COMPRESSION[compression], TRAITS_AT);
  out.writeInt32BE(to - from - 1, 23);
  out.writeBigInt64BE(timestamp, 27);
  out.writeBigInt64BE(timestamp, 35);
  out.writeBigInt64BE(identity === null ? -1n : identity.producer_id, 43);
  out.writeInt16BE(identity === null ? -1 : identity.producer_epoch, 51);
  out.writeInt32BE(identity === null ? -1 : identity.sequence, 53);
  out.writeInt32BE(to - from, 57);
  out.writeUInt32BE(crc32c(out, TRAITS_AT, out.length), 17);
  return out;
};

/** Headers as a record holds them: their number, then name and value of each. */
export const encodeHeaders = (
  headers: readonly (readonly [name: string, value: Buffer | null])[],
): Buffer => {
  const parts: Buffer[] = [varint(headers.length)];
  for (const [name, value] of headers) {
    const text = Buffer.from(name, 'utf8');
    parts.push(varint(text.length), text);
    if (value === null) parts.push(Buffer.of(NO_KEY));
    else parts.push(varint(value.length), value);
  }
  return Buffer.concat(parts);
};

const varint = (value: number): Buffer => {
  const buffer = Buffer.alloc(varintSize(value));
  putVarint(buffer, value, 0);
  return buffer;
};

/** Castagnoli polynomial, bit-reversed. */
const POLYNOMIAL = 0x82f6_3b78;
const SLICES = 16;

/** Table `k` is at `256 * k`: CRC of a byte that `k` zero bytes follow. */
const makeTables = (): Int32Array => {
  const tables = new Int32Array(256 * SLICES);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    tables[byte] = crc;
  }
  for (let index = 256; index < tables.length; index++) {
    const before = tables[index - 256] as number;
    tables[index] = (before >>> 8) ^ (tables[before & 0xff] as number);
  }
  return tables;
};

const TABLES = makeTables();

/** CRC-32C of `bytes[from, to)`, 16 bytes a step (slicing-by-16, after Kounavis and Berry, 2008). */
export const crc32c = (bytes: Uint8Array, from: number, to: number): number => {
  const t = TABLES;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let crc = -1;
  let at = from;
  for (const last = to - SLICES; at <= last; at += SLICES) {
    const a = crc ^ view.getInt32(at, true);
    const b = view.getInt32(at + 4, true);
    const c = view.getInt32(at + 8, true);
    const d = view.getInt32(at + 12, true);
    crc =
      (t[3840 + (a & 0xff)] as number) ^
      (t[3584 + ((a >>> 8) & 0xff)] as number) ^
      (t[3328 + ((a >>> 16) & 0xff)] as number) ^
      (t[3072 + (a >>> 24)] as number) ^
      (t[2816 + (b & 0xff)] as number) ^
      (t[2560 + ((b >>> 8) & 0xff)] as number) ^
      (t[2304 + ((b >>> 16) & 0xff)] as number) ^
      (t[2048 + (b >>> 24)] as number) ^
      (t[1792 + (c & 0xff)] as number) ^
      (t[1536 + ((c >>> 8) & 0xff)] as number) ^
      (t[1280 + ((c >>> 16) & 0xff)] as number) ^
      (t[1024 + (c >>> 24)] as number) ^
      (t[768 + (d & 0xff)] as number) ^
      (t[512 + ((d >>> 8) & 0xff)] as number) ^
      (t[256 + ((d >>> 16) & 0xff)] as number) ^
      (t[d >>> 24] as number);
  }
  for (; at < to; at++) crc = (crc >>> 8) ^ (t[(crc ^ (bytes[at] as number)) & 0xff] as number);
  return ~crc >>> 0;
};
