import type { EventBatch } from '../domain/events/eventBatch.js';
import { recordDuration } from '../domain/stats/histogram.js';
import {
  addGenerated,
  addTo,
  addToTemplate,
  noteWork,
  readStat,
  type Stats,
  setTo,
} from '../domain/stats/stats.js';
import { MICROS_PER_MS, type Micros } from '../domain/time/micros.js';
import type { EventProducer, Produced, ProduceRequest } from '../plugins/kit.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Checkpointer } from './checkpoint.js';
import type { Credits, Gate } from './gate.js';
import type { Feed } from './schedule/feed.js';
import { isOwed, type Slice } from './schedule/schedule.js';

/** Shortest time between two warnings about a full queue. */
const FULL_QUEUE_WARNING_MS = 10_000;

/** Events in order, with the number that acknowledgement counts by. */
export interface SequencedBatch {
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly events: EventBatch;
  /** Number of its first event in the stream, from 0, earlier runs included. */
  readonly firstEvent: number;
  /** Numbers of its events in the stream. Undefined when they follow each other. */
  readonly ordinals?: readonly number[];
  /** Time of each event, such as for outputs with some imperfections. Undefined when no output asked for it. */
  readonly times?: Float64Array;
  /** Tags of the timestamps of all its events. Empty with several inputs when no output asked for tags. */
  readonly tags: readonly string[];
  /** Monotonic milliseconds at the end of production. */
  readonly producedAtMs: number;
}

export interface ProduceOptions {
  /** Called before each call of the event plugin: a patch may exchange it in between. */
  readonly producer: () => EventProducer;
  readonly isLive: boolean;
  /** Timestamps before it are not late. Null when all count. */
  readonly pastUntil: Micros | null;
  readonly max_events: number;
  readonly clock: Clock;
  readonly stats: Stats;
  readonly feed: Pick<Feed, 'isVoid' | 'tagsOf' | 'markUsed'>;
  readonly gate: Pick<Gate, 'closed' | 'enter' | 'leave'>;
  /** One credit per event batch that is not yet delivered. */
  readonly credits: Credits;
  readonly draining: AbortSignal;
  readonly log: Log;
  readonly checkpointer: Pick<Checkpointer, 'enter' | 'leave'>;
  readonly tap?: Tap;
  /** An output chooses events by their tags: each batch then holds events of the same tags. */
  readonly needsTags: () => boolean;
  /** An output asks for the time of each event. */
  readonly needsTimes: () => boolean;
  readonly onExhausted: () => void;
}

/** Turns slices of timestamps into event batches: in order, one call at a time, yielding at least every 10 ms. */
export const produce = (options: ProduceOptions) => {
  const { clock, stats, credits, draining, feed, gate } = options;
  let sequence = 0;
  const turn = makeTurn(clock);
  let isExhausted = false;

  let quietUntilMs = 0;
  const pastUntil = options.pastUntil ?? Number.NEGATIVE_INFINITY;
  const warnOfFullQueue = (due: Micros): void => {
    if (!options.isLive) return;
    const isQuiet = due < pastUntil || clock.monotonicMs() < quietUntilMs;
    // Nor at once after the past, whose events are still in the queue.
    if (!isQuiet || due < pastUntil) quietUntilMs = clock.monotonicMs() + FULL_QUEUE_WARNING_MS;
    if (isQuiet) return;
    options.log.write('warning', 'the outputs fall behind the schedule: events will be late', {
      hint: 'look for a slow or stalled output; queue.max_event_batches is reached',
    });
  };

  const account = (slice: Slice, from: number, produced: Produced): void => {
    countInputs(stats, slice, from, produced.consumed);
    addTo(stats, 'produced', produced.events.count);
    addTo(stats, 'produce_failed', produced.failed);
    addTo(stats, 'dropped', produced.dropped);
    countTemplates(stats, produced);
    if (options.isLive) {
      const end = from + produced.consumed;
      recordLateness(stats, slice, firstDue(slice.batch.micros, from, end, pastUntil), end, clock.now());
    }
  };

  return async function* batches(slice: Slice): AsyncGenerator<SequencedBatch> {
    let from = slice.from;
    const { batch, to } = slice;
    const inputOf = (index: number): number => batch.inputs[index] as number;
    const tagsOf = (index: number): readonly string[] => feed.tagsOf(inputOf(index));
    // Live slices yield while waiting, so the turn starts now.
    if (options.isLive) turn.begin();
    const isStopped = (): boolean => isExhausted || (draining.aborted && !isOwed(slice));
    const hasWork = (): boolean => from < to && !isStopped() && !feed.isVoid(batch);
    while (hasWork()) {
      const credit = credits.take();
      const isBlocked = credit instanceof Promise;
      if (isBlocked) {
        warnOfFullQueue(batch.micros[from] as Micros);
        setTo(stats, 'is_blocked', 1);
      }
      const isTaken = await credit;
      if (isBlocked) setTo(stats, 'is_blocked', 0);
      if (!isTaken) break;
      if (turn.isOver()) {
        await clock.yieldTurn();
        turn.begin();
      }
      for (let closed = gate.closed(); closed !== null; closed = gate.closed()) await closed;
      if (!hasWork()) {
        credits.give();
        break;
      }
      const end = Math.min(to, from + options.max_events);
      const isSplit = stats.inputCount > 1 && options.needsTags();
      const tags = isSplit || stats.inputCount === 1 ? tagsOf(from) : NO_TAGS;
      const request: ProduceRequest = {
        micros: batch.micros,
        from,
        to: isSplit ? endOfSameTags(batch.inputs, tagsOf, from, end) : end,
        tagsOf,
        inputOf,
        isSpent: turn.isSpent,
      };
      gate.enter();
      options.checkpointer.enter();
      // The event plugin, for example `src/plugins/events/template/producer.ts`.
      const startedAtMs = clock.monotonicMs();
      const result = options.producer().produce(request);
      noteWork(stats, clock.monotonicMs() - startedAtMs);
      const produced = result instanceof Promise ? await result : result;
      const firstEvent = readStat(stats, 'produced_before') + readStat(stats, 'produced');
      account(slice, from, produced);
      const times = options.needsTimes() ? timesOf(slice, from, produced) : null;
      from += produced.consumed;
      feed.markUsed(batch, from, produced.events);
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
      const producedAtMs = clock.monotonicMs();
      const made = { sequence, events: produced.events, firstEvent, tags, producedAtMs };
      yield times === null ? made : { ...made, times };
    }
    slice.release?.();
    if (isExhausted) options.onExhausted();
  };
};

/** Exact where each timestamp made as many events; else spread evenly over the timestamps. */
const timesOf = ({ batch }: Slice, from: number, { consumed, events, used }: Produced): Float64Array => {
  const times = used ?? batch.micros.subarray(from, from + consumed);
  return Float64Array.from(
    { length: events.count },
    (_, index) => times[Math.floor((index * times.length) / events.count)] as number,
  );
};

const NO_TAGS: readonly string[] = Object.freeze([]);

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((tag, index) => tag === b[index]));

/** End of the timestamps from `from` on whose inputs have the same tags. */
const endOfSameTags = (
  inputs: Uint16Array,
  tagsOf: (index: number) => readonly string[],
  from: number,
  end: number,
): number => {
  const first = inputs[from];
  const tags = tagsOf(from);
  let at = from + 1;
  while (at < end && (inputs[at] === first || isSame(tagsOf(at), tags))) at++;
  return at;
};

const countInputs = (stats: Stats, slice: Slice, from: number, count: number): void => {
  if (stats.inputCount === 1) return addGenerated(stats, 0, count);
  for (let i = from; i < from + count; i++) addGenerated(stats, slice.batch.inputs[i] as number, 1);
};

const countTemplates = (stats: Stats, { templates }: Produced): void => {
  if (templates === undefined || stats.templateCount === 0) return;
  for (let i = 0; i < templates.length; i++) addToTemplate(stats, templates[i] as number, 1);
};

/** Index in `[from, end]` of the first timestamp at or after `due`. */
const firstDue = (micros: Float64Array, from: number, end: number, due: Micros): number => {
  let at = from;
  while (at < end && (micros[at] as Micros) < due) at++;
  return at;
};

/** Records lateness. Timestamps within one millisecond are counted in one step: the clock is no finer. */
const recordLateness = (stats: Stats, slice: Slice, from: number, end: number, now: number): void => {
  const { micros } = slice.batch;
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

/** Longest run of production before the event loop gets a turn for PATCH, stop and heartbeats. */
const TURN_MS = 10;

/** Most calls of `isSpent` that one reading of the clock serves, */
const MAX_CALLS_PER_READING = 16;
/** while readings are closer than this: sixteen slow events would make a turn long. */
const QUICK_MS = 1;

/** How long production has run without yielding. */
export interface Turn {
  readonly begin: () => void;
  readonly isOver: () => boolean;
  /** The same for every event: reading the clock costs as much as a small event, so most calls do not. */
  readonly isSpent: () => boolean;
}

export const makeTurn = ({ monotonicMs }: Pick<Clock, 'monotonicMs'>): Turn => {
  let endsAt = 0;
  let readAt = 0;
  let callsLeft = 0;
  let callsPerReading = 1;
  const begin = (): void => {
    readAt = monotonicMs();
    endsAt = readAt + TURN_MS;
    callsLeft = 0;
  };
  const isOver = (): boolean => {
    const now = monotonicMs();
    callsPerReading = now - readAt < QUICK_MS ? Math.min(callsPerReading * 2, MAX_CALLS_PER_READING) : 1;
    readAt = now;
    callsLeft = callsPerReading - 1;
    return now >= endsAt;
  };
  begin();
  return {
    begin,
    isOver,
    isSpent: () => {
      if (callsLeft === 0) return isOver();
      callsLeft--;
      return false;
    },
  };
};

/** Copies produced events to viewers. Without any it costs one comparison per batch. */
export interface Tap {
  /** Takes the events of a batch. Null when there is no viewer. */
  take: ((events: EventBatch) => void) | null;
}

export const makeTap = (): Tap => ({ take: null });
