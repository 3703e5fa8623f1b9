import { firstAfter, REQUESTED, type TimestampBatch } from '../../domain/events/timestampBatch.js';
import { MICROS_PER_MS, MICROS_PER_SECOND, type Micros } from '../../domain/time/micros.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Feed, HeldBatch } from './feed.js';

/** Dense live schedules are released at most this often: each slice costs one production and one write. */
const SLICE_INTERVAL_MS = 5;
/** A recording is released at most this often: the spacing of its events is exact to this. */
const RECORDED_INTERVAL_MS = 2;

/** A long wait reads the wall clock this often: it may be set, and the machine may sleep. */
const CHECK_CLOCK_EVERY_MS = 10_000;

/** Timestamps that are due: `from <= i < to` of a batch. `release` gives the batch back after its last slice. */
export interface Slice {
  readonly batch: TimestampBatch;
  readonly from: number;
  readonly to: number;
  readonly release: (() => void) | null;
}

/** Requested timestamps are accepted: they are produced while the generator drains, too. */
export const isOwed = ({ batch }: Slice): boolean => batch.epoch === REQUESTED;

export interface ScheduleOptions {
  readonly isLive: boolean;
  /** The stream begins before this moment. Null when it does not begin in the past. */
  readonly pastUntil: Micros | null;
  readonly clock: Clock;
  readonly log: Log;
  /** Timestamps not yet due when it ends are discarded. */
  readonly draining: AbortSignal;
  readonly feed: Pick<Feed, 'isVoid' | 'isRecorded' | 'waiting'>;
}

/** The only stage that waits. Live mode releases timestamps when due, never before; sample mode at once. */
export const schedule = (options: ScheduleOptions) => {
  const { clock, draining, feed } = options;
  const watch = clockWatch(options);
  const noteWait = presentNote(options);
  return async function* slices({ batch, release }: HeldBatch): AsyncGenerator<Slice> {
    if (!options.isLive) {
      yield { batch, from: 0, to: batch.length, release };
      return;
    }
    let from = 0;
    while (from < batch.length && !feed.isVoid(batch)) {
      const now = clock.now();
      watch.check(now, (batch.micros[from] as number) - now);
      const to = firstAfter(batch.micros, from, batch.length, now);
      if (to > from) {
        yield { batch, from, to, release: to === batch.length ? release : null };
        from = to;
        if (from === batch.length) return;
      }
      const next = batch.micros[from] as number;
      const interval_ms = feed.isRecorded() ? RECORDED_INTERVAL_MS : SLICE_INTERVAL_MS;
      const isNeighbourSoon = next - now < interval_ms * MICROS_PER_MS;
      const left_ms = isNeighbourSoon ? interval_ms : Math.ceil((next - now) / MICROS_PER_MS);
      noteWait();
      // Monotonic time: a wait for the wall clock would never end once that clock is set back.
      await clock.sleepMs(Math.min(left_ms, CHECK_CLOCK_EVERY_MS), feed.waiting());
      if (draining.aborted) return;
    }
    // The rest is void, but earlier slices of the batch are still being produced: released in order, after them.
    yield { batch, from, to: from, release };
  };
};

/** Logs the first wait of a stream that began in the past: from then on, events come as they are due. */
const presentNote = ({
  pastUntil,
  clock,
  log,
}: Pick<ScheduleOptions, 'pastUntil' | 'clock' | 'log'>): (() => void) => {
  const beganMs = clock.monotonicMs();
  let isNoted = pastUntil === null;
  return () => {
    if (isNoted) return;
    isNoted = true;
    const took_seconds = Math.round(clock.monotonicMs() - beganMs) / 1_000;
    log.write('info', 'the past is made: events come as they are due from now on', { took_seconds });
  };
};

/** A smaller step comes from NTP or a busy machine. */
const MIN_STEP_MICROS = MICROS_PER_SECOND;

/** Warns when the wall clock is set while events wait for it. */
interface ClockWatch {
  /** `wait`: microseconds until the next timestamp is due; 0 or less: it is due. Not for every event. */
  readonly check: (now: Micros, wait: Micros) => void;
}

const seconds = (micros: Micros): number => Math.round(micros / MICROS_PER_MS) / 1_000;

const clockWatch = ({ clock, log }: Pick<ScheduleOptions, 'clock' | 'log'>): ClockWatch => {
  /** Wall clock minus monotonic clock; changes only when the wall clock is set. */
  let offset: number | null = null;
  /** Monotonic time of a step back. Null when no event waits because of one. */
  let setBackAtMs: number | null = null;

  const warnSetBack = (step: number, wait: Micros): void => {
    setBackAtMs ??= clock.monotonicMs();
    log.write('warning', 'the clock was set back: events wait until it reaches the next timestamp', {
      set_back_seconds: seconds(-step),
      wait_seconds: seconds(Math.max(0, wait)),
      hint: 'correct the clock, or restart the generator to continue from the current time',
    });
  };

  const warnSetForward = (step: number): void =>
    log.write('warning', 'the clock was set forward or the machine slept: overdue events are produced now', {
      set_forward_seconds: seconds(step),
    });

  return {
    check: (now, wait) => {
      const monotonicMs = clock.monotonicMs();
      const seen = now - monotonicMs * MICROS_PER_MS;
      const step = offset === null ? 0 : seen - offset;
      offset = seen;
      if (step <= -MIN_STEP_MICROS) warnSetBack(step, wait);
      else if (step >= MIN_STEP_MICROS && setBackAtMs === null) warnSetForward(step);
      if (wait > 0 || setBackAtMs === null) return;
      const context = { waited_seconds: Math.round(monotonicMs - setBackAtMs) / 1_000 };
      log.write('warning', 'the clock has reached the next timestamp: events continue', context);
      setBackAtMs = null;
    },
  };
};
