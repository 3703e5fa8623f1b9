import type { EventBatch } from '../domain/events/eventBatch.js';
import { recordDuration } from '../domain/stats/histogram.js';
import { addGenerated, addTo, readStat, type Stats, setTo } from '../domain/stats/stats.js';
import { MICROS_PER_MS } from '../domain/time/micros.js';
import type { EventProducer, Produced, ProduceRequest } from '../plugins/kit.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Checkpointer } from './checkpoint.js';
import type { Credits } from './demand.js';
import type { Gate } from './gate.js';
import type { Feed } from './schedule/feed.js';
import type { Slice } from './schedule/schedule.js';
import type { Tap } from './tap.js';
import { makeTurn } from './turn.js';

/** A full queue is warned of at most this often. */
const FULL_QUEUE_WARNING_MS = 10_000;

/** Events in order, with the number that acknowledgement counts by. */
export interface SequencedBatch {
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly events: EventBatch;
  /** Monotonic milliseconds at which production ended. */
  readonly producedAtMs: number;
}

export interface ProduceOptions {
  /** Asked before each call: the event plugin may be exchanged between two. */
  readonly producer: () => EventProducer;
  readonly isLive: boolean;
  /** Most events of one batch. */
  readonly max_events: number;
  readonly clock: Clock;
  readonly stats: Stats;
  readonly feed: Pick<Feed, 'isVoid' | 'tagsOf' | 'use'>;
  readonly gate: Pick<Gate, 'closed' | 'enter' | 'leave'>;
  /** One credit per event batch that is not yet delivered. */
  readonly credits: Credits;
  readonly draining: AbortSignal;
  readonly log: Log;
  readonly checkpointer: Pick<Checkpointer, 'enter' | 'leave'>;
  /** Absent where nobody can look on. */
  readonly tap?: Tap;
  /** Called when the producer will give no more events. */
  readonly onExhausted: () => void;
}

/**
 * Turns slices of timestamps into event batches, in order, one call at a time; gives the event loop a
 * turn at least every 10 ms.
 */
export const produce = (options: ProduceOptions) => {
  const { clock, stats, credits, draining, feed, gate } = options;
  let sequence = 0;
  const turn = makeTurn(clock);
  let isExhausted = false;

  /** A live generator whose outputs do not keep up falls behind; somebody should know. */
  let quietUntilMs = 0;
  const warnOfFullQueue = (): void => {
    if (!options.isLive || clock.monotonicMs() < quietUntilMs) return;
    quietUntilMs = clock.monotonicMs() + FULL_QUEUE_WARNING_MS;
    options.log.write('warning', 'outputs are slower than the schedule: events wait and will be late', {
      hint: 'look for a slow or stalled output; queue.max_event_batches is reached',
    });
  };

  const account = (slice: Slice, from: number, produced: Produced): void => {
    countInputs(stats, slice, from, produced.consumed);
    addTo(stats, 'produced', produced.events.count);
    addTo(stats, 'produce_failed', produced.failed);
    addTo(stats, 'dropped', produced.dropped);
    if (options.isLive) recordLateness(stats, slice, from, produced.consumed, clock.now());
  };

  return async function* batches(slice: Slice): AsyncGenerator<SequencedBatch> {
    let from = slice.from;
    const { batch, to } = slice;
    const tagsOf = (index: number): readonly string[] => feed.tagsOf(batch.inputs[index] as number);
    // A live slice was waited for: others had their turn.
    if (options.isLive) turn.begin();
    const hasWork = (): boolean => from < to && !draining.aborted && !isExhausted && !feed.isVoid(batch);
    while (hasWork()) {
      const credit = credits.take();
      if (credit instanceof Promise) warnOfFullQueue();
      if (!(await credit)) break;
      if (turn.isOver()) {
        await clock.yieldTurn();
        turn.begin();
      }
      for (let closed = gate.closed(); closed !== null; closed = gate.closed()) await closed;
      if (!hasWork()) {
        credits.give();
        break;
      }
      const request: ProduceRequest = {
        micros: batch.micros,
        from,
        to: Math.min(to, from + options.max_events),
        tagsOf,
        isSpent: turn.isSpent,
      };
      gate.enter();
      options.checkpointer.enter();
      const result = options.producer().produce(request);
      const produced = result instanceof Promise ? await result : result;
      account(slice, from, produced);
      from += produced.consumed;
      feed.use(batch, from);
      if (produced.exhausted) isExhausted = true;
      const isEmpty = produced.events.count === 0;
      if (!isEmpty) setTo(stats, 'sequence', ++sequence);
      options.checkpointer.leave(sequence);
      gate.leave();
      if (isEmpty) {
        credits.give();
        continue;
      }
      options.tap?.take?.(produced.events);
      yield { sequence, events: produced.events, producedAtMs: clock.monotonicMs() };
    }
    slice.release?.();
    if (isExhausted) options.onExhausted();
  };
};

/** Adds the released timestamps to the counters of their inputs. */
const countInputs = (stats: Stats, slice: Slice, from: number, count: number): void => {
  if (stats.inputCount === 1) return addGenerated(stats, 0, count);
  for (let i = from; i < from + count; i++) addGenerated(stats, slice.batch.inputs[i] as number, 1);
};

/**
 * Lateness of each timestamp of a slice. Runs of equal timestamps are counted in one step; the clock
 * has whole milliseconds, so timestamps within one of them share a bucket.
 */
const recordLateness = (stats: Stats, slice: Slice, from: number, count: number, now: number): void => {
  const { micros } = slice.batch;
  const end = from + count;
  for (let i = from; i < end; ) {
    const first = micros[i] as number;
    let next = i + 1;
    while (next < end && (micros[next] as number) - first < MICROS_PER_MS) next++;
    const late = Math.max(0, now - first);
    recordDuration(stats.lateness, late, next - i);
    addTo(stats, 'lateness_micros', late * (next - i));
    if (late > readStat(stats, 'max_lateness_micros')) setTo(stats, 'max_lateness_micros', late);
    i = next;
  }
};
