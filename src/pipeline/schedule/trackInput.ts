import type { InputPosition } from '../../domain/checkpoint.js';
import { SEARCHING } from '../../domain/events/timestampBatch.js';
import type { Input } from '../../plugins/kit.js';

/** An input with its position after any number of its timestamps. */
export interface TrackedInput extends Input {
  /** Position after the first `consumed` timestamps; never asked for fewer than before. */
  readonly positionAfter: (consumed: number) => InputPosition;
}

/** Keeps the states of unused fills: timestamps are read far ahead, but a checkpoint must not be ahead of its events. */
export const trackInput = (input: Input): TrackedInput => {
  let given = 0;
  let fills: { readonly state: InputPosition['state']; readonly start: number }[] = [];
  return {
    ...input,
    fill: (out) => {
      const state = input.snapshot();
      const count = input.fill(out);
      if (count <= 0) return count;
      fills.push({ state, start: given });
      given += count;
      return count;
    },
    positionAfter: (consumed) => {
      const sizes = input.sizes === undefined ? {} : { sizes: input.sizes.snapshot() };
      if (consumed === given) return { state: input.snapshot(), skip: 0, ...sizes };
      let current = 0;
      while ((fills[current + 1]?.start ?? Number.POSITIVE_INFINITY) <= consumed) current++;
      fills = fills.slice(current);
      const [first] = fills;
      return first === undefined
        ? { state: input.snapshot(), skip: 0 }
        : { state: first.state, skip: consumed - first.start, ...sizes };
    },
  };
};

export const untracked = (input: Input): TrackedInput => ({
  ...input,
  positionAfter: () => ({ state: input.snapshot(), skip: 0 }),
});

const SKIP_SIZE = 4_096;

/** Restores a position; the next timestamp is the one after it. */
export const restoreInput = (input: Input, { state, skip, sizes }: InputPosition): void => {
  input.restore(state);
  const scratch = new Float64Array(Math.min(skip, SKIP_SIZE));
  for (let left = skip; left > 0; ) {
    const count = input.fill(scratch.subarray(0, Math.min(left, scratch.length)));
    if (count === SEARCHING) continue;
    if (count <= 0) break;
    left -= count;
  }
  if (sizes !== undefined) input.sizes?.restore(sizes);
};
