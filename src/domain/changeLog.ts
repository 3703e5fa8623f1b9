export interface Change<V> {
  /** From 1, ascending over all keys. */
  readonly number: number;
  readonly key: string;
  readonly value: V | null;
}

/** The latest value of each key in the order of change. A reader keeps one number; a slow one costs no memory. */
export interface ChangeLog<V> {
  readonly set: (key: string, value: V | null) => void;
  readonly last: () => number;
  /** For a new reader: existing keys changed after `after` up to `until`, oldest first, at most `limit`. */
  readonly present: (after: number, until: number, limit: number) => readonly Change<V>[];
  /**
   * Returns changes after `number`, oldest first, at most `limit`. Returns null when removed keys are forgotten: the
   * reader must start over.
   */
  readonly since: (number: number, limit: number) => readonly Change<V>[] | null;
}

/** Removed keys that are remembered. */
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
  /** Changes in order; outdated ones are dropped once they are half of all. */
  let entries: Change<V>[] = [];
  let last = 0;
  let gone = 0;
  /** Readers behind this number may have missed a removed key. */
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
