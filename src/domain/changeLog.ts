/** One key with what it was set to last. */
export interface Change<V> {
  /** From 1, growing with each change of any key. */
  readonly number: number;
  readonly key: string;
  /** `null`: the key is gone. */
  readonly value: V | null;
}

/**
 * The latest value of each key in the order of change. A reader remembers one number and asks for what came after it,
 * so a slow one costs nothing and sees each key once, as it is now.
 */
export interface ChangeLog<V> {
  readonly set: (key: string, value: V | null) => void;
  /** Number of the last change; 0 before the first. */
  readonly last: () => number;
  /** What is there of the changes after `after` up to `until`, oldest first, at most `limit`: how a new reader begins. */
  readonly present: (after: number, until: number, limit: number) => readonly Change<V>[];
  /**
   * Latest changes after `number`, at most `limit`, oldest first. `null`: it is not known any more what has gone since then,
   * so the reader has to begin again.
   */
  readonly since: (number: number, limit: number) => readonly Change<V>[] | null;
}

/** Keys that are gone and still remembered. */
const MAX_GONE = 1_000;

/** Position of the first entry after `number`; entries ascend. */
const positionAfter = (entries: readonly { readonly number: number }[], number: number): number => {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.number ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  return low;
};

export const changeLog = <V>(maxGone: number = MAX_GONE): ChangeLog<V> => {
  const latest = new Map<string, Change<V>>();
  /** Every change in order, outdated ones included until there are as many of them as of others. */
  let entries: Change<V>[] = [];
  let last = 0;
  let gone = 0;
  /** A reader that is behind this number may have missed a key that went and was forgotten. */
  let floor = 0;

  const isLatest = (entry: Change<V>): boolean => latest.get(entry.key) === entry;

  const latestAfter = (
    number: number,
    limit: number,
    isWanted: (entry: Change<V>) => boolean,
  ): readonly Change<V>[] => {
    const found: Change<V>[] = [];
    for (let at = positionAfter(entries, number); at < entries.length && found.length < limit; at++) {
      const entry = entries[at] as Change<V>;
      if (isLatest(entry) && isWanted(entry)) found.push(entry);
    }
    return found;
  };

  const forgetGone = (): void => {
    for (const entry of entries) {
      if (gone <= maxGone) return;
      if (entry.value !== null || !isLatest(entry)) continue;
      latest.delete(entry.key);
      gone--;
      floor = entry.number;
    }
  };

  return {
    set: (key, value) => {
      const former = latest.get(key);
      if (former?.value === null) gone--;
      if (value === null) gone++;
      const entry = { number: ++last, key, value };
      latest.set(key, entry);
      entries.push(entry);
      if (gone > maxGone) forgetGone();
      if (entries.length > 2 * latest.size + 64) entries = entries.filter(isLatest);
    },
    last: () => last,
    present: (after, until, limit) =>
      latestAfter(after, limit, ({ number, value }) => number <= until && value !== null),
    since: (number, limit) => (number < floor ? null : latestAfter(number, limit, () => true)),
  };
};
