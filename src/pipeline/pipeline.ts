import { concat, concatMap, defer, ignoreElements, mergeMap, type Observable } from 'rxjs';
import type { SpateError } from '../domain/errors.js';
import type { Stats } from '../domain/stats.js';
import { setTo } from '../domain/stats.js';
import type { EventProducer, Input } from '../plugins/kit.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { acknowledger } from './acknowledge.js';
import { type BatchLimits, batcher } from './batch.js';
import type { Checkpointer } from './checkpoint.js';
import { deliver } from './deliver.js';
import { demand, makeCredits } from './demand.js';
import { merge } from './merge.js';
import { produce } from './produce.js';
import type { RetryPolicy } from './retry.js';
import { schedule } from './schedule.js';
import type { Destination } from './writer.js';

/** Everything that a pipeline joins; all of it is open. */
export interface PipelineParts {
  readonly inputs: readonly Input[];
  readonly tags: readonly (readonly string[])[];
  readonly producer: EventProducer;
  readonly destinations: readonly Destination[];
  readonly isLive: boolean;
  readonly batch: BatchLimits;
  readonly queue: { readonly max_timestamp_batches: number; readonly max_event_batches: number };
  readonly keep_order: boolean;
  readonly max_concurrency: number;
  readonly write_timeout_ms: number;
  readonly retry: RetryPolicy;
  /** Uniform in [0, 1), for the pauses between attempts. */
  readonly random: () => number;
  readonly clock: Clock;
  readonly stats: Stats;
  readonly log: Log;
  readonly checkpointer: Checkpointer;
  /** Stop pulling; what is produced is still delivered. */
  readonly draining: AbortController;
  /** Give up everything at once. */
  readonly signal: AbortSignal;
  readonly onInputFailure: (number: number, reason: string) => void;
  /** The readers of all outputs have gone; the pipeline should drain. */
  readonly onAllGone: (error: SpateError) => void;
}

/**
 * A tick from input to sink: timestamps are merged, cut into batches, held until due, turned into
 * events, and delivered to every destination. Emits the sequence number of each batch that is accepted;
 * completes when all inputs have ended, the producer is exhausted, or draining is over, and every write
 * has ended.
 */
export const pipeline = (parts: PipelineParts): Observable<number> => {
  const { clock, stats, isLive } = parts;
  const draining = parts.draining.signal;
  const timestampCredits = makeCredits(parts.queue.max_timestamp_batches, draining);
  const eventCredits = makeCredits(parts.queue.max_event_batches, draining);
  const batches = batcher(merge(parts.inputs, parts.onInputFailure), parts.batch, isLive);
  const acknowledge = acknowledger((lowWater) => {
    setTo(stats, 'low_water', lowWater);
    parts.checkpointer.onLowWater(lowWater);
  });
  const delivery = deliver({
    ...parts,
    max_event_batches: parts.queue.max_event_batches,
    onDone: acknowledge.done,
  });

  const flow = demand(timestampCredits, batches).pipe(
    concatMap(schedule({ isLive, clock, draining })),
    concatMap(
      produce({
        producer: parts.producer,
        isLive,
        clock,
        stats,
        tags: parts.tags,
        credits: eventCredits,
        draining,
        log: parts.log,
        checkpointer: parts.checkpointer,
        onExhausted: () => parts.draining.abort(),
      }),
    ),
    mergeMap(
      async (batch) => {
        await delivery.accept(batch);
        eventCredits.give();
        return batch.sequence;
      },
      parts.keep_order ? 1 : Number.POSITIVE_INFINITY,
    ),
  );
  return concat(flow, defer(delivery.finish).pipe(ignoreElements()));
};
