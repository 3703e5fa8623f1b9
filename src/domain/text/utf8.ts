const HEX = '0123456789abcdef';
/** Longest escape of one byte: `\u0000`. */
export const MAX_JSON_BYTES = 6;

/** By byte: 0, it stands for itself; 1, an escape of six bytes; else the letter after the backslash. */
const ESCAPES = new Uint8Array(256);
ESCAPES.fill(1, 0, 0x20);
for (const [char, letter] of [
  ['\b', 'b'],
  ['\t', 't'],
  ['\n', 'n'],
  ['\f', 'f'],
  ['\r', 'r'],
  ['"', '"'],
  ['\\', '\\'],
] as const) {
  ESCAPES[char.charCodeAt(0)] = letter.charCodeAt(0);
}

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const ZERO = 0x30;

/**
 * Writes `bytes[start, end)`, valid UTF-8, as the inside of a JSON string (RFC 8259, 7), byte for byte as JSON.stringify
 * does. `out` must have room for MAX_JSON_BYTES each. Returns the index behind it.
 */
export const putJsonText = (
  out: Uint8Array,
  at: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): number => {
  let index = at;
  for (let from = start; from < end; from++) {
    const byte = bytes[from] as number;
    const letter = ESCAPES[byte] as number;
    if (letter === 0) {
      out[index++] = byte;
      continue;
    }
    out[index++] = BACKSLASH;
    if (letter > 1) out[index++] = letter;
    else {
      out[index++] = LETTER_U;
      out[index++] = ZERO;
      out[index++] = ZERO;
      out[index++] = HEX.charCodeAt(byte >> 4);
      out[index++] = HEX.charCodeAt(byte & 15);
    }
  }
  return index;
};

/** Missing in Node's types; faster than `Buffer.write`, which looks up the encoding on each call. */
interface RawWriter {
  readonly utf8Write: (text: string, at: number) => number;
}

/** Of UTF-8, per UTF-16 unit. */
export const MAX_BYTES_PER_UNIT = 3;

/** Writes UTF-8 into a buffer with enough room; returns the number of bytes. */
export const writeUtf8 = (into: Buffer, text: string, at: number): number =>
  (into as unknown as RawWriter).utf8Write(text, at);
