import type { Partition } from '../../../domain/partitions.js';

const LF = 10;

/**
 * First LF at or after `from`; -1 if none. Runs for every line, so it must compile to one native call: look up the
 * method once and keep it in a closure. Joining the programs turns file constants into `var`, which V8 cannot treat
 * as constant (2.5 times slower).
 */
export const lineFeedFrom = (() => {
  const { indexOf } = Buffer.prototype;
  return (bytes: Buffer, from: number): number => indexOf.call(bytes, LF, from);
})();

/** First line end at or after `from`, aligned to its length from `base`; -1 if none. */
export const lineEndFrom = (bytes: Buffer, end: Buffer, from: number, base: number): number => {
  if (end.length === 1) return bytes.indexOf(end[0] as number, from);
  let at = bytes.indexOf(end, from);
  while (at >= 0 && (at - base) % end.length !== 0) at = bytes.indexOf(end, at + 1);
  return at;
};

/** Last line end that starts before `before`, aligned like `lineEndFrom`. */
export const lineEndBefore = (bytes: Buffer, end: Buffer, before: number, base: number): number => {
  if (before <= base) return -1;
  let at = bytes.lastIndexOf(end.length === 1 ? (end[0] as number) : end, before - 1);
  while (at > base && (at - base) % end.length !== 0) at = bytes.lastIndexOf(end, at - 1);
  return at < base ? -1 : at;
};

/** The lines of a partition in a block of lines. */
export interface OwnLines {
  /** Lines of other partitions before the first one. */
  readonly gap: number;
  /** Lines from one to the next. */
  readonly step: number;
  /** Position in the block after each one. */
  readonly ends: readonly number[];
  /** Lines of the block, those of all partitions. */
  readonly lines: number;
}

/** Moves the own lines of a block to its start; returns them and where they were. */
export const keepOwn = (
  block: Buffer,
  lineEnd: Buffer,
  gap: number,
  { count: step }: Partition,
): { readonly bytes: Buffer; readonly own: OwnLines } => {
  const ends: number[] = [];
  let length = 0;
  let lines = 0;
  let next = gap;
  for (let start = 0; start < block.length; lines++) {
    const at = lineEndFrom(block, lineEnd, start, 0);
    // A partial code unit at the end of the file is one line.
    const end = at < 0 ? block.length : at + lineEnd.length;
    if (lines === next) {
      block.copyWithin(length, start, end);
      length += end - start;
      ends.push(end);
      next += step;
    }
    start = end;
  }
  return { bytes: block.subarray(0, length), own: { gap, step, ends, lines } };
};

/** Counts the lines of other partitions before the next own one. */
export const makeGap = ({ index, count }: Partition) => {
  let gap = index;
  return {
    left: (): number => gap,
    /** Lines of the file are passed. */
    pass: (lines: number): void => {
      gap = (((gap - lines) % count) + count) % count;
    },
    set: (left: number): void => {
      gap = left;
    },
  };
};
