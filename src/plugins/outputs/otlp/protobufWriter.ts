const FIRST_BYTES = 64 * 1024;

/** Wire types of protobuf. */
export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH = 2;

/**
 * Writes protobuf from the end to the start: the length of a message is known when its header is written. Fields and
 * list items are written in reverse.
 */
export interface ProtobufWriter {
  /** Bytes written so far; the length of a message is the difference. */
  readonly size: () => number;
  readonly tag: (field: number, wire: number) => void;
  /** Up to 2^53. */
  readonly varint: (value: number) => void;
  /** In two's complement. */
  readonly int64: (value: number) => void;
  readonly fixed64: (value: bigint) => void;
  readonly double: (value: number) => void;
  /** A string field. */
  readonly text: (field: number, value: string) => void;
  /** Counts bytes that are written elsewhere. */
  readonly skip: (count: number) => void;
  /** A bytes field from hex. */
  readonly hex: (field: number, value: string) => void;
  /** The header of a message field, after its content. */
  readonly message: (field: number, sizeBefore: number) => void;
  /** Everything; the writer starts anew. */
  readonly take: () => Buffer;
}

export const makeProtobufWriter = (): ProtobufWriter => {
  let bytes = Buffer.allocUnsafe(FIRST_BYTES);
  let at = bytes.length;
  let skipped = 0;

  const reserve = (count: number): void => {
    if (at >= count) return;
    const used = bytes.length - at;
    const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, used + count + FIRST_BYTES));
    bytes.copy(larger, larger.length - used, at);
    at = larger.length - used;
    bytes = larger;
  };
  const varint = (value: number): void => {
    let length = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
    reserve(length);
    at -= length;
    let rest = value;
    for (let index = 0; index < length - 1; index++) {
      bytes[at + index] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    bytes[at + length - 1] = rest;
  };
  const tag = (field: number, wire: number): void => varint(field * 8 + wire);
  const sized = (field: number, length: number): void => {
    varint(length);
    tag(field, LENGTH);
  };
  const int64 = (value: number): void => {
    if (value >= 0) return varint(value);
    let rest = BigInt.asUintN(64, BigInt(value));
    const groups: number[] = [];
    for (; rest >= 0x80n; rest >>= 7n) groups.push(Number(rest & 0x7fn) | 0x80);
    groups.push(Number(rest));
    reserve(groups.length);
    at -= groups.length;
    bytes.set(groups, at);
  };

  const size = (): number => bytes.length - at + skipped;

  // Most records of a batch have the same time.
  let lastFixed = 0n;
  const lastBytes = Buffer.alloc(8);

  return {
    size,
    tag,
    varint,
    int64,
    fixed64: (value) => {
      if (value !== lastFixed) {
        lastFixed = value;
        lastBytes.writeBigUInt64LE(value);
      }
      reserve(8);
      at -= 8;
      for (let index = 0; index < 8; index++) bytes[at + index] = lastBytes[index] as number;
    },
    double: (value) => {
      reserve(8);
      at -= 8;
      bytes.writeDoubleLE(value, at);
    },
    text: (field, value) => {
      const length = Buffer.byteLength(value);
      reserve(length);
      at -= length;
      bytes.write(value, at, length, 'utf8');
      sized(field, length);
    },
    skip: (count) => {
      skipped += count;
    },
    hex: (field, value) => {
      const length = value.length / 2;
      reserve(length);
      at -= length;
      bytes.write(value, at, length, 'hex');
      sized(field, length);
    },
    message: (field, sizeBefore) => sized(field, size() - sizeBefore),
    take: () => {
      const taken = bytes.subarray(at);
      // The next request is about as large: growing would copy it several times.
      bytes = Buffer.allocUnsafe(Math.max(FIRST_BYTES, Math.ceil(taken.length * 1.1)));
      at = bytes.length;
      skipped = 0;
      return taken;
    },
  };
};
