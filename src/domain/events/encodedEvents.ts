/** Events as UTF-8, each followed by a line end. Events may contain line ends themselves. */
export interface EncodedEvents {
  readonly bytes: Uint8Array;
  /** Index after the line end of each event, in bytes. */
  readonly ends: Uint32Array;
}

const LINE_FEED = 0x0a;
const FIRST_TWO_BYTES = 0x80;
const FIRST_START = 0xc0;
const FIRST_FOUR_BYTES = 0xf0;

/** Ends in bytes of events whose ends in UTF-16 units are known. */
export const byteEnds = (bytes: Uint8Array, unitEnds: Uint32Array): Uint32Array => {
  // ASCII only: a byte is a unit.
  if (bytes.length === (unitEnds.at(-1) ?? 0)) return unitEnds;
  const ends = new Uint32Array(unitEnds.length);
  let at = 0;
  let units = 0;
  for (let index = 0; index < unitEnds.length; index++) {
    const end = unitEnds[index] as number;
    while (units < end) {
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

/** Ends of `count` events that contain no line end. */
export const lineEnds = (bytes: Uint8Array, count: number): Uint32Array => {
  const ends = new Uint32Array(count);
  let at = 0;
  for (let index = 0; index < count; index++) {
    at = bytes.indexOf(LINE_FEED, at) + 1;
    ends[index] = at;
  }
  return ends;
};

/** Ends in UTF-16 units of texts that are each followed by a line end. */
export const unitEnds = (texts: readonly string[]): Uint32Array => {
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (let index = 0; index < texts.length; index++) {
    end += (texts[index] as string).length + 1;
    ends[index] = end;
  }
  return ends;
};

/** Ends of events that follow each other in several parts. */
export const joinEnds = (parts: readonly Uint32Array[], count: number): Uint32Array => {
  const ends = new Uint32Array(count);
  let index = 0;
  let start = 0;
  for (const part of parts) {
    for (const end of part) ends[index++] = start + end;
    start = ends[index - 1] ?? start;
  }
  return ends;
};
