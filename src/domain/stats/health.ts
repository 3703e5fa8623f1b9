import type { GeneratorPhase } from '../generator.js';
import { partitionReason } from '../partitions.js';
import { readOutputStat, readStat, type Stats } from './stats.js';
import { generatedBy } from './totals.js';

/** The worst first. */
export const HEALTHS = ['failing', 'degraded', 'ok', 'idle'] as const;
export type Health = (typeof HEALTHS)[number];

export interface HealthReport {
  readonly health: Health;
  /** Why, in one sentence. Null when there is nothing to say. */
  readonly health_reason: string | null;
  /** What to do about it. Null when nothing has to be done. */
  readonly remedy: string | null;
}

/** Before the first sample. */
export const NO_HEALTH: HealthReport = { health: 'idle', health_reason: null, remedy: null };

/** The last reason that a plugin logged, by `event` or the number of the output. Null when it logged none. */
export type CauseOf = (plugin: 'event' | number) => string | null;

interface OutputCounters {
  readonly name: string;
  readonly written: number;
  /** Events that were neither written nor left out on purpose. */
  readonly lost: number;
  /** Lost events that no retry could have saved. */
  readonly rejected: number;
  /** Lost events that could not be formatted. */
  readonly unformatted: number;
  readonly retries: number;
}

/** What is known about a generator at one moment. */
export interface HealthSample {
  /** Monotonic. */
  readonly atMs: number;
  readonly phase: GeneratorPhase;
  readonly isUp: boolean;
  readonly reason: string | null;
  readonly isLive: boolean;
  /** Differs from run to run. */
  readonly run: number | null;
  readonly generated: number;
  readonly produced: number;
  readonly produce_failed: number;
  readonly dropped: number;
  readonly lateness_micros: number;
  /** Timestamps are due and every batch of the queue is in flight. */
  readonly isBlocked: boolean;
  readonly outputs: readonly OutputCounters[];
  readonly hasDeadLetters: boolean;
  readonly causeOf: CauseOf;
}

const NO_COUNTERS = {
  generated: 0,
  produced: 0,
  produce_failed: 0,
  dropped: 0,
  lateness_micros: 0,
  isBlocked: false,
  outputs: [],
};

/** Counters as a sample has them. `stats` is null before the first start. */
export const countersOf = (
  stats: Stats | null,
  outputs: readonly string[],
): Pick<HealthSample, keyof typeof NO_COUNTERS> => {
  if (stats === null) return NO_COUNTERS;
  return {
    generated: generatedBy(stats),
    produced: readStat(stats, 'produced'),
    produce_failed: readStat(stats, 'produce_failed'),
    dropped: readStat(stats, 'dropped'),
    lateness_micros: readStat(stats, 'lateness_micros'),
    isBlocked: readStat(stats, 'is_blocked') === 1,
    outputs: Array.from({ length: stats.outputCount }, (_, index) => ({
      name: outputs[index] ?? '',
      written: readOutputStat(stats, index, 'written'),
      lost:
        readOutputStat(stats, index, 'dead_lettered') +
        readOutputStat(stats, index, 'write_failed') +
        readOutputStat(stats, index, 'format_failed'),
      rejected: readOutputStat(stats, index, 'rejected'),
      unformatted: readOutputStat(stats, index, 'format_failed'),
      retries: readOutputStat(stats, index, 'retries'),
    })),
  };
};

/** Health of partitions as that of one generator: the worst decides, and its sentence names the partition. */
export const mergeHealth = (
  parts: readonly { readonly index: number; readonly report: HealthReport }[],
): HealthReport => {
  const rank = ({ report }: { readonly report: HealthReport }): number => HEALTHS.indexOf(report.health);
  const { index, report } = parts.reduce((one, other) => (rank(other) < rank(one) ? other : one));
  const { health, health_reason, remedy } = report;
  const all = parts.map((part) => part.report.health_reason);
  const reason = health_reason === null ? null : partitionReason(index, health_reason, all);
  return { health, health_reason: reason, remedy };
};
