/** Kafka's primitive types: big endian, texts and lists with their length before them. */
export interface Writer {
  readonly int8: (value: number) => Writer;
  readonly int16: (value: number) => Writer;
  readonly int32: (value: number) => Writer;
  readonly int64: (value: bigint) => Writer;
  readonly string: (value: string | null) => Writer;
  readonly bytes: (value: Uint8Array) => Writer;
  readonly done: () => Buffer;
}

const fixed = (size: number, put: (buffer: Buffer) => void): Buffer => {
  const buffer = Buffer.allocUnsafe(size);
  put(buffer);
  return buffer;
};

/** For the small parts of requests. */
export const makeWireWriter = (): Writer => {
  const parts: Uint8Array[] = [];
  const add = (part: Uint8Array): Writer => {
    parts.push(part);
    return writer;
  };
  const writer: Writer = {
    int8: (value) => add(fixed(1, (buffer) => buffer.writeInt8(value))),
    int16: (value) => add(fixed(2, (buffer) => buffer.writeInt16BE(value))),
    int32: (value) => add(fixed(4, (buffer) => buffer.writeInt32BE(value))),
    int64: (value) => add(fixed(8, (buffer) => buffer.writeBigInt64BE(value))),
    string: (value) => {
      if (value === null) return writer.int16(-1);
      const text = Buffer.from(value, 'utf8');
      writer.int16(text.length);
      return add(text);
    },
    bytes: (value) => {
      writer.int32(value.length);
      return add(value);
    },
    done: () => Buffer.concat(parts),
  };
  return writer;
};

/** Reads a reply. Throws a RangeError behind its end. */
export interface WireReader {
  readonly int8: () => number;
  readonly int16: () => number;
  readonly int32: () => number;
  readonly int64: () => bigint;
  readonly string: () => string | null;
  readonly bytes: () => Buffer;
  readonly list: <A>(one: () => A) => readonly A[];
}

export const makeReader = (buffer: Buffer): WireReader => {
  let at = 0;
  const moved = (size: number): number => {
    const from = at;
    if (size < 0 || from + size > buffer.length) throw new RangeError('the reply is shorter than it says');
    at += size;
    return from;
  };
  const reader: WireReader = {
    int8: () => buffer.readInt8(moved(1)),
    int16: () => buffer.readInt16BE(moved(2)),
    int32: () => buffer.readInt32BE(moved(4)),
    int64: () => buffer.readBigInt64BE(moved(8)),
    string: () => {
      const size = reader.int16();
      if (size < 0) return null;
      const from = moved(size);
      return buffer.toString('utf8', from, from + size);
    },
    bytes: () => {
      const size = Math.max(0, reader.int32());
      const from = moved(size);
      return buffer.subarray(from, from + size);
    },
    list: (one) => {
      const count = reader.int32();
      const items: ReturnType<typeof one>[] = [];
      // Items are read one by one: a wrong count ends at the end of the reply.
      for (let index = 0; index < count; index++) items.push(one());
      return items;
    },
  };
  return reader;
};
