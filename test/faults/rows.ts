import { describe, expect, test } from '@jest/globals';
import type { Rig } from '../support/faultRig.js';
import { FAULTS, type Fault, type OutputName, TABLE } from './table.js';

type Body = () => Promise<void>;

/** Tests of one row of the table: what is shown, and how. */
export type Row = Readonly<Record<string, Body>>;
export type Rows = Readonly<Partial<Record<Fault, Row>>>;

/** Problems of the tests of an output, held against its column of the table. */
export const problemsOf = (output: OutputName, rows: Rows): readonly string[] =>
  FAULTS.flatMap((fault) => {
    const count = Object.keys(rows[fault] ?? {}).length;
    const isShown = 'made' in TABLE[output][fault];
    if (isShown && count === 0) return [`${output} x ${fault} has no test`];
    return !isShown && count > 0 ? [`${output} x ${fault} has a test, and a reason why it cannot`] : [];
  });

/** Makes a test of each row; a row without one, and one that cannot exist, is a failure of its own. */
export const faultRows = (output: OutputName, rows: Rows): void => {
  test(`each row of ${output} has its tests`, () => {
    expect(problemsOf(output, rows)).toEqual([]);
  });
  for (const fault of FAULTS) {
    const row = rows[fault];
    if (row === undefined) continue;
    describe(`${output} x ${fault}`, () => {
      for (const [title, shown] of Object.entries(row)) test(title, shown);
    });
  }
};

/** What holds in every row: each event ended in one counter of each output, and no more was held than is allowed. */
export const expectAccounted = (rig: Rig): void => {
  const { produced, sums, mostInFlight, allowed } = rig.account();
  expect(produced).toBeGreaterThan(0);
  expect(sums.map((sum) => `${sum} counted`)).toEqual(sums.map(() => `${produced} counted`));
  mostInFlight.forEach((most, output) => {
    expect(most).toBeLessThanOrEqual(allowed[output] ?? 0);
  });
};

/** Shows what a row was like; figures, not verdicts. */
export const report = (row: string, rig: Rig): void => {
  const { produced, mostInFlight, allowed, dead_lettered, write_failed } = rig.account();
  const figures = { produced, written: rig.count('written'), retries: rig.count('retries') };
  process.stderr.write(
    `${row}: ${JSON.stringify({ ...figures, dead_lettered, write_failed, mostInFlight, allowed })}\n`,
  );
};
