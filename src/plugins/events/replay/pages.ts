/**
 * Memory that lines of a file are read into. Batches of them are views of it, so it is used again only
 * when the reader and the makers of all batches have left it.
 */
export interface Page {
  readonly bytes: Buffer;
  /** One more holds it. */
  readonly hold: () => void;
  /** One fewer. */
  readonly leave: () => void;
}

/** New memory costs the system's work for each page of it, and collections: a few are kept, */
const MAX_SPARE = 8;
/** unless they are larger than this. */
const MAX_SPARE_BYTES = 4 * 1024 * 1024;

/** Gives a page of at least so many bytes, held once. */
export type TakePage = (size: number) => Page;

export const pageMaker = (): TakePage => {
  let spare: Buffer[] = [];
  const pageOf = (bytes: Buffer): Page => {
    let holders = 1;
    return {
      bytes,
      hold: () => {
        holders++;
      },
      leave: () => {
        if (--holders === 0 && spare.length < MAX_SPARE && bytes.length <= MAX_SPARE_BYTES) spare.push(bytes);
      },
    };
  };
  return (size) => {
    const found = spare.findIndex((bytes) => bytes.length >= size);
    if (found >= 0) return pageOf(spare.splice(found, 1)[0] as Buffer);
    // Reads grow: what has become too small is of no use any more.
    spare = [];
    return pageOf(Buffer.allocUnsafeSlow(size));
  };
};
