import { systemCodeOf } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/clock.js';
import type { Descriptor } from './descriptor.js';

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
