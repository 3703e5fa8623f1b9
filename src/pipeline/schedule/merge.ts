import { reasonOf } from '../../domain/errors.js';
import type { EventBatch } from '../../domain/events/eventBatch.js';
import {
  makeTimestampBatch,
  SEARCHING,
  type TimestampBatch,
  WAITING,
} from '../../domain/events/timestampBatch.js';
import { MICROS_PER_SECOND, type Micros, NEVER } from '../../domain/time/micros.js';
import type { Input } from '../../plugins/kit.js';
import type { Clock } from '../../ports/clock.js';
import type { Deal, Stream } from './deal.js';

/** Timestamps read ahead of an input: few at first, so that a thousand slow generators start at once, then more. */
const FIRST_LOOK_AHEAD = 16;
const MAX_LOOK_AHEAD = 4_096;
/** Runs shorter than this are faster to copy one by one. */
const SHORT_RUN = 32;

interface Source {
  readonly input: Input;
  readonly number: number;
  ahead: Float64Array;
  length: number;
  at: number;
  isEnded: boolean;
  /** Its next timestamp is not known: it needs sizes of events, or is searching. */
  isWaiting: boolean;
  isSearching: boolean;
}

/** Time of the next timestamp of an input that waits: earlier than all, as the others must not overtake it. */
export const UNKNOWN: Micros = Number.NEGATIVE_INFINITY;

/** Timestamps of several inputs as one stream in time order; ties in the order of the inputs. */
export interface Merged extends Stream {
  /** The next timestamp, not taken; `NEVER` when all inputs have ended, `UNKNOWN` while one waits or searches. */
  readonly peek: () => Micros;
  readonly failures: () => number;
}

/** End of the run of timestamps before `end`, at most `room` long. */
const endOfRun = ({ ahead, length, at }: Source, room: number, end: Micros): number => {
  const most = Math.min(at + room, length);
  // The usual case: a dense schedule, or the only one.
  if ((ahead[most - 1] as Micros) < end) return most;
  // No binary search: alternating inputs have short runs, and it takes half as long again.
  let to = at;
  while ((ahead[to] as Micros) < end) to++;
  return to;
};

const moveTo = (into: TimestampBatch, source: Source, to: number): void => {
  const { micros, inputs, length } = into;
  const { ahead, at, number } = source;
  const end = length + to - at;
  if (to - at < SHORT_RUN) {
    for (let i = at, target = length; i < to; i++, target++) {
      micros[target] = ahead[i] as Micros;
      inputs[target] = number;
    }
  } else {
    micros.set(ahead.subarray(at, to), length);
    inputs.fill(number, length, end);
  }
  into.length = end;
  source.at = to;
};

/**
 * Merges inputs. One that throws is reported through `onFailure` and dropped; the others go on. With a `deal`, the
 * timestamps of other partitions are left out.
 */
export const merge = (
  inputs: readonly Input[],
  onFailure: (number: number, reason: string) => void,
  deal: Deal | null = null,
): Merged => {
  let failures = 0;
  const sources: Source[] = inputs.map((input, number) => ({
    input,
    number,
    ahead: new Float64Array(FIRST_LOOK_AHEAD),
    length: 0,
    at: 0,
    isEnded: false,
    isWaiting: false,
    isSearching: false,
  }));

  const refill = (source: Source): void => {
    if (source.length === source.ahead.length && source.length < MAX_LOOK_AHEAD) {
      source.ahead = new Float64Array(source.length * 4);
    }
    source.at = 0;
    try {
      // An input plugin, for example `src/plugins/inputs/cron/plugin.ts`.
      const count = source.input.fill(source.ahead);
      source.isSearching = count === SEARCHING;
      source.isWaiting = source.isSearching || count === WAITING;
      source.length = Math.max(0, count);
    } catch (thrown) {
      source.length = 0;
      source.isSearching = false;
      source.isWaiting = false;
      failures++;
      onFailure(source.number, reasonOf(thrown));
    }
    if (source.length === 0 && !source.isWaiting) source.isEnded = true;
  };

  const headOf = (source: Source): Micros => {
    if (source.at === source.length && !source.isEnded) refill(source);
    if (source.at < source.length) return source.ahead[source.at] as number;
    return source.isWaiting ? UNKNOWN : NEVER;
  };

  /** The earliest source, and the instant up to which it stays the earliest: its run is copied without comparing. */
  const earliest = (): { readonly source: Source | null; readonly end: Micros } => {
    let best: Source | null = null;
    let bestHead = NEVER;
    let next: Source | null = null;
    let nextHead = NEVER;
    for (const source of sources) {
      const head = headOf(source);
      if (head < bestHead) {
        next = best;
        nextHead = bestHead;
        best = source;
        bestHead = head;
      } else if (head < nextHead) {
        next = source;
        nextHead = head;
      }
    }
    const isTieMine = best !== null && next !== null && best.number < next.number;
    return { source: best, end: isTieMine ? nextHead + 1 : nextHead };
  };

  /** Drops the next `most` timestamps earlier than `before`; returns their number. */
  const drop = (most: number, before: Micros): number => {
    let left = most;
    while (left > 0) {
      const { source, end } = earliest();
      if (source === null || source.isWaiting || headOf(source) >= before) break;
      const count = endOfRun(source, left, Math.min(end, before)) - source.at;
      source.at += count;
      deal?.drop(count, source.number);
      left -= count;
    }
    return most - left;
  };

  return {
    peek: () => {
      const gap = deal?.gap() ?? 0;
      if (gap > 0 && drop(gap, NEVER) < gap && sources.some(({ isWaiting }) => isWaiting)) return UNKNOWN;
      const { source } = earliest();
      return source === null ? NEVER : headOf(source);
    },
    searchedTo: () => {
      const source = sources.find(({ isSearching }) => isSearching);
      return source === undefined ? null : (source.input.searchedTo?.() ?? UNKNOWN);
    },
    dropBefore: (before, most) =>
      drop(most, before) === most || sources.some(({ isSearching }) => isSearching),
    take: (into, limit, before) => {
      into.endsBlockOf = null;
      while (into.length < limit) {
        const { source, end } = earliest();
        if (source === null || source.isWaiting || headOf(source) >= before) return;
        const want = limit - into.length;
        const to = endOfRun(source, deal === null ? want : deal.runOf(want), Math.min(end, before));
        if (deal === null) moveTo(into, source, to);
        else {
          deal.pass(source.ahead, source.at, to - source.at, source.number, into);
          source.at = to;
        }
        if (source.at === source.length && source.input.sizes?.isBlockGiven() === true) {
          into.endsBlockOf = source.number;
          return;
        }
      }
    },
    failures: () => failures,
  };
};

/** Events per batch when only `batch.delay` is set. */
const DEFAULT_BATCH_SIZE = 10_000;
/** Timestamps per batch when nothing waits: enough for several event batches, so few of those are cut short. */
const UNHURRIED_SIZE = 32_768;
const FIRST_CAPACITY = 64;

export interface BatchLimits {
  readonly size: number | null;
  /** Seconds of timestamp time; bounds the look-ahead in live mode, ignored in sample mode. */
  readonly delay: number | null;
  /** Longest time within a batch, in sample mode too. Undefined when inputs may be read far ahead. */
  readonly span?: Micros;
}

export const eventsPerBatch = ({ size }: BatchLimits): number => size ?? DEFAULT_BATCH_SIZE;

/** Batches of a merged stream; their memory is reused. */
export interface Batches {
  /** `null` at the end. */
  readonly next: () => TimestampBatch | null;
  /** Takes a used batch back, to be filled again. */
  readonly give: (batch: TimestampBatch) => void;
}

/** Cuts a merged stream into batches. `present`: the clock of live mode; what it has passed need not wait for a batch. */
export const batcher = (merged: Merged, limits: BatchLimits, present: Pick<Clock, 'now'> | null): Batches => {
  const isLive = present !== null;
  const most = eventsPerBatch(limits);
  /** Rounds down to whole event batches: only the last one should be smaller. */
  const whole = (count: number): number => (count < most ? count : count - (count % most));
  const size = isLive ? most : Math.max(most, whole(UNHURRIED_SIZE));
  const delay = isLive && limits.delay !== null ? limits.delay * MICROS_PER_SECOND : Number.POSITIVE_INFINITY;
  const span = Math.min(delay, limits.span ?? Number.POSITIVE_INFINITY);
  const spare: TimestampBatch[] = [];
  let capacity = Math.min(size, whole(FIRST_CAPACITY));

  return {
    next: () => {
      const first = merged.peek();
      // Asked again, an input that searches could have found one, and nobody would know that there are more.
      if (first === UNKNOWN) return null;
      const batch = spare.pop() ?? makeTimestampBatch(capacity);
      batch.length = 0;
      const limit = Math.min(size, batch.micros.length);
      const end = first + span;
      merged.take(batch, limit, present === null ? end : Math.max(end, present.now()));
      if (batch.length === 0) return null;
      if (batch.length === capacity) capacity = Math.min(size, whole(capacity * 4));
      return batch;
    },
    give: (batch) => {
      if (batch.micros.length === capacity) spare.push(batch);
    },
  };
};

/** Tells the sizes of events to the inputs with a target in bytes. */
export interface Sizes {
  /** `events` were made of the timestamps `from <= i < to` of a batch. True: a block ended, so its input goes on. */
  readonly add: (batch: TimestampBatch, from: number, to: number, events: EventBatch) => boolean;
}

export const sizesFor = (inputs: readonly Input[]): Sizes => {
  const meters = inputs.map(({ sizes }) => sizes);
  for (const meter of meters) meter?.attach();
  if (meters.every((meter) => meter === undefined)) return { add: () => false };
  return {
    add: (batch, from, to, events) => {
      // As lines: the form that most outputs need, too.
      const bytes = events.bytes('\n').length;
      for (const meter of meters) meter?.add(to - from, bytes);
      if (batch.endsBlockOf === null || to < batch.length) return false;
      meters[batch.endsBlockOf]?.endBlock();
      return true;
    },
  };
};
