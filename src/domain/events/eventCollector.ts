import { MAX_BYTES_PER_UNIT, writeUtf8 } from '../text/utf8.js';
import { byteEnds } from './encodedEvents.js';
import { type EventBatch, emptyBatch, encodedBatch, textBatch } from './eventBatch.js';
import { headsOfTexts } from './eventHead.js';

/** The separator that nearly all outputs use. */
const LINE_END = '\n';

/** Size of the joined texts that are encoded at once. */
const CHUNK_UNITS = 16 * 1024;
const FULL_BYTES = 512 * 1024;
/** Longer texts are not copied: a thread may lack the memory for it. */
const LARGE_UNITS = 1024 * 1024;
export interface EventCollector {
  readonly add: (text: string) => void;
  /** The events since the last call. */
  readonly take: () => EventBatch;
  /** True when a batch should end: a larger one leaves the processor's cache before it is written. */
  readonly isFull: () => boolean;
}

/** Page of an idle collector: thousands of slow generators hold no memory. */
const NO_PAGE: EventPage = { bytes: Buffer.alloc(0), length: 0, ends: new Uint32Array(0), count: 0 };

const textsOf = ({ bytes, length, ends }: EventPage, count: number): readonly string[] => {
  const units = ends[count - 1] ?? 0;
  const text = bytes.toString('utf8', 0, Math.min(length, units * MAX_BYTES_PER_UNIT));
  return Array.from({ length: count }, (_, index) =>
    text.slice(ends[index - 1] ?? 0, (ends[index] ?? 0) - 1),
  );
};

/**
 * Encodes events to UTF-8 early: waiting texts cost more garbage collection than their encoding. Several are encoded at
 * once, because flattening a concatenated text costs most. After a call of `texts`, or a large text, later batches keep
 * texts instead.
 */
export const eventCollector = (): EventCollector => {
  let keepsTexts = false;
  let texts: string[] = [];
  let page = NO_PAGE;
  let size = SMALLEST_PAGE;
  /** Text not yet encoded, and the UTF-16 units already encoded. */
  let chunk = '';
  let encoded = 0;

  const encode = (): void => {
    const needed = page.length + chunk.length * MAX_BYTES_PER_UNIT;
    if (needed > page.bytes.length) growPage(page, needed);
    page.length += writeUtf8(page.bytes, chunk, page.length);
    encoded += chunk.length;
    chunk = '';
  };

  const write = (text: string): void => {
    if (page === NO_PAGE) page = takePage(size);
    else if (page.count === page.ends.length) {
      const more = new Uint32Array(page.count * 2);
      more.set(page.ends);
      page.ends = more;
    }
    chunk += text + LINE_END;
    page.ends[page.count++] = encoded + chunk.length;
    if (chunk.length > CHUNK_UNITS) encode();
  };

  const pageBatch = (filled: EventPage): EventBatch => {
    const { count } = filled;
    const bytes = filled.bytes.subarray(0, filled.length);
    let read: EventBatch | null = null;
    let isReleased = false;
    const inUse = (): EventPage => {
      if (isReleased) throw new Error('a batch was used after it had been released');
      return filled;
    };
    const asTexts = (): EventBatch => {
      keepsTexts = true;
      read ??= textBatch(textsOf(inUse(), count));
      return read;
    };
    const encoded = () => ({ bytes, ends: byteEnds(bytes, inUse().ends.subarray(0, count)) });
    return {
      count,
      texts: () => asTexts().texts(),
      bytes: (separator) => {
        inUse();
        return separator === LINE_END ? bytes : asTexts().bytes(separator);
      },
      encoded,
      pick: (positions) => (read ?? encodedBatch(encoded())).pick(positions),
      heads: (limits) => headsOfTexts(textsOf(inUse(), Math.min(count, limits.count)), limits),
      release: () => {
        if (!isReleased) keepPage(filled);
        isReleased = true;
      },
    };
  };

  const takeEncoded = (): EventBatch => {
    if (page.count === 0) return emptyBatch;
    if (chunk !== '') encode();
    const batch = pageBatch(page);
    size = page.bytes.length;
    page = NO_PAGE;
    encoded = 0;
    return batch;
  };

  return {
    isFull: () => page.length > FULL_BYTES,
    add: (text) => {
      const isLarge = text.length > LARGE_UNITS;
      if (isLarge) keepsTexts = true;
      if (!keepsTexts) return write(text);
      // Reading a character flattens a concatenated text.
      if (!isLarge) text.charCodeAt(0);
      texts.push(text);
    },
    take: () => {
      if (texts.length === 0) return takeEncoded();
      // `texts` was called during an async call: its earlier events are bytes.
      const taken = page.count === 0 ? texts : [...takeEncoded().texts(), ...texts];
      texts = [];
      return textBatch(taken);
    },
  };
};

/** UTF-8 of events, each followed by a line end. */
interface EventPage {
  bytes: Buffer;
  length: number;
  /** End of each event, line end included, in UTF-16 units of the decoded text. */
  ends: Uint32Array;
  count: number;
}

/** Page sizes are powers of two. */
const SMALLEST_PAGE = 4 * 1024;
const BYTES_PER_END = 64;
/** Spare pages of a thread, for all its generators. */
const MAX_SPARE_BYTES = 16 * 1024 * 1024;

/** Pages by size: new ones cost page faults and garbage collection. */
const spare = new Map<number, EventPage[]>();
let spareBytes = 0;

export const sizeFor = (bytes: number): number => {
  let size = SMALLEST_PAGE;
  while (size < bytes) size *= 2;
  return size;
};

/** An empty page of a size of `sizeFor`. */
export const takePage = (size: number): EventPage => {
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
export const growPage = (page: EventPage, needed: number): void => {
  const larger = Buffer.allocUnsafeSlow(sizeFor(needed));
  page.bytes.copy(larger, 0, 0, page.length);
  page.bytes = larger;
};

/** Gives a page back: nothing reads it any more. */
export const keepPage = (page: EventPage): void => {
  const size = page.bytes.length;
  if (spareBytes + size > MAX_SPARE_BYTES) return;
  spareBytes += size;
  const pages = spare.get(size);
  if (pages === undefined) spare.set(size, [page]);
  else pages.push(page);
};
