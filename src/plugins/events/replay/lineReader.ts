import { type FileHandle, open } from 'node:fs/promises';
import { reasonOf } from '../../../domain/errors.js';
import type { Encoding } from '../../../domain/text/encodings.js';
import type { Page, TakePage } from './pages.js';
import { type PlaceInFile, placeInFile } from './placeInFile.js';

/** A longer line is a counted failure, so that a file without line ends cannot take all memory. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Reading less per call gains nothing; `chunk_size` below it is raised to it. */
const MIN_READ_BYTES = 4096;

/**
 * The first read of a file; each next one asks for twice as much, up to `chunk_size`. A thousand slow
 * generators then hold kilobytes each, and a fast one soon reads whole chunks.
 */
const FIRST_READ_BYTES = 64 * 1024;

/** Most that one read asks for: what the operating system takes at once. */
const MAX_READ_BYTES = 1024 * 1024 * 1024;

/** Room before what is read in advance, for the line that the read before it left unfinished. */
const HEADROOM_BYTES = 4096;

/** Whole lines, each with its line end (the last of the file gets one); `offset` is the place of the first. */
export interface Lines {
  readonly kind: 'lines';
  readonly bytes: Buffer;
  readonly offset: number;
  /** Where `bytes` are. The reader holds it until the next `read`. */
  readonly page: Page;
}

/** What comes next in the file. */
export type Next =
  | Lines
  /** A line over the limit; it is skipped. */
  | { readonly kind: 'too_long' }
  | { readonly kind: 'end'; readonly isTruncated: boolean }
  /** The read failed; the next call tries again. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Whole lines of an open file, in order, in runs of many. */
export interface LineReader {
  readonly order: 'little' | 'big';
  /** The next lines if they were read already; `null` when the file must be read first. */
  readonly held: () => Lines | null;
  /** Reads the file on and gives what comes next; to be called when nothing is held. */
  readonly read: () => Promise<Next>;
  /** Goes on reading at this place, which must be the start of a line. */
  readonly seek: (offset: number) => void;
  /** Place of the first line that was not handed on nor skipped. */
  readonly offset: () => number;
  /** What the file has now at a place that was the start of a line. Throws what the file system throws. */
  readonly look: (offset: number) => Promise<PlaceInFile>;
  /** To be called once, when nothing is left of the lines. */
  readonly close: () => Promise<void>;
}

/** How a file is to be read. */
export interface LineReaderOptions {
  readonly path: string;
  /** Bytes per read; 0 reads the whole file at once, and then no line is too long. */
  readonly chunk_size: number;
  readonly encoding: Encoding;
  /** Where the file is read into; for all readers of it, one after the other. */
  readonly takePage: TakePage;
  /** Lines are handed on in runs of about this many bytes. */
  readonly run_bytes: number;
  /** The line end in the encoding, given the byte order. */
  readonly lineEnd: (order: 'little' | 'big') => Buffer;
  /** `MAX_LINE_BYTES`, unless a test says otherwise. */
  readonly max_line_bytes?: number;
}

/** A page with what was read of the file: `bytesRead` bytes from `from` on. */
interface Filled {
  readonly page: Page;
  readonly from: number;
  readonly bytesRead: number;
}

interface Mark {
  readonly order: 'little' | 'big';
  /** Bytes of the mark, which are no text. */
  readonly length: number;
}

const MARKS: Readonly<Record<1 | 2 | 4, readonly (readonly [order: Mark['order'], hex: string])[]>> = {
  1: [['little', 'efbbbf']],
  2: [
    ['little', 'fffe'],
    ['big', 'feff'],
  ],
  4: [
    ['little', 'fffe0000'],
    ['big', '0000feff'],
  ],
};

/** Byte order mark at the start of the file, for encodings that leave the order open. */
const readMark = async (file: FileHandle, { unit, order }: Encoding): Promise<Mark> => {
  if (order !== 'mark') return { order, length: 0 };
  const head = Buffer.alloc(4);
  const { bytesRead } = await file.read(head, 0, 4, 0);
  const start = head.subarray(0, bytesRead).toString('hex');
  const found = MARKS[unit].find(([, hex]) => start.startsWith(hex));
  return found === undefined
    ? { order: 'little', length: 0 }
    : { order: found[0], length: found[1].length / 2 };
};

/** First line end at or after `from` that starts at a multiple of its length counted from `base`; -1 if none. */
export const lineEndFrom = (bytes: Buffer, end: Buffer, from: number, base: number): number => {
  if (end.length === 1) return bytes.indexOf(end[0] as number, from);
  let at = bytes.indexOf(end, from);
  while (at >= 0 && (at - base) % end.length !== 0) at = bytes.indexOf(end, at + 1);
  return at;
};

/** Last line end that starts before `before`, as `lineEndFrom`. */
const lineEndBefore = (bytes: Buffer, end: Buffer, before: number, base: number): number => {
  if (before <= base) return -1;
  let at = bytes.lastIndexOf(end.length === 1 ? (end[0] as number) : end, before - 1);
  while (at > base && (at - base) % end.length !== 0) at = bytes.lastIndexOf(end, at - 1);
  return at < base ? -1 : at;
};

/** Opens the file and reads its byte order mark. Throws what the file system throws. */
export const openLineReader = async (options: LineReaderOptions): Promise<LineReader> => {
  const { chunk_size, takePage, max_line_bytes = MAX_LINE_BYTES } = options;
  const file = await open(options.path, 'r');
  let mark: Mark;
  try {
    if (!(await file.stat()).isFile()) throw new Error('it is not a regular file');
    mark = await readMark(file, options.encoding);
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
  const lineEnd = options.lineEnd(mark.order);
  const limit = chunk_size === 0 ? Number.POSITIVE_INFINITY : Math.max(max_line_bytes, chunk_size);

  /** Bytes `start..end` of `page` are read and not handed on; `position` is where the file goes on. */
  let page = takePage(0);
  let start = 0;
  let end = 0;
  let position = mark.length;
  let isSkipping = false;
  /** Place of the line that is being skipped. */
  let skippedFrom = 0;
  let growing = FIRST_READ_BYTES;
  /** What is being read in advance. */
  let ahead: Promise<Filled> | null = null;

  /** Reads up to `wanted` bytes from `position` on behind `room` bytes of a new page. */
  const fill = async (room: number, wanted: number): Promise<Filled> => {
    // The last line may get a line end.
    const filled = takePage(room + wanted + lineEnd.length);
    const { bytesRead } = await file.read(filled.bytes, room, wanted, position);
    return { page: filled, from: room, bytesRead };
  };

  const fillNow = async (rest: number): Promise<Filled> => {
    const size =
      chunk_size === 0 ? (await file.stat()).size - position : Math.max(Math.min(chunk_size, growing), rest);
    growing = Math.min(growing * 2, MAX_READ_BYTES);
    return fill(rest, Math.min(Math.max(size, MIN_READ_BYTES), MAX_READ_BYTES));
  };

  /** What was read in advance, if anything was and the rest fits before it. */
  const filledAhead = async (rest: number): Promise<Filled | null> => {
    const reading = ahead;
    ahead = null;
    if (reading === null || rest > HEADROOM_BYTES) return null;
    const filled = await reading;
    // Something may have been appended since.
    return filled.bytesRead === 0 ? null : filled;
  };

  /** A whole chunk was there: the next one is read while its lines are used. */
  const readAhead = (bytesRead: number): void => {
    if (bytesRead !== chunk_size) return;
    ahead = fill(HEADROOM_BYTES, chunk_size);
    // A failure is told to whoever asks for it.
    ahead.catch(() => {});
  };

  /** Reads more behind what is held, into another page. False at the end. */
  const readMore = async (): Promise<boolean> => {
    const rest = end - start;
    const filled = (await filledAhead(rest)) ?? (await fillNow(rest));
    page.bytes.copy(filled.page.bytes, filled.from - rest, start, end);
    page.leave();
    page = filled.page;
    start = filled.from - rest;
    end = filled.from + filled.bytesRead;
    position += filled.bytesRead;
    readAhead(filled.bytesRead);
    return filled.bytesRead > 0;
  };

  /** Place of the first byte that is held. */
  const unread = (): number => position - (end - start);

  const handOn = (to: number): Lines => {
    const bytes = page.bytes.subarray(start, to);
    const offset = unread();
    start = to;
    return { kind: 'lines', bytes, offset, page };
  };

  /** Where the line end of the last line of a run from what is held is; -1 when more must be read. */
  const runEnd = (): number => {
    const data = page.bytes.subarray(0, end);
    const reach = start + options.run_bytes;
    if (reach >= end) return lineEndBefore(data, lineEnd, end, start);
    const at = lineEndBefore(data, lineEnd, reach, start);
    return at < 0 ? lineEndFrom(data, lineEnd, reach, start) : at;
  };

  const isTooLong = (at: number): boolean => at - start > limit;

  const heldLines = (): Lines | null => {
    const at = isSkipping ? -1 : runEnd();
    return at < 0 || isTooLong(at) ? null : handOn(at + lineEnd.length);
  };

  /** Throws away what is held of a line over the limit; true once its end was found. */
  const skipped = (): boolean => {
    const at = lineEndFrom(page.bytes.subarray(0, end), lineEnd, start, start);
    if (at < 0) {
      // A line end may be cut in two by the end of what was read.
      start = end - ((end - start) % lineEnd.length);
      return false;
    }
    start = at + lineEnd.length;
    isSkipping = false;
    return true;
  };

  const lastLine = (): Next => {
    if (end === start) return { kind: 'end', isTruncated: false };
    lineEnd.copy(page.bytes, end);
    end += lineEnd.length;
    const whole = handOn(end);
    return { ...whole, offset: whole.offset + lineEnd.length };
  };

  const afterEnd = async (): Promise<Next> => {
    if (isSkipping) {
      isSkipping = false;
      start = end;
      return { kind: 'too_long' };
    }
    if (end > start) return lastLine();
    return { kind: 'end', isTruncated: (await file.stat()).size < position };
  };

  const readOn = async (): Promise<Next> => {
    try {
      for (;;) {
        if (!(await readMore())) return await afterEnd();
        if (isSkipping) {
          if (skipped()) return { kind: 'too_long' };
          continue;
        }
        const at = runEnd();
        if (at >= 0 && !isTooLong(at)) return handOn(at + lineEnd.length);
        if (at >= 0) {
          // Only a single line can be that long: runs are shorter.
          start = at + lineEnd.length;
          return { kind: 'too_long' };
        }
        if (end - start > limit) {
          isSkipping = true;
          skippedFrom = unread();
          start = end - ((end - start) % lineEnd.length);
        }
      }
    } catch (thrown) {
      return { kind: 'failed', reason: reasonOf(thrown) };
    }
  };

  return {
    order: mark.order,
    held: heldLines,
    read: readOn,
    seek: (offset) => {
      position = Math.max(offset, mark.length);
      ahead = null;
      start = end;
      isSkipping = false;
    },
    offset: () => (isSkipping ? skippedFrom : unread()),
    look: (offset) => placeInFile(file, offset, { first: mark.length, lineEnd }),
    close: () => {
      page.leave();
      return file.close();
    },
  };
};
