/** One bucket: compare-and-set, and a log that watches read in order. */
export interface SimulatedBucket<A> {
  /** `replaces` as in the port; returns the new revision, or `null`: refused. */
  readonly write: (nowMs: number, key: string, value: A | null, replaces: number) => number | null;
  readonly entries: ReadonlyMap<string, BucketRow<A>>;
  readonly log: readonly BucketRow<A>[];
}

export interface BucketRow<A> {
  readonly atMs: number;
  readonly key: string;
  readonly value: A | null;
  readonly revision: number;
}

export const simulatedBucket = <A>(
  stamp: (value: A, revision: number) => A = (value) => value,
): SimulatedBucket<A> => {
  const entries = new Map<string, BucketRow<A>>();
  const log: BucketRow<A>[] = [];
  return {
    entries,
    log,
    write: (atMs, key, value, replaces) => {
      if ((entries.get(key)?.revision ?? 0) !== replaces) return null;
      const revision = log.length + 1;
      const row = { atMs, key, value: value === null ? null : stamp(value, revision), revision };
      log.push(row);
      if (value === null) entries.delete(key);
      else entries.set(key, row);
      return revision;
    },
  };
};
