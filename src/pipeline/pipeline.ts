import * as E from 'fp-ts/lib/Either.js';
import { concat, concatMap, defer, finalize, ignoreElements, merge, mergeMap, type Observable } from 'rxjs';
import { failure, type Result, type SpateError } from '../domain/errors.js';
import { type Stats, setTo } from '../domain/stats/stats.js';
import type { Micros } from '../domain/time/micros.js';
import type { EventProducer } from '../plugins/kit.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Checkpointer } from './checkpoint.js';
import type { RetryPolicy } from './delivery/attempts.js';
import { deliver } from './delivery/deliver.js';
import type { Destination } from './delivery/writer.js';
import { makeCredits, makeGate } from './gate.js';
import { produce, type Tap } from './produce.js';
import type { Dealt, FeedPartition } from './schedule/deal.js';
import { demand, type Feed, type FeedInputs, makeFeed } from './schedule/feed.js';
import { type BatchLimits, eventsPerBatch } from './schedule/merge.js';
import { requested } from './schedule/requests.js';
import { schedule } from './schedule/schedule.js';

export interface PipelineParts extends FeedInputs {
  readonly producer: EventProducer;
  readonly destinations: readonly Destination[];
  readonly isLive: boolean;
  /** The stream begins before the run: what is due before it is no delay. Undefined means false. */
  readonly startsInPast?: boolean;
  readonly batch: BatchLimits;
  readonly queue: { readonly max_timestamp_batches: number; readonly max_event_batches: number };
  readonly keep_order: boolean;
  readonly max_concurrency: number;
  readonly write_timeout_ms: number;
  readonly retry: RetryPolicy;
  /** Uniform in [0, 1), for backoff. */
  readonly random: () => number;
  readonly clock: Clock;
  readonly stats: Stats;
  readonly log: Log;
  readonly checkpointer: Checkpointer;
  readonly tap?: Tap;
  /** Stop pulling; produced events are still delivered. */
  readonly draining: AbortController;
  /** The last timestamp of an earlier run of the stream. Null when the stream begins. */
  readonly lastBefore: Micros | null;
  /** The partition that is run. Null when the generator has no partitions. */
  readonly partition?: FeedPartition | null;
  /** Give up everything at once. */
  readonly signal: AbortSignal;
  readonly onInputFailure: (number: number, reason: string) => void;
  /** The readers of all outputs have gone: drain. */
  readonly onAllGone: (error: SpateError) => void;
}

/** Replacements applied while the pipeline runs. A part that is null is not replaced. */
export interface Exchange {
  readonly feed: FeedInputs | null;
  readonly producer: EventProducer | null;
  readonly destinations: readonly Destination[] | null;
  readonly onCommit: () => void;
  /** A former destination has delivered what it had. */
  readonly onLeft: (former: Destination) => void;
}

/** Makes the replacements. New inputs begin after the timestamp `after`, which is null before the first event. */
export type PrepareExchange = (after: Micros | null) => Promise<Result<Exchange>>;

export interface Pipeline {
  /**
   * Emits the sequence number of each accepted batch. Completes once the inputs have ended, the producer is exhausted
   * or `draining` is aborted, and every write has ended.
   */
  readonly flow: Observable<number>;
  /** The last timestamp that an event was made of; `null` before the first. */
  readonly last: () => Micros | null;
  /** Position of a partition after the last timestamp that an event was made of. */
  readonly dealt: () => Dealt | null;
  readonly failedInputs: () => number;
  /** Whether the event plugin ended the stream: it has no more events, or a limit is reached. */
  readonly isExhausted: () => boolean;
  /** Exchanges parts between two calls of the event plugin, one at a time. Nothing has changed after an error. */
  readonly exchange: (prepare: PrepareExchange) => Promise<Result<void>>;
}

/** Where new inputs begin: now, or the last used timestamp in sample mode and where the generator is late. */
const positionOf = (feed: Feed, isLive: boolean, now: Micros): Micros | null =>
  isLive && feed.next() > now ? now : feed.last();

/**
 * The way of a tick, from input to sink: inputs are merged, cut into batches, scheduled, joined by requested timestamps,
 * produced as events, formatted and delivered to every destination. Credits bound the batches in flight on each side of `produce`.
 */
export const pipeline = (parts: PipelineParts): Pipeline => {
  const { clock, stats, isLive } = parts;
  const draining = parts.draining.signal;
  const timestampCredits = makeCredits(parts.queue.max_timestamp_batches, draining);
  // Not ended by `draining`: requests that were accepted still become events.
  const eventCredits = makeCredits(parts.queue.max_event_batches, parts.signal);
  const pastUntil = isLive && parts.startsInPast === true ? clock.now() : null;
  const feed = makeFeed({ ...parts, draining });
  const gate = makeGate(clock);
  let { producer } = parts;
  let hasEnded = false;
  let isExhausted = false;
  const delivery = deliver({
    ...parts,
    max_event_batches: parts.queue.max_event_batches,
    onLowWater: (sequence) => {
      setTo(stats, 'low_water', sequence);
      parts.checkpointer.onLowWater(sequence);
    },
  });

  const scheduled = demand(timestampCredits, feed, clock, parts.isLive).pipe(
    concatMap(schedule({ isLive, pastUntil, clock, log: parts.log, draining, feed })),
  );
  const size = eventsPerBatch(parts.batch);
  const flow = merge(scheduled, requested({ inputs: parts.inputs, clock, size, draining })).pipe(
    concatMap(
      produce({
        producer: () => producer,
        isLive,
        pastUntil,
        max_events: size,
        clock,
        stats,
        feed,
        gate,
        credits: eventCredits,
        draining,
        log: parts.log,
        checkpointer: parts.checkpointer,
        ...(parts.tap === undefined ? {} : { tap: parts.tap }),
        needsTags: delivery.needsTags,
        needsTimes: delivery.needsTimes,
        onExhausted: () => {
          isExhausted = true;
          parts.draining.abort();
        },
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
    finalize(() => {
      hasEnded = true;
    }),
  );

  const exchange = async (prepare: PrepareExchange): Promise<Result<void>> => {
    const prepared = await prepare(positionOf(feed, isLive, clock.now()));
    if (E.isLeft(prepared)) return prepared;
    if (draining.aborted || hasEnded) return E.left(failure('wrong_state', 'the generator has ended'));
    const { right: next } = prepared;
    next.onCommit();
    if (next.producer !== null) producer = next.producer;
    if (next.destinations !== null) delivery.exchange(next.destinations, next.onLeft);
    if (next.feed !== null) feed.exchange(next.feed);
    return E.right(undefined);
  };

  return {
    flow: concat(flow, defer(delivery.finish).pipe(ignoreElements())),
    last: feed.last,
    dealt: feed.dealt,
    failedInputs: feed.failures,
    isExhausted: () => isExhausted,
    exchange: (prepare) => gate.hold(() => exchange(prepare)),
  };
};
