import * as E from 'fp-ts/lib/Either.js';
import type { OutputPlugin } from '../../kit.js';
import { compileText } from '../../shared/text/compile.js';
import { generatorName } from '../../shared/text/generatorName.js';
import { makeErrorReporter, retryableError } from '../shared/requestErrors.js';
import { readTls } from '../shared/tls/files.js';
import { endpointOf, type PostgresqlParams } from './endpoint.js';
import { postgresqlOutput } from './output.js';
import { makePool } from './pool.js';
import { columnRows, eventRows, givenRows, type RowMaker } from './rows.js';
import { COPY_STOPPED, openSession } from './session.js';
import { type postgresqlFields, postgresqlSpec } from './spec.js';
import { copyStatement } from './statement.js';

const NO_ROWS = Buffer.alloc(0);

/** Columns of the statement, and how events become rows of them. */
const layoutOf = (
  { column, columns, copy_format }: PostgresqlParams,
  generator: string,
): { readonly names: readonly string[]; readonly rowsOf: RowMaker } => {
  if (copy_format !== null) return { names: [], rowsOf: givenRows(copy_format) };
  if (columns === null) return { names: [column], rowsOf: eventRows };
  const texts = Object.values(columns).map((written) => compileText(written, { generator }));
  return { names: Object.keys(columns), rowsOf: columnRows(texts) };
};

export const postgresqlPlugin: OutputPlugin<typeof postgresqlFields> = {
  spec: postgresqlSpec,
  open: async (params, { directory, clock, signal }) => {
    const made = endpointOf(params);
    if (E.isLeft(made)) return made;
    const endpoint = made.right;
    const tls = await readTls('postgresql', params, { directory, clock });
    if (E.isLeft(tls)) return tls;
    const report = makeErrorReporter(endpoint.name, [endpoint]);
    const { names, rowsOf } = layoutOf(params, generatorName({ directory }));
    const statement = copyStatement(params.table, names, params.copy_format ?? 'text');
    const connect_timeout_ms = params.connect_timeout * 1000;
    const pool = makePool(
      params.pool_maxsize,
      (ending) => openSession({ endpoint, tls: tls.right, connect_timeout_ms, clock }, ending),
      COPY_STOPPED,
    );
    // An empty COPY checks table, columns and rights.
    const limit = new AbortController();
    const stop = (): void => limit.abort();
    const stopWaiting = clock.after(2 * connect_timeout_ms, stop);
    signal.addEventListener('abort', stop, { once: true });
    const checked = await pool.use(limit.signal, (session, ending) =>
      session.copy(statement, NO_ROWS, ending),
    );
    stopWaiting();
    signal.removeEventListener('abort', stop);
    if (E.isRight(checked)) {
      return E.right(postgresqlOutput({ pool, statement, rowsOf, name: endpoint.name, report }));
    }
    await pool.close();
    const isLate = limit.signal.aborted && !signal.aborted;
    const late = retryableError(
      `no reply within twice connect_timeout (${params.connect_timeout} s)`,
      'Check the load of the server and the locks of the table, or raise connect_timeout.',
    );
    return E.left(report('cannot open', isLate ? late : { ...checked.left, isRetryable: true }));
  },
};
