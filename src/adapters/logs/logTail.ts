import type { LogReader, LogSource, LogTail } from '../../ports/logTail.js';

const MAX_LINES = 1_000;
const MAX_CHARS = 64 * 1024;
/** Limit of sources; the longest silent one without a reader is forgotten. */
const MAX_SOURCES = 512;

interface Ring {
  readonly lines: string[];
  chars: number;
  /** Number of the first kept line, from 0. */
  first: number;
  readonly wake: Set<() => void>;
}

const newRing = (): Ring => ({ lines: [], chars: 0, first: 0, wake: new Set() });

const push = (ring: Ring, line: string): void => {
  ring.lines.push(line);
  ring.chars += line.length;
  // An oversized line stays, alone: readers should not see a gap.
  while (ring.lines.length > 1 && (ring.lines.length > MAX_LINES || ring.chars > MAX_CHARS)) {
    ring.chars -= ring.lines.shift()?.length ?? 0;
    ring.first++;
  }
};

/** First of the last lines that fit in `bytes`. */
const startOf = ({ lines, first }: Ring, bytes: number): number => {
  let left = bytes;
  let at = lines.length;
  while (at > 0) {
    left -= Buffer.byteLength(lines[at - 1] ?? '');
    if (left < 0) break;
    at--;
  }
  return first + at;
};

const readerOf = (ring: Ring, from_bytes: number, onMore: () => void): LogReader => {
  let next = startOf(ring, from_bytes);
  let isTold = false;
  const wake = (): void => {
    if (isTold) return;
    isTold = true;
    onMore();
  };
  ring.wake.add(wake);
  return {
    take: () => {
      isTold = false;
      const missed = Math.max(0, ring.first - next);
      const lines = ring.lines.slice(next + missed - ring.first);
      next = ring.first + ring.lines.length;
      return { lines, missed };
    },
    close: () => void ring.wake.delete(wake),
  };
};

/** The last lines of each source, in memory. */
export const memoryLogTail = (): LogTail & { readonly add: (source: LogSource, line: string) => void } => {
  const rings = new Map<LogSource, Ring>();

  const forgetSilent = (kept: Ring): void => {
    for (const [source, ring] of rings) {
      if (rings.size <= MAX_SOURCES) return;
      if (ring.wake.size === 0 && ring !== kept && source !== null) rings.delete(source);
    }
  };

  /** Moves the source to the end of the map, which is ordered by last line. */
  const touched = (source: LogSource): Ring => {
    const ring = rings.get(source) ?? newRing();
    rings.delete(source);
    rings.set(source, ring);
    forgetSilent(ring);
    return ring;
  };

  return {
    add: (source, line) => {
      const ring = touched(source);
      push(ring, line);
      for (const wake of ring.wake) wake();
    },
    has: (source) => (rings.get(source)?.lines.length ?? 0) > 0,
    open: (source, { from_bytes, onMore }) => readerOf(touched(source), from_bytes, onMore),
  };
};
