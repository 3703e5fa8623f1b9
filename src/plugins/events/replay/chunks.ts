import type { InputFile } from '../../shared/inputFile.js';
import type { Page, TakePage } from './pages.js';

/** Reading less per call gains nothing; `chunk_size` below it is raised to it. */
const MIN_READ_BYTES = 4096;

/**
 * The first read of a file; one that was used up soon is followed by one of twice the size, up to `chunk_size`. A
 * thousand slow generators then hold kilobytes each, however long they run, and a fast one soon reads whole chunks.
 */
const FIRST_READ_BYTES = 64 * 1024;
const SOON_MS = 1_000;

/** Most that one read asks for: what the operating system takes at once. */
const MAX_READ_BYTES = 1024 * 1024 * 1024;

/** Room before what is read in advance, for the line that the read before it left unfinished. */
const HEADROOM_BYTES = 4096;

/** Reads that are under way in advance, at most, */
const MAX_READS_AHEAD = 3;
/** as long as they are not larger than this together; one always is. */
const MAX_AHEAD_BYTES = 4 * 1024 * 1024;

/** A page with what was read of a file: `bytesRead` bytes from `from` on. */
export interface Filled {
  readonly page: Page;
  readonly from: number;
  readonly bytesRead: number;
}

export interface ChunkOptions {
  /** Bytes per read; 0 reads the rest of the file at once. */
  readonly chunk_size: number;
  readonly takePage: TakePage;
  /** Room that is kept behind what was read. */
  readonly spare_bytes: number;
  readonly monotonicMs: () => number;
}

/** Reads a file piece by piece, each into a page of its own. */
export interface ChunkReader {
  /**
   * Reads on from `position`, behind at least `rest` bytes of room; at the end 0 bytes. Throws what the file
   * system throws; the next call tries again.
   */
  readonly read: (position: number, rest: number) => Promise<Filled>;
}

/** A read that was begun before it was asked for. */
interface PendingRead {
  readonly position: number;
  readonly filled: Promise<Filled>;
  isOver: boolean;
}

/**
 * A reader that has read whole chunks reads the next one in advance, while the lines of the last one are used;
 * more than one once it had to wait: a slow generator holds little.
 */
export const chunkReader = (file: InputFile, options: ChunkOptions): ChunkReader => {
  const { chunk_size, takePage, spare_bytes, monotonicMs } = options;
  let growing = FIRST_READ_BYTES;
  let filledAtMs = Number.NEGATIVE_INFINITY;
  const maxDepth = Math.min(MAX_READS_AHEAD, Math.floor(MAX_AHEAD_BYTES / chunk_size));
  /** Reads that are kept under way. */
  let depth = 1;
  /** In the order of the file. */
  let ahead: PendingRead[] = [];

  /** Reads up to `wanted` bytes behind `room` bytes of a new page. */
  const fill = async (position: number, room: number, wanted: number): Promise<Filled> => {
    const page = takePage(room + wanted + spare_bytes);
    const { bytesRead } = await file.read(page.bytes, room, wanted, position);
    return { page, from: room, bytesRead };
  };

  const fillNow = async (position: number, rest: number): Promise<Filled> => {
    if (monotonicMs() - filledAtMs < SOON_MS) growing = Math.min(growing * 2, MAX_READ_BYTES);
    const size =
      chunk_size === 0 ? (await file.stat()).size - position : Math.max(Math.min(chunk_size, growing), rest);
    const filled = await fill(position, rest, Math.min(Math.max(size, MIN_READ_BYTES), MAX_READ_BYTES));
    filledAtMs = monotonicMs();
    return filled;
  };

  /** What was read in advance, if anything was at this place, and the rest fits before it. */
  const filledAhead = async (position: number, rest: number): Promise<Filled | null> => {
    const next = ahead.shift();
    if (next?.position !== position || rest > HEADROOM_BYTES) {
      ahead = [];
      return null;
    }
    if (!next.isOver && depth < maxDepth) depth++;
    const filled = await next.filled;
    // Something may have been appended since.
    return filled.bytesRead === 0 ? null : filled;
  };

  /** Begins reads from `position` on, as far as they are not under way. */
  const readAhead = (position: number): void => {
    while (ahead.length < depth) {
      const offset = position + chunk_size * ahead.length;
      const next: PendingRead = {
        position: offset,
        filled: fill(offset, HEADROOM_BYTES, chunk_size),
        isOver: false,
      };
      const end = (): void => {
        next.isOver = true;
      };
      // A failure is told to whoever asks for it.
      next.filled.then(end, end);
      ahead.push(next);
    }
  };

  return {
    read: async (position, rest) => {
      const filled = (await filledAhead(position, rest)) ?? (await fillNow(position, rest));
      if (chunk_size > 0 && filled.bytesRead === chunk_size) readAhead(position + chunk_size);
      return filled;
    },
  };
};
