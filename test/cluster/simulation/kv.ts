import type { LeaseNote } from '../../../src/cluster/leaseWrites.js';

/** One bucket: compare-and-set, and a log that watches read in order. */
export interface SimulatedBucket<A> {
  /** `replaces` as in the port; returns the new revision, or `null`: refused. */
  readonly write: (nowMs: number, key: string, value: A | null, replaces: number) => number | null;
  readonly entries: ReadonlyMap<string, BucketRow<A>>;
  readonly log: readonly BucketRow<A>[];
  /** Loses the last rows, whoever was told that they are there. Their revisions come again. */
  readonly loseEnd: (rows: number) => void;
  /** Rises with each lost end. */
  readonly losses: () => number;
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
  let losses = 0;
  const keep = (row: BucketRow<A>): void => {
    if (row.value === null) entries.delete(row.key);
    else entries.set(row.key, row);
  };
  return {
    entries,
    log,
    write: (atMs, key, value, replaces) => {
      if ((entries.get(key)?.revision ?? 0) !== replaces) return null;
      const revision = log.length + 1;
      const row = { atMs, key, value: value === null ? null : stamp(value, revision), revision };
      log.push(row);
      keep(row);
      return revision;
    },
    loseEnd: (rows) => {
      losses += 1;
      log.splice(Math.max(0, log.length - rows));
      entries.clear();
      for (const row of log) keep(row);
    },
    losses: () => losses,
  };
};

/** The lease of a row; without one, or when it was removed, it is free. */
export const leaseOf = (row: BucketRow<LeaseNote> | undefined): LeaseNote =>
  row?.value ?? { revision: row?.revision ?? 0, holder: null, epoch: 0, deaths: 0 };
