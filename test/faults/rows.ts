import { describe, expect, test } from '@jest/globals';
import type { Rig } from '../support/faults/faultRig.js';
import { LACKING, SHARED_ROWS, type SharedRow } from './sharedRows.js';
import { FAULTS, type Fault, type OutputName, TABLE } from './table.js';

/** A test, or `skipped` where this machine lacks what its title says that it needs. */
export type FaultTest = (() => Promise<void>) | 'skipped';

/** Tests of one row of the table, by title. */
export type Row = Readonly<Record<string, FaultTest>>;
export type Rows = Readonly<Partial<Record<Fault, Row>>>;

/** Says so when there is neither a test nor a reason, or both. */
const problemOf = (what: string, isShown: boolean, hasTest: boolean): readonly string[] => {
  if (isShown && !hasTest) return [`${what} has no test`];
  return !isShown && hasTest ? [`${what} has a test, and a reason why it cannot`] : [];
};

/** Missing or superfluous tests of an output, compared with the table and with the rows that outputs share. */
export const problemsOf = (output: OutputName, rows: Rows): readonly string[] => [
  ...FAULTS.flatMap((fault) =>
    problemOf(
      `${output} x ${fault}`,
      'made' in TABLE[output][fault],
      Object.keys(rows[fault] ?? {}).length > 0,
    ),
  ),
  ...Object.entries(SHARED_ROWS).flatMap(([row, { fault, title }]) =>
    problemOf(
      `${output} x ${fault}: ${row}`,
      LACKING[output]?.[row as SharedRow] === undefined,
      title in (rows[fault] ?? {}),
    ),
  ),
];

export const faultRows = (output: OutputName, rows: Rows): void => {
  test(`each row of ${output} has its tests`, () => {
    expect(problemsOf(output, rows)).toEqual([]);
  });
  for (const fault of FAULTS) {
    const row = rows[fault];
    if (row === undefined) continue;
    describe(`${output} x ${fault}`, () => {
      for (const [title, shown] of Object.entries(row)) {
        if (shown === 'skipped') test.skip(title, () => {});
        else test(title, shown);
      }
    });
  }
};

/** Each event is in one counter of each output, and queues stayed within their limits. */
export const expectAccounted = (rig: Rig): void => {
  const { produced, sums, mostInFlight, allowed } = rig.account();
  expect(produced).toBeGreaterThan(0);
  expect(sums.map((sum) => `${sum} counted`)).toEqual(sums.map(() => `${produced} counted`));
  mostInFlight.forEach((most, output) => {
    expect(most).toBeLessThanOrEqual(allowed[output] ?? 0);
  });
};

/** Prints the figures of a row. */
export const report = (row: string, rig: Rig): void => {
  const { produced, mostInFlight, allowed, dead_lettered, write_failed } = rig.account();
  const figures = { produced, written: rig.count('written'), retries: rig.count('retries') };
  process.stderr.write(
    `${row}: ${JSON.stringify({ ...figures, dead_lettered, write_failed, mostInFlight, allowed })}\n`,
  );
};
