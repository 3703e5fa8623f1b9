import type { LogReader, LogSource, LogTail } from '../../ports/logTail.js';

/** What is kept of one source. */
const MAX_LINES = 1_000;
const MAX_CHARS = 64 * 1024;
/** Sources that are kept; the one that was silent for longest gives way, unless somebody reads it. */
const MAX_SOURCES = 512;

interface Ring {
  readonly lines: string[];
  chars: number;
  /** Number of the first line kept; lines count from 0. */
  first: number;
  readonly wake: Set<() => void>;
}

const newRing = (): Ring => ({ lines: [], chars: 0, first: 0, wake: new Set() });

const push = (ring: Ring, line: string): void => {
  ring.lines.push(line);
  ring.chars += line.length;
  // A line longer than everything that is kept stays, alone: a reader should not see a hole for it.
  while (ring.lines.length > 1 && (ring.lines.length > MAX_LINES || ring.chars > MAX_CHARS)) {
    ring.chars -= ring.lines.shift()?.length ?? 0;
    ring.first++;
  }
};

/** Number of the first of the last lines that have at most `bytes` bytes together. */
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

/** The last lines of each source in memory, and where new ones are put. */
export const memoryLogTail = (): LogTail & { readonly add: (source: LogSource, line: string) => void } => {
  const rings = new Map<LogSource, Ring>();

  const forgetSilent = (kept: Ring): void => {
    for (const [source, ring] of rings) {
      if (rings.size <= MAX_SOURCES) return;
      if (ring.wake.size === 0 && ring !== kept && source !== null) rings.delete(source);
    }
  };

  /** The ring of a source, moved to the end of the map: its order is that of the last lines. */
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
