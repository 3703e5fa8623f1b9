import { joinBatches } from '../../domain/events/eventBatch.js';
import { ENDED, serialQueue } from '../../domain/waiting.js';
import type { Output } from '../../plugins/kit.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { makeCredits } from '../gate.js';
import type { SequencedBatch } from '../produce.js';
import type { BatchLimits } from '../schedule/merge.js';

/** One write: batches in order, all done when it is. */
export interface Gathered {
  readonly events: SequencedBatch['events'];
  readonly producedAtMs: number;
  readonly sequences: readonly number[];
  /** Numbers of the events in the stream, for outputs with imperfections. */
  readonly ordinals?: readonly number[];
  /** Time of each event, if all batches have them. */
  readonly times?: Float64Array;
}

export interface Sending {
  readonly write: (gathered: Gathered) => Promise<void>;
  readonly idle: () => Promise<void>;
  /** Writes in flight or waiting for their turn. */
  readonly pending: () => number;
}

export interface DeliveryPath {
  readonly accept: (batch: SequencedBatch) => Promise<void>;
  /** The batch would not wait for others. */
  readonly hasRoom: (batch: SequencedBatch) => boolean;
  /** Writes what is collected; resolves when every write has ended. */
  readonly finish: () => Promise<void>;
}

export const directPath = (
  { write, idle, pending }: Sending,
  { max_event_batches }: Pick<GatherOptions, 'max_event_batches'>,
): DeliveryPath => ({
  accept: ({ sequence, events, producedAtMs, ordinals, times }) =>
    write({
      events,
      producedAtMs,
      sequences: [sequence],
      ...(ordinals === undefined ? {} : { ordinals }),
      ...(times === undefined ? {} : { times }),
    }),
  hasRoom: () => pending() < max_event_batches,
  finish: idle,
});

export interface GatherOptions {
  readonly clock: Clock;
  readonly batch: BatchLimits;
  /** Collected batches that may wait or be in flight. */
  readonly max_event_batches: number;
  readonly signal: AbortSignal;
}

/** Batches are collected into larger writes; a bounded number of them may wait. */
export const gatheringPath = (
  { write, idle }: Omit<Sending, 'pending'>,
  options: GatherOptions,
  pressure: BackPressure,
): DeliveryPath => {
  const room = makeCredits(options.max_event_batches, options.signal);
  const noteRoom = (): void => pressure.note('no room', !room.isFree());
  const collected = gatherer(options, (gathered) => {
    void write(gathered).finally(() => {
      room.give();
      noteRoom();
    });
  });
  const take = async (batch: SequencedBatch): Promise<void> => {
    // Each collection needs room, so a stalled destination stops the pulling.
    if (collected.startsWith(batch)) {
      await room.take();
      noteRoom();
    }
    collected.add(batch);
  };
  /** One at a time: two that wait for room together would both take it, for one collection. */
  const inTurn = serialQueue();
  return {
    accept: (batch) => inTurn(() => take(batch)),
    hasRoom: (batch) => !collected.startsWith(batch) || room.isFree(),
    finish: async () => {
      pressure.note('end', true);
      collected.flush();
      await idle();
    },
  };
};

/** Most events collected for one write when `batch.size` sets no limit: memory has one. */
const MAX_COLLECTED = 100_000;

const joinedTimes = (batches: readonly SequencedBatch[]): Pick<Gathered, 'times'> => {
  const times = batches.flatMap((batch) => (batch.times === undefined ? [] : [batch.times]));
  return times.length < batches.length
    ? {}
    : { times: Float64Array.from(times.flatMap((part) => Array.from(part))) };
};

/** Collects batches up to `batch.size` events, or for `batch.delay` seconds of clock time since the first. */
interface Gatherer {
  /** True when adding the batch begins a new collection. */
  readonly startsWith: (batch: SequencedBatch) => boolean;
  readonly add: (batch: SequencedBatch) => void;
  readonly flush: () => void;
}

const gatherer = (
  options: Pick<GatherOptions, 'clock' | 'batch' | 'signal'>,
  onFull: (gathered: Gathered) => void,
): Gatherer => {
  const { size, delay } = options.batch;
  const limit = size ?? MAX_COLLECTED;
  let collected: SequencedBatch[] = [];
  let count = 0;
  let timer = new AbortController();

  const flush = (): void => {
    timer.abort(ENDED);
    const [first] = collected;
    if (first === undefined) return;
    const whole = collected;
    collected = [];
    count = 0;
    onFull({
      events: joinBatches(whole.map(({ events }) => events)),
      producedAtMs: first.producedAtMs,
      sequences: whole.map(({ sequence }) => sequence),
      ...(first.ordinals === undefined ? {} : { ordinals: whole.flatMap(({ ordinals = [] }) => ordinals) }),
      ...joinedTimes(whole),
    });
  };

  const startTimer = (delay_s: number): void => {
    timer = new AbortController();
    const { signal } = timer;
    void options.clock.sleepMs(delay_s * 1_000, signal).then(() => {
      if (!signal.aborted && !options.signal.aborted) flush();
    });
  };

  // Batches are never cut: one that does not fit goes into the next write.
  const fits = (batch: SequencedBatch): boolean => count === 0 || count + batch.events.count <= limit;

  return {
    startsWith: (batch) => count === 0 || !fits(batch),
    add: (batch) => {
      if (!fits(batch)) flush();
      if (collected.length === 0 && delay !== null) startTimer(delay);
      collected.push(batch);
      count += batch.events.count;
      if (count >= limit) flush();
    },
    flush,
  };
};

/** Why no write comes before one in flight ends. */
type Cause = 'one at a time' | 'no room' | 'no slot' | 'end';

/** Tells an output that joins writes whether to wait for more. */
export interface BackPressure {
  readonly note: (cause: Cause, holds: boolean) => void;
}

export const makeBackPressure = (tell: Output['onBackPressure']): BackPressure => {
  const causes = new Set<Cause>();
  let told: boolean | null = null;
  return {
    note: (cause, holds) => {
      if (holds) causes.add(cause);
      else causes.delete(cause);
      const isHeldBack = causes.size > 0;
      if (isHeldBack === told) return;
      told = isHeldBack;
      tell?.(isHeldBack);
    },
  };
};

/** Time between two warnings about events that a best-effort output had no room for. */
const WARN_EVERY_MS = 10_000;

/** Sends what the path has room for and never waits; `onLost` gets the rest. */
export const withoutWaiting = (
  path: DeliveryPath,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  onLost: (batch: SequencedBatch) => void,
): DeliveryPath['accept'] => {
  let quietUntilMs = 0;
  return async (batch) => {
    if (path.hasRoom(batch)) {
      void path.accept(batch);
      return;
    }
    if (clock.monotonicMs() >= quietUntilMs) {
      quietUntilMs = clock.monotonicMs() + WARN_EVERY_MS;
      log.write('warning', 'a best-effort output falls behind; events are lost', {
        hint: 'look for a slow or stalled output; queue.max_event_batches is reached',
      });
    }
    onLost(batch);
  };
};
