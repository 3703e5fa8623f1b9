/** Castagnoli polynomial, bit-reversed. */
const POLYNOMIAL = 0x82f6_3b78;
const SLICES = 8;

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

/** CRC-32C of `bytes[from, to)`, eight bytes a step. */
export const crc32c = (bytes: Uint8Array, from: number, to: number): number => {
  const t = TABLES;
  let crc = -1;
  let at = from;
  for (const last = to - SLICES; at <= last; at += SLICES) {
    crc ^=
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    crc =
      (t[1792 + (crc & 0xff)] as number) ^
      (t[1536 + ((crc >>> 8) & 0xff)] as number) ^
      (t[1280 + ((crc >>> 16) & 0xff)] as number) ^
      (t[1024 + (crc >>> 24)] as number) ^
      (t[768 + (bytes[at + 4] as number)] as number) ^
      (t[512 + (bytes[at + 5] as number)] as number) ^
      (t[256 + (bytes[at + 6] as number)] as number) ^
      (t[bytes[at + 7] as number] as number);
  }
  for (; at < to; at++) crc = (crc >>> 8) ^ (t[(crc ^ (bytes[at] as number)) & 0xff] as number);
  return ~crc >>> 0;
};
