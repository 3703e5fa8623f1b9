/** Numbers per block, in 4 KiB of bits. */
const BLOCK_BITS = 15;
const BLOCK_SIZE = 2 ** BLOCK_BITS;
const BLOCK_BYTES = BLOCK_SIZE / 8;

/** Inclusive. */
export type SequenceRange = readonly [from: number, to: number];

/** Memory limit shared by several sets. */
export interface BlockBudget {
  left: number;
}

/** `over`: the block budget is used up. */
export type Added = 'new' | 'again' | 'over';

/** Sequence numbers, from 1, that arrived on one stream. */
export interface Sequences {
  readonly add: (sequence: number) => Added;
  readonly has: (sequence: number) => boolean;
  readonly count: () => number;
  /** Largest number; 0: none. */
  readonly last: () => number;
  readonly first: () => number;
  /** First missing ranges of 1..`to`. */
  readonly gaps: (to: number, max_ranges: number) => readonly SequenceRange[];
}

interface Block {
  /** One bit per number, set when it is there. Null when the block is complete. */
  bits: Uint8Array | null;
  count: number;
}

/** Merges ascending missing numbers, from 0, into ranges. */
const gapCollector = (max_ranges: number) => {
  const ranges: [number, number][] = [];
  return {
    ranges,
    isFull: () => ranges.length > max_ranges,
    add: (from: number, to: number): void => {
      if (from > to) return;
      const last = ranges.at(-1);
      if (last !== undefined && last[1] === from - 1) last[1] = to;
      else ranges.push([from, to]);
    },
  };
};

const isMissing = (bits: Uint8Array, at: number): boolean =>
  ((bits[at >>> 3] as number) & (1 << (at & 7))) === 0;

const FULL_BYTE = 0xff;

const addGapsOf = (
  start: number,
  bits: Uint8Array,
  gaps: ReturnType<typeof gapCollector>,
  end: number,
): void => {
  for (let i = 0; i < BLOCK_SIZE && start + i < end && !gaps.isFull(); ) {
    if (bits[i >>> 3] === FULL_BYTE) {
      i = (i | 7) + 1;
      continue;
    }
    if (isMissing(bits, i)) gaps.add(start + i, start + i);
    i++;
  }
};

/** Complete blocks cost nothing: an ordered stream needs one. A distant number costs one block. */
export const makeSequences = (budget: BlockBudget): Sequences => {
  const blocks = new Map<number, Block>();
  /** Blocks before this one are complete and dropped. */
  let firstBlock = 0;
  let count = 0;
  let lowest = Number.POSITIVE_INFINITY;
  let highest = 0;
  let recent: Block | null = null;
  let recentNumber = -1;

  const blockAt = (number: number): Block | null => {
    if (number === recentNumber && recent !== null) return recent;
    let block = blocks.get(number);
    if (block === undefined) {
      if (budget.left <= 0) return null;
      budget.left--;
      block = { bits: new Uint8Array(BLOCK_BYTES), count: 0 };
      blocks.set(number, block);
    }
    recent = block;
    recentNumber = number;
    return block;
  };

  const moveOn = (): void => {
    while (blocks.get(firstBlock)?.bits === null) {
      blocks.delete(firstBlock);
      firstBlock++;
    }
    recent = null;
  };

  return {
    add: (sequence) => {
      const at = sequence - 1;
      const number = Math.floor(at / BLOCK_SIZE);
      if (number < firstBlock) return 'again';
      const block = blockAt(number);
      if (block === null) return 'over';
      const bit = at % BLOCK_SIZE;
      if (block.bits === null || !isMissing(block.bits, bit)) return 'again';
      block.bits[bit >>> 3] = (block.bits[bit >>> 3] as number) | (1 << (bit & 7));
      count++;
      lowest = Math.min(lowest, sequence);
      highest = Math.max(highest, sequence);
      if (++block.count === BLOCK_SIZE) {
        block.bits = null;
        budget.left++;
        moveOn();
      }
      return 'new';
    },
    has: (sequence) => {
      const at = sequence - 1;
      const number = Math.floor(at / BLOCK_SIZE);
      if (number < firstBlock) return true;
      const block = blocks.get(number);
      return block !== undefined && (block.bits === null || !isMissing(block.bits, at % BLOCK_SIZE));
    },
    count: () => count,
    last: () => highest,
    first: () => (count === 0 ? 0 : lowest),
    gaps: (to, max_ranges) => {
      const gaps = gapCollector(max_ranges);
      let next = firstBlock;
      for (const number of [...blocks.keys()].sort((a, b) => a - b)) {
        if (number * BLOCK_SIZE >= to || gaps.isFull()) break;
        gaps.add(next * BLOCK_SIZE, number * BLOCK_SIZE - 1);
        const bits = blocks.get(number)?.bits ?? null;
        if (bits !== null) addGapsOf(number * BLOCK_SIZE, bits, gaps, to);
        next = number + 1;
      }
      gaps.add(next * BLOCK_SIZE, to - 1);
      return gaps.ranges.slice(0, max_ranges).map(([a, b]) => [a + 1, b + 1] as const);
    },
  };
};
