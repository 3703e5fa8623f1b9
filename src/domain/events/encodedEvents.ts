import { MAX_BYTES_PER_UNIT, writeUtf8 } from '../text/utf8.js';

/** Events as UTF-8, each followed by a line end. Events may contain line ends themselves. */
export interface EncodedEvents {
  readonly bytes: Uint8Array;
  /** Index after the line end of each event, in bytes. */
  readonly ends: Uint32Array;
  /** True when no event contains a line end. Undefined when some may. */
  readonly areLines?: true;
}

const LINE_FEED = 0x0a;
const FIRST_TWO_BYTES = 0x80;
const FIRST_START = 0xc0;
const FIRST_FOUR_BYTES = 0xf0;
/** The bits that four ASCII bytes do not have. */
const NOT_ASCII = 0x8080_8080;

/** Ends in bytes of events whose ends in UTF-16 units are known. */
export const byteEnds = (bytes: Uint8Array, unitEnds: Uint32Array): Uint32Array => {
  // ASCII only: a byte is a unit.
  if (bytes.length === (unitEnds.at(-1) ?? 0)) return unitEnds;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ends = new Uint32Array(unitEnds.length);
  let at = 0;
  let units = 0;
  for (let index = 0; index < unitEnds.length; index++) {
    const end = unitEnds[index] as number;
    while (units < end) {
      // An event has at least as many bytes as units: four are there.
      if (end - units >= 4 && (view.getInt32(at, true) & NOT_ASCII) === 0) {
        at += 4;
        units += 4;
        continue;
      }
      const byte = bytes[at++] as number;
      if (byte < FIRST_TWO_BYTES) units++;
      // Continuation bytes add nothing; a character of four bytes is a surrogate pair.
      else if (byte >= FIRST_START) units += byte < FIRST_FOUR_BYTES ? 1 : 2;
    }
    // The last unit of an event is its line end, one byte.
    ends[index] = at;
  }
  return ends;
};

/** Encodes texts one by one: joining long ones costs more. */
export const encodeEach = (texts: readonly string[]): EncodedEvents => {
  const ends = new Uint32Array(texts.length);
  let units = texts.length;
  let largest = 0;
  for (const { length } of texts) {
    units += length;
    if (length > largest) largest = length;
  }
  let bytes = Buffer.allocUnsafeSlow(units + largest * (MAX_BYTES_PER_UNIT - 1));
  let used = 0;
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index] as string;
    const needed = used + text.length * MAX_BYTES_PER_UNIT + 1;
    if (needed > bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, bytes.length * 2));
      larger.set(bytes.subarray(0, used));
      bytes = larger;
    }
    used += writeUtf8(bytes, text, used);
    bytes[used++] = LINE_FEED;
    ends[index] = used;
  }
  return { bytes: bytes.subarray(0, used), ends };
};

/** Ends of `count` events that contain no line end. */
export const lineEnds = (bytes: Uint8Array, count: number): Uint32Array => {
  // The search of a Buffer is eight times as fast as that of other arrays.
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const ends = new Uint32Array(count);
  let at = 0;
  for (let index = 0; index < count; index++) {
    at = buffer.indexOf(LINE_FEED, at) + 1;
    ends[index] = at;
  }
  return ends;
};

/** Ends of events that follow each other in several parts. */
export const joinEnds = (parts: readonly EncodedEvents[], count: number): Uint32Array => {
  const ends = new Uint32Array(count);
  let index = 0;
  let start = 0;
  for (const part of parts) {
    for (const end of part.ends) ends[index++] = start + end;
    start += part.bytes.length;
  }
  return ends;
};

/** The events at ascending positions: a view if they follow each other, else a copy of their bytes. */
export const pickEncoded = (
  { bytes, ends, ...more }: EncodedEvents,
  positions: readonly number[],
): EncodedEvents => {
  const startOf = (position: number): number => (position === 0 ? 0 : (ends[position - 1] as number));
  const picked = new Uint32Array(positions.length);
  let length = 0;
  for (const [index, position] of positions.entries()) {
    length += (ends[position] as number) - startOf(position);
    picked[index] = length;
  }
  const from = startOf(positions[0] ?? 0);
  const last = positions.at(-1) ?? 0;
  if (last - (positions[0] ?? 0) === positions.length - 1) {
    return { ...more, bytes: bytes.subarray(from, from + length), ends: picked };
  }
  const copy = Buffer.allocUnsafeSlow(length);
  for (const [index, position] of positions.entries()) {
    copy.set(bytes.subarray(startOf(position), ends[position]), index === 0 ? 0 : picked[index - 1]);
  }
  return { ...more, bytes: copy, ends: picked };
};
