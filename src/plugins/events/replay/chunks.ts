import type { InputFile } from '../../shared/inputFile.js';

/** Smaller reads gain nothing; a smaller `chunk_size` is raised to this. */
const MIN_READ_BYTES = 4096;

/**
 * First read of a file. Reads that follow within `SOON_MS` double, up to `chunk_size`: slow generators hold
 * kilobytes, fast ones read whole chunks.
 */
const FIRST_READ_BYTES = 64 * 1024;
const SOON_MS = 1_000;

/** Limit of the operating system per read. */
const MAX_READ_BYTES = 1024 * 1024 * 1024;

/** Space before read-ahead data for an unfinished line. */
const HEADROOM_BYTES = 4096;

const MAX_READS_AHEAD = 3;
/** Total bytes of read-aheads; one is always allowed. */
const MAX_AHEAD_BYTES = 4 * 1024 * 1024;

interface Filled {
  readonly page: ReplayPage;
  readonly from: number;
  readonly bytesRead: number;
}

interface ChunkOptions {
  /** Bytes per read; 0 reads the rest of the file at once. */
  readonly chunk_size: number;
  readonly takePage: TakePage;
  /** Space after the data. */
  readonly spare_bytes: number;
  readonly monotonicMs: () => number;
}

interface ChunkReader {
  /**
   * Reads from `position`, after at least `rest` bytes of space; 0 bytes at the end. Throws system errors; call again
   * to retry.
   */
  readonly read: (position: number, rest: number) => Promise<Filled>;
}

interface PendingRead {
  readonly position: number;
  readonly filled: Promise<Filled>;
  isOver: boolean;
}

/** Reads the next whole chunk ahead while lines of the last one are in use; more than one after it had to wait. */
export const chunkReader = (file: InputFile, options: ChunkOptions): ChunkReader => {
  const { chunk_size, takePage, spare_bytes, monotonicMs } = options;
  let growing = FIRST_READ_BYTES;
  let filledAtMs = Number.NEGATIVE_INFINITY;
  const maxDepth = Math.min(MAX_READS_AHEAD, Math.floor(MAX_AHEAD_BYTES / chunk_size));
  /** Target number of read-aheads. */
  let depth = 1;
  let ahead: PendingRead[] = [];

  /** Reads up to `wanted` bytes after `room` bytes of a new page. */
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

  /** The read-ahead of this position, if its space fits `rest`. */
  const filledAhead = async (position: number, rest: number): Promise<Filled | null> => {
    const next = ahead.shift();
    if (next?.position !== position || rest > HEADROOM_BYTES) {
      ahead = [];
      return null;
    }
    if (!next.isOver && depth < maxDepth) depth++;
    const filled = await next.filled;
    // The file may have grown since.
    return filled.bytesRead === 0 ? null : filled;
  };

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
      // `read` reports the failure.
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

/**
 * Memory for lines of a file. Batches are views of it, so it is reused only when the reader and all batches have left
 * it.
 */
export interface ReplayPage {
  readonly bytes: Buffer;
  readonly hold: () => void;
  readonly leave: () => void;
}

/** Pages kept for reuse: new memory costs page faults and collections. */
const MAX_SPARE = 8;
const MAX_SPARE_BYTES = 4 * 1024 * 1024;

/** Gives a page of at least `size` bytes, held once. */
export type TakePage = (size: number) => ReplayPage;

export const pageMaker = (): TakePage => {
  let spare: Buffer[] = [];
  const pageOf = (bytes: Buffer): ReplayPage => {
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
