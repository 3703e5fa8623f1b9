/**
 * What may be seen at a place that several clients write at once. Time is a count of what this process did
 * and saw, so "before" is certain: a write that was sent after another one was answered is the later one; of
 * two that overlap either may be. Plain Node, so that benchmarks and tests share it.
 */
let ticks = 0;

/** The history of one place, whose value is `initial` now. Values differ from each other, all through one run. */
export const writeHistory = (initial) => {
  let writes = [{ value: initial, sent: 0, ended: 0, outcome: 'done' }];

  /** Values that may be seen by somebody who began to look at `from`. */
  const possible = (from) => {
    const isOver = (write) =>
      writes.some(
        (later) =>
          later.outcome === 'done' && later.ended < from && later.sent > write.ended && later !== write,
      );
    return writes.filter((write) => write.outcome !== 'refused' && !isOver(write)).map(({ value }) => value);
  };

  return {
    /** Notes that a write leaves; its result is told by `end`. Without it the write may still happen. */
    begin: (value) => {
      const write = { value, sent: ++ticks, ended: Number.POSITIVE_INFINITY, outcome: 'open' };
      writes.push(write);
      return {
        /** `done`: it is in force; `refused`: it will never be. */
        end: (outcome) => {
          write.ended = ++ticks;
          write.outcome = outcome;
        },
      };
    },
    /** Begins to look; the result tells what may be seen. */
    look: () => {
      const from = ++ticks;
      return () => possible(from);
    },
    /** What may be seen from now on. */
    possible: () => possible(++ticks),
    /** Notes that nothing is under way any more and that this was seen. */
    settle: (value) => {
      writes = [{ value, sent: ++ticks, ended: ++ticks, outcome: 'done' }];
    },
    /** How many writes were answered since the last settling. */
    answered: () => writes.filter(({ outcome }) => outcome === 'done').length - 1,
  };
};
