import { Failed, reasonOf } from '../../../domain/errors.js';
import type { Encoding } from '../../../domain/text/encodings.js';
import type { Clock } from '../../../ports/clock.js';
import { type InputFile, openInputFile } from '../../shared/inputFile.js';
import { chunkReader, type ReplayPage, type TakePage } from './chunks.js';
import { lineEndBefore, lineEndFrom } from './lineEnds.js';

/** A longer line fails, so a file without line ends cannot exhaust memory. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Whole lines with line ends; the last line of the file gets one. `offset`: position of the first line. */
export interface Lines {
  readonly kind: 'lines';
  readonly bytes: Buffer;
  readonly offset: number;
  /** Memory of `bytes`; the reader holds it until the next `read`. */
  readonly page: ReplayPage;
}

type ReadResult =
  | Lines
  | { readonly kind: 'too_long' }
  | { readonly kind: 'end'; readonly isTruncated: boolean }
  /** The read failed; call again to retry. A read that hangs throws `Failed`. */
  | { readonly kind: 'failed'; readonly reason: string };

export interface LineReader {
  readonly order: 'little' | 'big';
  /** The next lines if already read, else `null`. */
  readonly held: () => Lines | null;
  readonly read: () => Promise<ReadResult>;
  /** Continues at this offset, the start of a line. */
  readonly seek: (offset: number) => void;
  /** Offset of the first line neither returned nor skipped. */
  readonly offset: () => number;
  /** State of a former start of a line. Throws system errors. */
  readonly checkOffset: (offset: number) => Promise<OffsetState>;
  readonly close: () => Promise<void>;
}

interface LineReaderOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Bytes per read; 0 reads the whole file at once, without a limit for lines. */
  readonly chunk_size: number;
  readonly encoding: Encoding;
  /** Memory for the file; shared by its readers in turn. */
  readonly takePage: TakePage;
  readonly run_bytes: number;
  /** The line end in the encoding, given the byte order. */
  readonly lineEnd: (order: 'little' | 'big') => Buffer;
  readonly max_line_bytes?: number;
}

interface ByteOrderMark {
  readonly order: 'little' | 'big';
  readonly length: number;
}

const MARKS: Readonly<Record<1 | 2 | 4, readonly (readonly [order: ByteOrderMark['order'], hex: string])[]>> =
  {
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

/** Byte order mark of the file, for encodings that leave the order open. Throws system errors. */
const readByteOrderMark = async (file: InputFile, { unit, order }: Encoding): Promise<ByteOrderMark> => {
  if (order !== 'mark') return { order, length: 0 };
  const head = Buffer.alloc(4);
  const { bytesRead } = await file.read(head, 0, 4, 0);
  const start = head.subarray(0, bytesRead).toString('hex');
  const found = MARKS[unit].find(([, hex]) => start.startsWith(hex));
  return found === undefined
    ? { order: 'little', length: 0 }
    : { order: found[0], length: found[1].length / 2 };
};

/** State of a saved offset: start of a line or end of the file, or the file was changed or cut. */
type OffsetState = 'line' | 'inside_line' | 'beyond_end';

const offsetState = async (
  file: InputFile,
  offset: number,
  { first, lineEnd }: { readonly first: number; readonly lineEnd: Buffer },
): Promise<OffsetState> => {
  const { size } = await file.stat();
  if (offset > size) return 'beyond_end';
  if (offset <= first || offset === size) return 'line';
  const before = Buffer.alloc(lineEnd.length);
  await file.read(before, 0, lineEnd.length, offset - lineEnd.length);
  return before.equals(lineEnd) ? 'line' : 'inside_line';
};

/** Opens the file and reads its byte order mark. Throws system errors. */
export const openLineReader = async (options: LineReaderOptions): Promise<LineReader> => {
  const { chunk_size, takePage, clock, max_line_bytes = MAX_LINE_BYTES } = options;
  const file = await openInputFile(options.path, clock);
  let mark: ByteOrderMark;
  try {
    mark = await readByteOrderMark(file, options.encoding);
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
  const lineEnd = options.lineEnd(mark.order);
  const chunks = chunkReader(file, {
    chunk_size,
    takePage,
    monotonicMs: clock.monotonicMs,
    spare_bytes: lineEnd.length,
  });
  const limit = chunk_size === 0 ? Number.POSITIVE_INFINITY : Math.max(max_line_bytes, chunk_size);

  /** Bytes `start..end` of `page` are unread; the file continues at `position`. */
  let page = takePage(0);
  let start = 0;
  let end = 0;
  let position = mark.length;
  let isSkipping = false;
  let skippedFrom = 0;

  /** Reads more into another page, after the unread bytes. False at the end. */
  const readMore = async (): Promise<boolean> => {
    const rest = end - start;
    const filled = await chunks.read(position, rest);
    page.bytes.copy(filled.page.bytes, filled.from - rest, start, end);
    page.leave();
    page = filled.page;
    start = filled.from - rest;
    end = filled.from + filled.bytesRead;
    position += filled.bytesRead;
    return filled.bytesRead > 0;
  };

  const unread = (): number => position - (end - start);

  const handOn = (to: number): Lines => {
    const bytes = page.bytes.subarray(start, to);
    const offset = unread();
    start = to;
    return { kind: 'lines', bytes, offset, page };
  };

  /** Position of the line end that closes the next run; -1: read more. */
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

  /** Drops a line over the limit; true at its end. */
  const skipped = (): boolean => {
    const at = lineEndFrom(page.bytes.subarray(0, end), lineEnd, start, start);
    if (at < 0) {
      // The data may end inside a line end.
      start = end - ((end - start) % lineEnd.length);
      return false;
    }
    start = at + lineEnd.length;
    isSkipping = false;
    return true;
  };

  const lastLine = (): ReadResult => {
    if (end === start) return { kind: 'end', isTruncated: false };
    lineEnd.copy(page.bytes, end);
    end += lineEnd.length;
    const whole = handOn(end);
    return { ...whole, offset: whole.offset + lineEnd.length };
  };

  const afterEnd = async (): Promise<ReadResult> => {
    if (isSkipping) {
      isSkipping = false;
      start = end;
      return { kind: 'too_long' };
    }
    if (end > start) return lastLine();
    return { kind: 'end', isTruncated: (await file.stat()).size < position };
  };

  const readOn = async (): Promise<ReadResult> => {
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
          // Runs are shorter, so this is a single line.
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
      if (thrown instanceof Failed) throw thrown;
      return { kind: 'failed', reason: reasonOf(thrown) };
    }
  };

  return {
    order: mark.order,
    held: heldLines,
    read: readOn,
    seek: (offset) => {
      position = Math.max(offset, mark.length);
      start = end;
      isSkipping = false;
    },
    offset: () => (isSkipping ? skippedFrom : unread()),
    checkOffset: (offset) => offsetState(file, offset, { first: mark.length, lineEnd }),
    close: () => {
      page.leave();
      return file.close();
    },
  };
};
