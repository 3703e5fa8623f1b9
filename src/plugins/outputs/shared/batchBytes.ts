import type { EventBatch } from '../../../domain/events/eventBatch.js';
import { MAX_JSON_BYTES, putJsonText } from '../../../domain/text/utf8.js';

/** A body of bytes that grows at its end: events go into it without a string for each. */
interface BodyWriter {
  /** Appends a part that is made once. */
  readonly put: (part: Uint8Array) => void;
  readonly copy: (source: Buffer, start: number, end: number) => void;
  /** Appends UTF-8 as the inside of a JSON string. */
  readonly putJson: (source: Uint8Array, start: number, end: number) => void;
  readonly size: () => number;
  /** Everything; call it once. */
  readonly take: () => Buffer;
}

/** `bytes`: an estimate of the length. */
export const makeBodyWriter = (bytes: number): BodyWriter => {
  let out = Buffer.allocUnsafe(bytes);
  let at = 0;
  const reserve = (count: number): void => {
    if (at + count <= out.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * out.length, at + count));
    out.copy(larger, 0, 0, at);
    out = larger;
  };
  return {
    put: (part) => {
      reserve(part.length);
      at = putPart(out, at, part);
    },
    copy: (source, start, end) => {
      reserve(end - start);
      source.copy(out, at, start, end);
      at += end - start;
    },
    putJson: (source, start, end) => {
      reserve((end - start) * MAX_JSON_BYTES);
      at = putJsonText(out, at, source, start, end);
    },
    size: () => at,
    take: () => out.subarray(0, at),
  };
};

/** Parts up to this length are copied in a loop: a native call costs as much as forty bytes. */
const SHORT = 48;

/** Writes a part that is made once; returns the index behind it. `out` must have room. */
const putPart = (out: Uint8Array, at: number, part: Uint8Array): number => {
  const { length } = part;
  if (length > SHORT) out.set(part, at);
  else for (let index = 0; index < length; index++) out[at + index] = part[index] as number;
  return at + length;
};

/** A body of known size between whose parts the events of a batch are moved. */
interface MovedBody {
  /** Appends a part that is made once. */
  readonly put: (part: Uint8Array) => void;
  readonly putByte: (byte: number) => void;
  /** Appends an unsigned LEB128 below 2^32. */
  readonly putVarint: (value: number) => void;
  /** Appends `source[start, end)`; in ascending order. */
  readonly move: (start: number, end: number) => void;
  /** Everything. */
  readonly take: () => Buffer;
}

/** Bytes of an unsigned LEB128 below 2^32. */
export const lengthSize = (value: number): number =>
  value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;

/**
 * `size`: bytes of everything, at least. The events wait at the end, and each is moved once: a view or a native copy for
 * each costs more than the second copy. Writing never overtakes the waiting events, because `size` has room for all parts.
 */
export const makeMovedBody = (size: number, source: Uint8Array): MovedBody => {
  const out = Buffer.allocUnsafe(size);
  const shift = size - source.length;
  out.set(source, shift);
  let at = 0;
  return {
    put: (part) => {
      at = putPart(out, at, part);
    },
    putByte: (byte) => {
      out[at++] = byte;
    },
    putVarint: (value) => {
      let rest = value;
      for (; rest > 0x7f; rest >>>= 7) out[at++] = (rest & 0x7f) | 0x80;
      out[at++] = rest;
    },
    move: (start, end) => {
      out.copyWithin(at, start + shift, end + shift);
      at += end - start;
    },
    take: () => out.subarray(0, at),
  };
};

const SPACE = 0x20;
const OPENS_OBJECT = 0x7b;
const OPENS_LIST = 0x5b;

/** Whether an event of UTF-8 may be an object or a list of JSON. */
export const mayBeDocument = (bytes: Uint8Array, start: number, end: number): boolean => {
  let at = start;
  while (at < end && (bytes[at] as number) <= SPACE) at++;
  return at < end && (bytes[at] === OPENS_OBJECT || bytes[at] === OPENS_LIST);
};

/** Whether any event of a batch may be an object or a list of JSON. */
export const hasDocument = (batch: EventBatch): boolean => {
  const { bytes, ends } = batch.encoded();
  let start = 0;
  for (let item = 0; item < batch.count; item++) {
    const end = ends[item] as number;
    if (mayBeDocument(bytes, start, end - 1)) return true;
    start = end;
  }
  return false;
};

/** Payloads of a batch as views of its bytes. */
export const payloadsOf = (batch: EventBatch): ((item: number) => Uint8Array) => {
  const { bytes, ends } = batch.encoded();
  return (item) => bytes.subarray(item === 0 ? 0 : (ends[item - 1] ?? 0), (ends[item] ?? 1) - 1);
};
