import * as E from 'fp-ts/lib/Either.js';
import { header } from '../contract/exposition.js';
import { GENERATOR_FAMILIES, type MetricRow, metricRow } from '../contract/metrics.js';
import { type ProcessFigures, processMetrics } from '../contract/processMetrics.js';
import { failure, type Result } from '../domain/errors.js';
import type { Board } from '../domain/stats/board.js';
import { copyStats } from '../domain/stats/stats.js';
import type { Clock } from '../ports/clock.js';

/** Concurrent readers: each holds a copy of all counters. */
const MAX_READERS = 8;
/** Maximum milliseconds before the event loop gets a turn. */
const TURN_MS = 5;
const PIECE_CHARS = 65_536;
/** Generators copied between two looks at the clock. */
const COPY_RUN = 200;

interface MetricsOptions {
  readonly board: Board;
  readonly clock: Clock;
  readonly figures: () => ProcessFigures;
}

interface MetricsReader {
  /** Returns the error `too_many_requests` when there are too many readers. */
  readonly open: () => Result<AsyncIterable<Uint8Array>>;
}

/** The text in chunks, with turns of the event loop in between. */
async function* textOf({ board, clock, figures }: MetricsOptions): AsyncGenerator<Uint8Array> {
  let turnEndsAt = clock.monotonicMs() + TURN_MS;
  const turn = async (): Promise<void> => {
    if (clock.monotonicMs() < turnEndsAt) return;
    await clock.yieldTurn();
    turnEndsAt = clock.monotonicMs() + TURN_MS;
  };
  const rows: MetricRow[] = [];
  for (const [id, row] of [...board.rows()]) {
    const stats = row.stats === null ? null : copyStats(row.stats);
    rows.push(metricRow(id, row, board.restartsOf(id), stats));
    if (rows.length % COPY_RUN === 0) await turn();
  }
  let piece = processMetrics(figures());
  for (const family of GENERATOR_FAMILIES) {
    piece += header(family);
    for (const row of rows) {
      piece += family.lines(row);
      if (piece.length < PIECE_CHARS) continue;
      yield Buffer.from(piece, 'utf8');
      piece = '';
      await turn();
    }
    await turn();
  }
  yield Buffer.from(piece, 'utf8');
}

/** The same chunks; `onEnd` is called once when they end or the reader leaves. */
const ending = (chunks: AsyncGenerator<Uint8Array>, onEnd: () => void): AsyncIterable<Uint8Array> => {
  let isOver = false;
  const end = (): void => {
    if (!isOver) onEnd();
    isOver = true;
  };
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    try {
      const got = await chunks.next();
      if (got.done === true) end();
      return got as IteratorResult<Uint8Array, undefined>;
    } catch (thrown) {
      end();
      throw thrown;
    }
  };
  const finish = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    end();
    await chunks.return(undefined);
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: finish }) };
};

/** Metrics from shared memory, without a message to a pipeline. */
export const metricsReader = (options: MetricsOptions): MetricsReader => {
  let readers = 0;
  return {
    open: () => {
      if (readers >= MAX_READERS)
        return E.left(failure('too_many_requests', 'Too many clients read the metrics. Try again.'));
      readers++;
      return E.right(
        ending(textOf(options), () => {
          readers--;
        }),
      );
    },
  };
};
