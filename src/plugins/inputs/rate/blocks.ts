import type { Json } from '../../../domain/json.js';

/** Bytes a timestamp is assumed to make before any is measured. */
const ASSUMED_BYTES = 256;

const FIRST_BLOCK = 16;
const MAX_BLOCK = 4_096;
/** A block lasts about this long at most, so that a slow schedule is corrected too. */
const BLOCK_SECONDS = 60;
/** A block counts at most this many times, and at least this part of, the measured size: corrections stay smooth. */
const MAX_CORRECTION = 2;

/** How much each timestamp takes of the target. */
export interface RateBlocks {
  /** Units (events or bytes) of each timestamp of this block. */
  readonly weight: () => number;
  /** Timestamps of this block that are not planned yet; 0: it waits for its sizes. */
  readonly left: () => number;
  readonly use: (count: number) => void;
  /** Ends the block, with its measured sizes or, in a preview, without. `perSecond`: the target now, in units. */
  readonly next: (perSecond: number, isMeasured: boolean) => void;
  /** Adds up the sizes of the block. Null when sizes do not matter. */
  readonly meter: BlockMeter | null;
  readonly snapshot: () => Json;
  readonly restore: (state: Json) => void;
}

/** Sums of the block. */
interface BlockMeter {
  readonly add: (timestamps: number, bytes: number) => void;
  readonly snapshot: () => Json;
  readonly restore: (state: Json) => void;
}

/** One endless block of a known weight. */
export const fixedBlocks = (weight: number): RateBlocks => ({
  weight: () => weight,
  left: () => Number.POSITIVE_INFINITY,
  use: () => {},
  next: () => {},
  meter: null,
  snapshot: () => null,
  restore: () => {},
});

interface BlockState {
  readonly mean: number | null;
  readonly weight: number;
  readonly size: number;
  readonly left: number;
  readonly planned: number;
  readonly made: number;
  readonly measured: readonly [timestamps: number, bytes: number];
}

/**
 * Blocks of timestamps that weigh as much as the events before them: each block begins once all events of the one
 * before are measured, and makes up for what that one was wrong by.
 */
export const measuredBlocks = (): RateBlocks => {
  /** Mean bytes of a timestamp in recent blocks. Null when none is measured. */
  let mean: number | null = null;
  let weight = ASSUMED_BYTES;
  let size = FIRST_BLOCK;
  let left = FIRST_BLOCK;
  /** Bytes of all blocks but this one: as weighed, and as made. */
  let planned = 0;
  let made = 0;
  /** Timestamps of all inputs since the block began, and bytes of their events. */
  let [timestamps, bytes] = [0, 0];

  const learn = (isMeasured: boolean): void => {
    const ofBlock = size * weight;
    planned += ofBlock;
    const now = timestamps === 0 ? 0 : bytes / timestamps;
    made += isMeasured ? size * now : ofBlock;
    if (now > 0) mean = mean === null ? now : (mean + now) / 2;
    [timestamps, bytes] = [0, 0];
  };

  return {
    weight: () => weight,
    left: () => left,
    use: (count) => {
      left -= count;
    },
    next: (perSecond, isMeasured) => {
      learn(isMeasured);
      const expected = mean ?? ASSUMED_BYTES;
      const most = Math.min(MAX_BLOCK, size * 4);
      size = Math.max(FIRST_BLOCK, Math.min(most, Math.round((perSecond * BLOCK_SECONDS) / expected)));
      left = size;
      const wanted = expected + (made - planned) / size;
      weight = Math.min(expected * MAX_CORRECTION, Math.max(expected / MAX_CORRECTION, wanted));
    },
    meter: {
      add: (count, length) => {
        timestamps += count;
        bytes += length;
      },
      snapshot: () => [timestamps, bytes],
      restore: (state) => {
        [timestamps, bytes] = state as [number, number];
      },
    },
    snapshot: () => ({ mean, weight, size, left, planned, made, measured: [timestamps, bytes] }),
    restore: (state) => {
      const saved = state as unknown as BlockState;
      ({ mean, weight, size, left, planned, made } = saved);
      [timestamps, bytes] = saved.measured;
    },
  };
};
