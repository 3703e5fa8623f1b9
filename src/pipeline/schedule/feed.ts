import { Observable } from 'rxjs';
import type { EventBatch } from '../../domain/events/eventBatch.js';
import { REQUESTED, type TimestampBatch } from '../../domain/events/timestampBatch.js';
import { MICROS_PER_MINUTE, type Micros, NEVER } from '../../domain/time/micros.js';
import { ENDED } from '../../domain/waiting.js';
import type { Input } from '../../plugins/kit.js';
import type { Clock } from '../../ports/clock.js';
import type { Credits } from '../gate.js';
import { type Dealt, type FeedPartition, type Follower, makeFollower } from './deal.js';
import {
  type Batches,
  type BatchLimits,
  batcher,
  type Merged,
  merge,
  type Sizes,
  sizesFor,
} from './merge.js';

/** Inputs of a generator with the tags of each, by its number from 0; frozen. */
export interface FeedInputs {
  readonly inputs: readonly Input[];
  readonly tags: readonly (readonly string[])[];
}

/** Timestamps in batches, from inputs that a patch may exchange. Batches of former inputs become void. */
export interface Feed {
  /** Returns the next batch, or null when all inputs have ended or one waits for sizes. */
  readonly take: () => TimestampBatch | null;
  /**
   * Waits after `take` has returned null. Resolves with true when an exchange brought new inputs or an input got its
   * sizes, with false at the end.
   */
  readonly hasMore: () => Promise<boolean>;
  readonly giveBack: (batch: TimestampBatch) => void;
  readonly isVoid: (batch: TimestampBatch) => boolean;
  /** `events` were made of the next timestamps of a batch, up to the first `used`. */
  readonly markUsed: (batch: TimestampBatch, used: number, events: EventBatch) => void;
  /** The last timestamp that an event was made of; `null` before the first. */
  readonly last: () => Micros | null;
  /** The first timestamp that no event was made of; `NEVER` at the end. */
  readonly next: () => Micros;
  readonly tagsOf: (input: number) => readonly string[];
  /** An input plays a recording: the spacing of its timestamps counts. */
  readonly isRecorded: () => boolean;
  /** Ends the wait for a timestamp: at an exchange and with `draining`. */
  readonly waiting: () => AbortSignal;
  /** Up to where an input that still searches has looked: `take` found nothing. Null when none is searching. */
  readonly searchedTo: () => Micros | null;
  readonly failures: () => number;
  /** Position of a partition after the last timestamp that an event was made of. Null without partitions. */
  readonly dealt: () => Dealt | null;
  /** Skips what a partition that rejoins has missed. Call it before the first `take`. */
  readonly skipMissed: (clock: Pick<Clock, 'yieldTurn'>) => Promise<void>;
  readonly exchange: (next: FeedInputs) => void;
}

export interface FeedOptions extends FeedInputs {
  readonly batch: BatchLimits;
  readonly isLive: boolean;
  readonly clock: Pick<Clock, 'now'>;
  readonly draining: AbortSignal;
  readonly lastBefore: Micros | null;
  /** The partition that the feed is for. Null when the feed has all timestamps. */
  readonly partition?: FeedPartition | null;
  readonly onInputFailure: (number: number, reason: string) => void;
}

const NO_TAGS: readonly string[] = Object.freeze([]);

export const makeFeed = (options: FeedOptions): Feed => {
  const { draining } = options;
  const follower: Follower | null =
    options.partition == null ? null : makeFollower(options.partition, options.inputs.length);
  let epoch = 0;
  let sizes: Sizes;
  let endedBlocks = 0;
  let last = options.lastBefore;
  let tags: FeedInputs['tags'] = [];
  let isRecorded = false;
  let merged: Merged;
  let batches: Batches;
  let waiting = new AbortController();
  /** Taken and not given back, oldest first. */
  let inFlight: TimestampBatch[] = [];
  /** Called at an exchange, when the last batch comes back, and at the end. */
  let onChange: (() => void) | null = null;

  const load = (next: FeedInputs): void => {
    epoch++;
    tags = next.tags;
    isRecorded = next.inputs.some(({ records }) => records !== undefined);
    sizes = sizesFor(next.inputs);
    merged = merge(next.inputs, options.onInputFailure, follower?.deal);
    // A minute of a world takes time and memory: no more of them are computed than needed.
    const hasActivities = next.inputs.some(({ activities }) => activities !== undefined);
    const limits = hasActivities ? { ...options.batch, span: MICROS_PER_MINUTE } : options.batch;
    batches = batcher(merged, limits, options.isLive ? options.clock : null);
    inFlight = [];
  };
  load(options);
  follower?.resume({ take: (...given) => merged.take(...given), searchedTo: () => merged.searchedTo() });

  const endWaiting = (): void => {
    waiting.abort(ENDED);
    onChange?.();
  };
  draining.addEventListener('abort', endWaiting, { once: true });
  const isVoid = ({ epoch: of }: TimestampBatch): boolean => of !== epoch && of !== REQUESTED;

  return {
    take: () => {
      const passed = follower?.deal.passed();
      const batch = batches.next();
      if (batch === null) return null;
      if (passed !== undefined) follower?.begin(batch, passed);
      batch.epoch = epoch;
      batch.used = 0;
      inFlight.push(batch);
      return batch;
    },
    // Inputs that have ended can still be exchanged while their last timestamps wait to be due.
    hasMore: async () => {
      const [before, blocksBefore] = [epoch, endedBlocks];
      const isSame = (): boolean => epoch === before && endedBlocks === blocksBefore;
      while (isSame() && inFlight.length > 0 && !draining.aborted) {
        await new Promise<void>((resolve) => {
          onChange = resolve;
        });
      }
      return !isSame() && !draining.aborted;
    },
    giveBack: (batch) => {
      if (isVoid(batch)) return;
      inFlight = inFlight.filter((other) => other !== batch);
      batches.give(batch);
      if (inFlight.length === 0) onChange?.();
    },
    isVoid,
    markUsed: (batch, used, events) => {
      // It has no place among the scheduled ones.
      if (batch.epoch === REQUESTED) return;
      if (!isVoid(batch) && sizes.add(batch, batch.used, used, events)) {
        endedBlocks++;
        onChange?.();
      }
      batch.used = used;
      follower?.use(batch, used);
      last = used === 0 ? last : (batch.micros[used - 1] as Micros);
    },
    last: () => last,
    next: () => {
      const batch = inFlight.find(({ used, length }) => used < length);
      return batch === undefined ? merged.peek() : (batch.micros[batch.used] ?? NEVER);
    },
    tagsOf: (input) => tags[input] ?? NO_TAGS,
    isRecorded: () => isRecorded,
    waiting: () => waiting.signal,
    searchedTo: () => (draining.aborted ? null : merged.searchedTo()),
    failures: () => merged.failures(),
    dealt: () => follower?.dealt() ?? null,
    skipMissed: async (clock) => follower?.skipMissed(merged, clock, draining),
    exchange: (next) => {
      load(next);
      endWaiting();
      waiting = new AbortController();
      if (draining.aborted) waiting.abort(ENDED);
    },
  };
};

/** A batch that occupies a credit until `release`, called once. */
export interface HeldBatch {
  readonly batch: TimestampBatch;
  readonly release: () => void;
}

const SEARCH_AHEAD = 10 * MICROS_PER_MINUTE;
const SEARCH_PAUSE_MS = 1_000;

/** Pulls batches only while credits are free; ends with the feed or with the signal of the credits. */
export const demand = (
  credits: Credits,
  feed: Feed,
  clock: Pick<Clock, 'yieldTurn' | 'now' | 'sleepMs'>,
  isLive: boolean,
): Observable<HeldBatch> =>
  new Observable((subscriber) => {
    const hold = (batch: TimestampBatch): HeldBatch => ({
      batch,
      release: () => {
        feed.giveBack(batch);
        credits.give();
      },
    });
    /** Lets other work have a turn while an input searches. In live mode it does not search far ahead of the clock. */
    const turn = async (searchedTo: Micros): Promise<boolean> => {
      const isFarAhead = isLive && searchedTo > clock.now() + SEARCH_AHEAD;
      await (isFarAhead ? clock.sleepMs(SEARCH_PAUSE_MS, feed.waiting()) : clock.yieldTurn());
      return !subscriber.closed;
    };
    const more = (): Promise<boolean> => {
      const searchedTo = feed.searchedTo();
      return searchedTo === null ? feed.hasMore() : turn(searchedTo);
    };
    const pump = async (): Promise<void> => {
      await feed.skipMissed(clock);
      while (!subscriber.closed && (await credits.take())) {
        let batch = feed.take();
        while (batch === null && (await more())) batch = feed.take();
        if (batch === null) break;
        subscriber.next(hold(batch));
      }
      subscriber.complete();
    };
    pump().catch((thrown: unknown) => subscriber.error(thrown));
  });
