import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../../domain/errors.js';
import type { Missed, Output, OutputPlugin } from '../../kit.js';
import { compileText } from '../../shared/text/compile.js';
import { generatorName } from '../../shared/text/routing.js';
import { type ErrorReporter, makeErrorReporter, retryableError } from '../shared/errors.js';
import { readTls } from '../shared/tls.js';
import { closedFailure, NOTHING, writtenResult } from '../shared/written.js';
import { deliverRows } from './deliver.js';
import { copyStatement, type PostgresqlParams, postgresEndpointOf } from './endpoint.js';
import { columnRows, eventRows, givenRows, type RowMaker, type Rows } from './rows.js';
import type { CopyError } from './serverErrors.js';
import { COPY_STOPPED, openPostgresSession, type PostgresSession } from './session.js';
import { type postgresqlFields, postgresqlSpec } from './spec.js';

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
    const made = postgresEndpointOf(params);
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
      (ending) => openPostgresSession({ endpoint, tls: tls.right, connect_timeout_ms, clock }, ending),
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

const unfitOf = ({ unfit }: Rows, name: string): readonly Missed[] =>
  [...unfit].map(([what, items]) => ({
    items,
    reason: failure('unroutable', `cannot copy into ${name}: ${what}`),
  }));

const postgresqlOutput = ({
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
        deliverRows({
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

/** At most `size` sessions, opened when needed. */
interface Pool {
  /** Runs with a session of its own; waits for one while all are in use. */
  readonly use: <A>(
    signal: AbortSignal,
    work: (session: PostgresSession, signal: AbortSignal) => Promise<E.Either<CopyError, A>>,
  ) => Promise<E.Either<CopyError, A>>;
  /** Ends copies in flight and closes all sessions. */
  readonly close: () => Promise<void>;
}

const makePool = (
  size: number,
  open: (signal: AbortSignal) => Promise<E.Either<CopyError, PostgresSession>>,
  stopped: CopyError,
): Pool => {
  const idle: PostgresSession[] = [];
  const waiting: (() => void)[] = [];
  let isClosed = false;
  const inUse = new Map<AbortController, Promise<unknown>>();

  const closeIdle = async (): Promise<void> => {
    await Promise.all(idle.splice(0).map((session) => session.close()));
  };

  const wakeNext = (): void => waiting.shift()?.();

  /** Resolves when a place may be free, or the signal aborts. */
  const wait = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(wake), 1);
        resolve();
      };
      waiting.push(wake);
      signal.addEventListener('abort', giveUp, { once: true });
    });

  const take = async (signal: AbortSignal): Promise<E.Either<CopyError, PostgresSession>> => {
    for (let session = idle.pop(); session !== undefined; session = idle.pop()) {
      if (session.isUsable()) return E.right(session);
      await session.close();
    }
    return open(signal);
  };

  const run = async <A>(
    signal: AbortSignal,
    work: (session: PostgresSession, signal: AbortSignal) => Promise<E.Either<CopyError, A>>,
  ): Promise<E.Either<CopyError, A>> => {
    const taken = await take(signal);
    if (E.isLeft(taken)) return taken;
    const session = taken.right;
    const result = await work(session, signal);
    if (session.isUsable() && !signal.aborted) idle.push(session);
    else await session.close();
    return result;
  };

  return {
    use: async (signal, work) => {
      while (inUse.size >= size && !signal.aborted && !isClosed) await wait(signal);
      if (signal.aborted || isClosed) {
        wakeNext();
        return E.left(stopped);
      }
      const ending = new AbortController();
      const stop = (): void => ending.abort();
      signal.addEventListener('abort', stop, { once: true });
      const running = run(ending.signal, work);
      inUse.set(ending, running);
      try {
        return await running;
      } finally {
        signal.removeEventListener('abort', stop);
        inUse.delete(ending);
        wakeNext();
      }
    },
    close: async () => {
      isClosed = true;
      const ends = [...inUse.values()];
      for (const ending of inUse.keys()) ending.abort();
      await Promise.allSettled(ends);
      await closeIdle();
    },
  };
};
