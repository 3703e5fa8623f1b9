/**
 * Memory for lines of a file. Batches are views of it, so it is reused only when the reader and all batches have left
 * it.
 */
export interface Page {
  readonly bytes: Buffer;
  readonly hold: () => void;
  readonly leave: () => void;
}

/** Pages kept for reuse: new memory costs page faults and collections. */
const MAX_SPARE = 8;
const MAX_SPARE_BYTES = 4 * 1024 * 1024;

/** Gives a page of at least `size` bytes, held once. */
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
    // Reads grow: smaller pages are useless now.
    spare = [];
    return pageOf(Buffer.allocUnsafeSlow(size));
  };
};
