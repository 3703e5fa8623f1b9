import { MAX_BYTES_PER_UNIT, writeUtf8 } from '../../../domain/text/utf8.js';
import type { Zone } from '../../../domain/time/zone.js';

/** Why a value does not fit its type, and where it stands, as a JSON pointer. */
export interface Misfit {
  readonly path: string;
  readonly what: string;
}

/** How values of a type are written. */
export interface Codec {
  /** Appends a value. Returns null when it is written. After a misfit the sink holds a part of it. */
  readonly write: (value: unknown, sink: Sink) => Misfit | null;
  /** Whether the JSON type of a value is that of this type: picks the branch of a union. */
  readonly fits: (value: unknown) => boolean;
}

export interface CodecOptions {
  /** Time zone of local times in ISO 8601. */
  readonly zone: Zone;
}

export const misfit = (what: string): Misfit => ({ path: '', what });

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The same misfit, seen from the value around it. */
export const within = (key: string, { path, what }: Misfit): Misfit => ({
  path: `/${escaped(key)}${path}`,
  what,
});

/** One sentence for logs. */
export const misfitText = ({ path, what }: Misfit): string => `${path === '' ? 'the event' : path} ${what}`;

export const avroKindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

/** Bytes that grow as they are written. */
export interface Sink {
  bytes: Buffer;
  length: number;
  /** Records around the value that is written. */
  depth: number;
}

export const makeSink = (size: number): Sink => ({
  bytes: Buffer.allocUnsafeSlow(Math.max(size, 64)),
  length: 0,
  depth: 0,
});

/** Makes room for more bytes. */
export const ensure = (sink: Sink, more: number): void => {
  const needed = sink.length + more;
  if (needed <= sink.bytes.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, sink.bytes.length * 2));
  sink.bytes.copy(larger, 0, 0, sink.length);
  sink.bytes = larger;
};

const MAX_VARINT = 10;
const MAX_INT = 0x7fff_ffff;
/** Twice as much is still exact. */
const MAX_EXACT = 2 ** 51;
const CONTINUES = 0x80;
const SEVEN_BITS = 0x80;

/** Zigzag varint of 64 bits. */
export const writeBigLong = (sink: Sink, value: bigint): void => {
  ensure(sink, MAX_VARINT);
  let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  while (rest > 0x7fn) {
    sink.bytes[sink.length++] = Number(rest & 0x7fn) | CONTINUES;
    rest >>= 7n;
  }
  sink.bytes[sink.length++] = Number(rest);
};

/** Zigzag varint of a safe integer. */
export const writeLong = (sink: Sink, value: number): void => {
  ensure(sink, MAX_VARINT);
  const { bytes } = sink;
  let at = sink.length;
  if (value >= -MAX_INT && value <= MAX_INT) {
    let rest = ((value << 1) ^ (value >> 31)) >>> 0;
    while (rest > 0x7f) {
      bytes[at++] = (rest & 0x7f) | CONTINUES;
      rest >>>= 7;
    }
    bytes[at++] = rest;
    sink.length = at;
    return;
  }
  if (value < -MAX_EXACT || value > MAX_EXACT) return writeBigLong(sink, BigInt(value));
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  while (rest > 0x7f) {
    bytes[at++] = (rest % SEVEN_BITS) | CONTINUES;
    rest = Math.floor(rest / SEVEN_BITS);
  }
  bytes[at++] = rest;
  sink.length = at;
};

export const writeBytes = (sink: Sink, bytes: Uint8Array): void => {
  ensure(sink, bytes.length);
  sink.bytes.set(bytes, sink.length);
  sink.length += bytes.length;
};

/** Short texts are written by characters: a call costs more. */
const SHORT = 32;

/** Length and UTF-8. */
export const writeAvroText = (sink: Sink, text: string): void => {
  const units = text.length;
  ensure(sink, MAX_VARINT + units * MAX_BYTES_PER_UNIT);
  if (units <= SHORT) {
    const { bytes } = sink;
    let at = sink.length;
    bytes[at++] = units << 1;
    let index = 0;
    for (; index < units; index++) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) break;
      bytes[at++] = code;
    }
    if (index === units) {
      sink.length = at;
      return;
    }
  }
  writeLong(sink, Buffer.byteLength(text));
  sink.length += writeUtf8(sink.bytes, text, sink.length);
};
