/** Castagnoli polynomial, bit-reversed. */
const POLYNOMIAL = 0x82f6_3b78;
const SLICES = 16;

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

/** CRC-32C of `bytes[from, to)`, 16 bytes a step (slicing-by-16, after Kounavis and Berry, 2008). */
export const crc32c = (bytes: Uint8Array, from: number, to: number): number => {
  const t = TABLES;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let crc = -1;
  let at = from;
  for (const last = to - SLICES; at <= last; at += SLICES) {
    const a = crc ^ view.getInt32(at, true);
    const b = view.getInt32(at + 4, true);
    const c = view.getInt32(at + 8, true);
    const d = view.getInt32(at + 12, true);
    crc =
      (t[3840 + (a & 0xff)] as number) ^
      (t[3584 + ((a >>> 8) & 0xff)] as number) ^
      (t[3328 + ((a >>> 16) & 0xff)] as number) ^
      (t[3072 + (a >>> 24)] as number) ^
      (t[2816 + (b & 0xff)] as number) ^
      (t[2560 + ((b >>> 8) & 0xff)] as number) ^
      (t[2304 + ((b >>> 16) & 0xff)] as number) ^
      (t[2048 + (b >>> 24)] as number) ^
      (t[1792 + (c & 0xff)] as number) ^
      (t[1536 + ((c >>> 8) & 0xff)] as number) ^
      (t[1280 + ((c >>> 16) & 0xff)] as number) ^
      (t[1024 + (c >>> 24)] as number) ^
      (t[768 + (d & 0xff)] as number) ^
      (t[512 + ((d >>> 8) & 0xff)] as number) ^
      (t[256 + ((d >>> 16) & 0xff)] as number) ^
      (t[d >>> 24] as number);
  }
  for (; at < to; at++) crc = (crc >>> 8) ^ (t[(crc ^ (bytes[at] as number)) & 0xff] as number);
  return ~crc >>> 0;
};
