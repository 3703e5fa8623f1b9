/** CRC-32 of ISO 3309 (polynomial 0x04C11DB7, reflected), as in zlib. `zlib.crc32` would need bytes, not text. */
const POLYNOMIAL = 0xedb88320;

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = (rest & 1) === 1 ? POLYNOMIAL ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

/** A checksum in progress: feed it parts, then call `crcOf`. */
export type CrcState = number;

export const CRC_START: CrcState = -1;

/** The unsigned 32-bit checksum. */
export const crcOf = (state: CrcState): number => ~state >>> 0;

const step = (state: CrcState, byte: number): CrcState =>
  (TABLE[(state ^ byte) & 0xff] as number) ^ (state >>> 8);

export const feedByte = step;

/** Feeds `bytes[from..to)`. */
export const feedBytes = (state: CrcState, bytes: Uint8Array, from: number, to: number): CrcState => {
  let crc = state;
  for (let i = from; i < to; i++) {
    crc = (TABLE[(crc ^ (bytes[i] as number)) & 0xff] as number) ^ (crc >>> 8);
  }
  return crc;
};

const REPLACEMENT = 0xfffd;

const feedCharacter = (state: CrcState, code: number): CrcState => {
  if (code < 0x800) return step(step(state, 0xc0 | (code >> 6)), 0x80 | (code & 0x3f));
  if (code < 0x10000) {
    const crc = step(step(state, 0xe0 | (code >> 12)), 0x80 | ((code >> 6) & 0x3f));
    return step(crc, 0x80 | (code & 0x3f));
  }
  const crc = step(step(state, 0xf0 | (code >> 18)), 0x80 | ((code >> 12) & 0x3f));
  return step(step(crc, 0x80 | ((code >> 6) & 0x3f)), 0x80 | (code & 0x3f));
};

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** Feeds UTF-8 as outputs write it: a lone surrogate is U+FFFD. */
export const feedText = (state: CrcState, text: string): CrcState => {
  let crc = state;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      crc = (TABLE[(crc ^ unit) & 0xff] as number) ^ (crc >>> 8);
      continue;
    }
    const code = text.codePointAt(i) as number;
    if (code > 0xffff) i++;
    crc = feedCharacter(crc, isSurrogate(code) ? REPLACEMENT : code);
  }
  return crc;
};

const SEAL = ',"crc32":"';
const SEAL_LENGTH = SEAL.length + 8 + 2;

const digits = (text: string): string => crcOf(feedText(CRC_START, text)).toString(16).padStart(8, '0');

/** Adds the checksum of a JSON object, the text of `JSON.stringify`, as its last member. */
export const sealed = (object: string): string => `${object.slice(0, -1)}${SEAL}${digits(object)}"}`;

/**
 * Returns the object without its checksum; null when the checksum is wrong. An object without one is returned unchanged:
 * its caller must refuse members that it does not know, because a damaged checksum may look like one.
 */
export const unsealed = (text: string): string | null => {
  const at = text.length - SEAL_LENGTH;
  if (!text.startsWith(SEAL, at) || !text.endsWith('"}')) return text;
  const object = `${text.slice(0, at)}}`;
  return text.slice(at + SEAL.length, -2) === digits(object) ? object : null;
};
