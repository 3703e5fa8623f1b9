import * as fs from 'node:fs';
import { promisify } from 'node:util';

const write = promisify(fs.write);
const open = promisify(fs.open);
const close = promisify(fs.close);
const fstat = promisify(fs.fstat);

/**
 * A file descriptor that takes bytes. `put` answers how many bytes it took and throws what the system
 * answered (EAGAIN: none can be taken now).
 */
export interface Descriptor {
  /** True for a regular file: it takes everything at once and nobody reads it at the other end. */
  readonly isFile: boolean;
  readonly put: (bytes: Buffer, from: number, to: number) => number | Promise<number>;
  /** Longest run of bytes that one `put` is given; a longer one is cut where an event ends. */
  readonly piece_bytes: number;
  /** Closes what this process opened itself; harmless the second time. */
  readonly close: () => Promise<void>;
}

/**
 * PIPE_BUF of Linux: a write of this many bytes into a pipe is taken whole or not at all (pipe(7)), so
 * that generators which share a pipe never tear each other's events.
 */
const ATOMIC_BYTES = 4096;

const NOTHING = Buffer.alloc(0);

/** What may block is given pieces of this size, so that the end of an attempt is seen between them. */
const BLOCKING_PIECE_BYTES = 65_536;

/** Writes through the thread pool: for descriptors whose write may take its time. */
const patient = (fd: number, isFile: boolean, closeIt: () => Promise<void>): Descriptor => ({
  isFile,
  put: async (bytes, from, to) => (await write(fd, bytes, from, to - from, null)).bytesWritten,
  piece_bytes: isFile ? Number.POSITIVE_INFINITY : BLOCKING_PIECE_BYTES,
  close: closeIt,
});

/**
 * Writes on the spot into a descriptor that never blocks: no thread of the pool waits for a reader, and
 * small pieces cost less than a trip through the pool.
 */
const prompt = (fd: number, closeIt: () => Promise<void>): Descriptor => ({
  isFile: false,
  put: (bytes, from, to) => fs.writeSync(fd, bytes, from, to - from, null),
  piece_bytes: ATOMIC_BYTES,
  close: closeIt,
});

const closingOnce = (fd: number): (() => Promise<void>) => {
  let closed: Promise<void> | null = null;
  return () => {
    closed ??= close(fd);
    return closed;
  };
};

/** For a descriptor that this process opened itself, with O_NONBLOCK. */
export const ownDescriptor = (fd: number, isFile: boolean): Descriptor =>
  isFile ? patient(fd, true, closingOnce(fd)) : prompt(fd, closingOnce(fd));

/**
 * Descriptor for a stream that the process was started with. Pipes and terminals are opened again
 * through /proc: that gives a file description of our own, so that O_NONBLOCK does not change the one
 * shared with the shell and its other programs. A regular file is written through the given descriptor,
 * because a redirection shares its offset with others. Where opening again is not possible (a socket, no
 * /proc, a terminal of another user) the given descriptor is used as it is.
 *
 * Throws what the system answered when the stream is closed or a file that is only open for reading.
 */
export const standardStream = async (fd: number): Promise<Descriptor> => {
  const stat = await fstat(fd);
  const leaveOpen = async (): Promise<void> => {};
  // Nothing is written, but the system says now rather than with the first event whether it could be.
  if (stat.isFile()) await write(fd, NOTHING, 0, 0, null);
  if (!stat.isFIFO() && !stat.isCharacterDevice()) return patient(fd, stat.isFile(), leaveOpen);
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = fs.constants;
  try {
    return ownDescriptor(await open(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY), false);
  } catch {
    return patient(fd, false, leaveOpen);
  }
};
