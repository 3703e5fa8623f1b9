import type { Partition } from '../../../domain/partitions.js';
import { lineEndFrom } from './lineEnds.js';

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
