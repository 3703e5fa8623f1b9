/** UTF-8 of events, each followed by a line end. */
export interface Page {
  bytes: Buffer;
  length: number;
  /** End of each event, line end included, in UTF-16 units of the decoded text. */
  ends: Uint32Array;
  count: number;
}

/** Page sizes are powers of two. */
export const SMALLEST_PAGE = 4 * 1024;
const BYTES_PER_END = 64;
/** Spare pages of a thread, for all its generators. */
const MAX_SPARE_BYTES = 16 * 1024 * 1024;

/** Pages by size: new ones cost page faults and garbage collection. */
const spare = new Map<number, Page[]>();
let spareBytes = 0;

export const sizeFor = (bytes: number): number => {
  let size = SMALLEST_PAGE;
  while (size < bytes) size *= 2;
  return size;
};

/** An empty page of a size of `sizeFor`. */
export const takePage = (size: number): Page => {
  const page = spare.get(size)?.pop();
  if (page === undefined) {
    return {
      bytes: Buffer.allocUnsafeSlow(size),
      length: 0,
      ends: new Uint32Array(size / BYTES_PER_END),
      count: 0,
    };
  }
  spareBytes -= size;
  page.length = 0;
  page.count = 0;
  return page;
};

/** Makes room for more bytes; what is written stays. */
export const growPage = (page: Page, needed: number): void => {
  const larger = Buffer.allocUnsafeSlow(sizeFor(needed));
  page.bytes.copy(larger, 0, 0, page.length);
  page.bytes = larger;
};

/** Gives a page back: nothing reads it any more. */
export const keepPage = (page: Page): void => {
  const size = page.bytes.length;
  if (spareBytes + size > MAX_SPARE_BYTES) return;
  spareBytes += size;
  const pages = spare.get(size);
  if (pages === undefined) spare.set(size, [page]);
  else pages.push(page);
};
