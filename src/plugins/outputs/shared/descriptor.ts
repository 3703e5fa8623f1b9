import * as fs from 'node:fs';
import { promisify } from 'node:util';
import { systemCodeOf } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/clock.js';

const write = promisify(fs.write);
const open = promisify(fs.open);
const close = promisify(fs.close);
const fstat = promisify(fs.fstat);

/** A file descriptor. `put` returns the number of bytes written and throws system errors; EAGAIN: full. */
export interface Descriptor {
  /** A regular file never blocks. */
  readonly isFile: boolean;
  readonly put: (bytes: Buffer, from: number, to: number) => number | Promise<number>;
  /** Longest run of bytes per `put`; longer ones are split between events. */
  readonly piece_bytes: number;
  /** Closes a descriptor that this process opened. A second call does nothing. */
  readonly close: () => Promise<void>;
}

/** PIPE_BUF of Linux: pipe writes up to this size are atomic (pipe(7)), so generators can share a pipe. */
const ATOMIC_BYTES = 4096;

const NOTHING = Buffer.alloc(0);

/**
 * Piece size for blocking writes: the signal is checked between pieces. Unix sockets of Linux queue a write up to this size
 * as one, so threads can share one.
 */
const BLOCKING_PIECE_BYTES = 32_768;

/** Writes through the thread pool: the write may block. */
const patient = (fd: number, isFile: boolean, closeIt: () => Promise<void>): Descriptor => ({
  isFile,
  put: async (bytes, from, to) => (await write(fd, bytes, from, to - from, null)).bytesWritten,
  piece_bytes: isFile ? Number.POSITIVE_INFINITY : BLOCKING_PIECE_BYTES,
  close: closeIt,
});

/** Writes at once: the descriptor never blocks, and small pieces cost less than the thread pool. */
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

/** For a descriptor that this process opened with O_NONBLOCK. */
export const ownDescriptor = (fd: number, isFile: boolean): Descriptor =>
  isFile ? patient(fd, true, closingOnce(fd)) : prompt(fd, closingOnce(fd));

/**
 * Descriptor of a standard stream. Reopens pipes and terminals through /proc, because O_NONBLOCK on the shared file
 * description would affect the shell and its programs. Keeps the descriptor of a regular file: a redirection shares
 * its offset. Also keeps it where reopening fails: a socket, no /proc, a terminal of another user. Throws when the
 * stream is closed or not writable.
 */
export const standardStream = async (fd: number): Promise<Descriptor> => {
  const stat = await fstat(fd);
  const leaveOpen = async (): Promise<void> => {};
  // Writes nothing, but fails now if the file is not writable.
  if (stat.isFile()) await write(fd, NOTHING, 0, 0, null);
  if (!stat.isFIFO() && !stat.isCharacterDevice()) return patient(fd, stat.isFile(), leaveOpen);
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = fs.constants;
  try {
    return ownDescriptor(await open(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY), false);
  } catch {
    return patient(fd, false, leaveOpen);
  }
};

/** Fewer bytes than given without an error: aborted. */
export interface Progress {
  readonly bytes: number;
  readonly error: unknown;
}

/** Immediate retries on a full pipe: a fast reader empties it within microseconds. */
const PROMPT_TRIES = 8;
/** Longest pause; pauses for a slow reader double. */
const MAX_PAUSE_MS = 64;
/** Pieces (up to 1 MiB) before other work of the thread runs. */
const PIECES_PER_TURN = 256;

/**
 * Writes all bytes, in pieces that end with `separator`. Waits without limit while a pipe is full (EAGAIN):
 * back-pressure. Stops at the signal or a system error.
 */
export const writeAll = async (
  descriptor: Descriptor,
  bytes: Buffer,
  separator: Buffer,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Progress> => {
  let done = 0;
  let refusals = 0;
  let pieces = 0;
  while (done < bytes.length) {
    if (signal.aborted) return { bytes: done, error: null };
    try {
      const taken = descriptor.put(bytes, done, pieceEnd(bytes, done, descriptor.piece_bytes, separator));
      done += typeof taken === 'number' ? taken : await taken;
      refusals = 0;
      pieces += 1;
    } catch (thrown) {
      const code = systemCodeOf(thrown);
      if (code !== 'EAGAIN' && code !== 'EINTR') return { bytes: done, error: thrown };
      await pause(refusals, clock, signal);
      refusals += 1;
    }
    if (pieces >= PIECES_PER_TURN) {
      await clock.yieldTurn();
      pieces = 0;
    }
  }
  return { bytes: done, error: null };
};

const pause = (refusals: number, clock: Clock, signal: AbortSignal): Promise<void> =>
  refusals < PROMPT_TRIES
    ? clock.yieldTurn()
    : clock.sleepMs(Math.min(2 ** Math.min(refusals - PROMPT_TRIES, 10), MAX_PAUSE_MS), signal);

/** End of the piece at `from`: after the last separator in reach, else after the next one. */
const pieceEnd = (bytes: Buffer, from: number, piece_bytes: number, separator: Buffer): number => {
  if (bytes.length - from <= piece_bytes || separator.length === 0) return bytes.length;
  const last = bytes.lastIndexOf(separator, from + piece_bytes - separator.length);
  if (last >= from) return last + separator.length;
  const next = bytes.indexOf(separator, from + piece_bytes - separator.length);
  return next < 0 ? bytes.length : next + separator.length;
};
