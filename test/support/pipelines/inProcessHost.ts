import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf, type SpateError } from '../../../src/domain/errors.js';
import type { PipelineEvent, PipelineHost, PipelineOrder } from '../../../src/host/port.js';

/** Runs one order on this thread, like `src/worker/job.ts`. */
export type RunHere = (
  order: PipelineOrder,
  around: {
    readonly draining: AbortController;
    readonly signal: AbortSignal;
    readonly onRunning: () => void;
  },
) => Promise<Result<'completed' | 'drained'>>;

/** A host without threads: nothing isolates generators from each other. */
export const inProcessHost = (run: RunHere, drainReason: string): PipelineHost => ({
  start: (order, listener) => {
    const draining = new AbortController();
    const ending = new AbortController();
    let isLeft = false;
    const tell = (event: PipelineEvent): void => {
      if (!isLeft) listener(event);
    };
    const bug = (thrown: unknown): SpateError => failure('bug', `the pipeline threw: ${reasonOf(thrown)}`);
    run(order, { draining, signal: ending.signal, onRunning: () => tell({ type: 'running' }) }).then(
      (ended) =>
        tell(
          E.isLeft(ended) ? { type: 'failed', error: ended.left, isDisplaced: false } : { type: ended.right },
        ),
      (thrown: unknown) => tell({ type: 'failed', error: bug(thrown), isDisplaced: false }),
    );
    return {
      patch: async () => E.left(failure('wrong_state', 'a pipeline in this process is not patched')),
      tail: () => {},
      drain: () => draining.abort(drainReason),
      giveUp: () => ending.abort(),
      abort: () => {
        isLeft = true;
        ending.abort();
        draining.abort(drainReason);
      },
    };
  },
});
