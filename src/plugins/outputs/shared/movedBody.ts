import { putPart } from './putPart.js';

/** A body of known size between whose parts the events of a batch are moved. */
export interface MovedBody {
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
export const varintSize = (value: number): number =>
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
