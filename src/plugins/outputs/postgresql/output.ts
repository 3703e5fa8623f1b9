import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../../domain/errors.js';
import type { Missed, Output } from '../../kit.js';
import type { ErrorReporter } from '../shared/requestErrors.js';
import { closedFailure } from '../shared/streamOutput.js';
import { NOTHING, writtenResult } from '../shared/written.js';
import { deliver } from './deliver.js';
import type { Pool } from './pool.js';
import type { RowMaker, Rows } from './rows.js';

const unfitOf = ({ unfit }: Rows, name: string): readonly Missed[] =>
  [...unfit].map(([what, items]) => ({
    items,
    reason: failure('unroutable', `cannot copy into ${name}: ${what}`),
  }));

export const postgresqlOutput = ({
  pool,
  statement,
  rowsOf,
  name,
  report,
}: {
  readonly pool: Pool;
  readonly statement: string;
  readonly rowsOf: RowMaker;
  readonly name: string;
  readonly report: ErrorReporter;
}): Output => {
  let closing: Promise<void> | null = null;
  return {
    isBulk: true,
    isOrdered: false,
    write: async (batch, signal) => {
      if (closing !== null) return E.left(closedFailure(name));
      if (batch.count === 0) return E.right(NOTHING);
      const rows = rowsOf(batch);
      const unfit = unfitOf(rows, name);
      if (rows.ends.length === 0) return writtenResult(NOTHING, unfit);
      const result = await pool.use(signal, (session, ending) =>
        deliver({
          rows,
          copy: (data) => session.copy(statement, data, ending),
          reasonOf: (error) => report('cannot copy into', error),
        }),
      );
      if (E.isLeft(result)) return E.left(report('cannot copy into', result.left));
      const { written, bytes } = result.right;
      return writtenResult({ written, failed: 0, bytes }, [...unfit, ...result.right.missed]);
    },
    flush: async () => E.right(undefined),
    close: async () => {
      closing ??= pool.close();
      await closing;
      return E.right(undefined);
    },
  };
};
