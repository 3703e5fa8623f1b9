/** Missing in Node's types; faster than `Buffer.write`, which looks up the encoding on each call. */
interface RawWriter {
  readonly utf8Write: (text: string, at: number) => number;
}

/** Of UTF-8, per UTF-16 unit. */
export const MAX_BYTES_PER_UNIT = 3;

/** Writes UTF-8 into a buffer with enough room; returns the number of bytes. */
export const writeUtf8 = (into: Buffer, text: string, at: number): number =>
  (into as unknown as RawWriter).utf8Write(text, at);
