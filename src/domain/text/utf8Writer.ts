/** What Node's types leave out: `Buffer.write` finds the encoding anew on each call. */
interface RawWriter {
  readonly utf8Write: (text: string, at: number) => number;
}

/** UTF-8 takes at most so many bytes for one unit of UTF-16. */
export const MAX_BYTES_PER_UNIT = 3;

/** Writes a text as UTF-8 at a place of a buffer that has room for it; gives the bytes that it took. */
export const writeUtf8 = (into: Buffer, text: string, at: number): number =>
  (into as unknown as RawWriter).utf8Write(text, at);
