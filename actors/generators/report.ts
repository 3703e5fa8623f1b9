import type { GeneratorPhase } from '../../src/domain/generator.js';
import { COUNTED, type CountedImperfection } from '../../src/domain/imperfections.js';
import type { GeneratorRow } from '../../src/domain/stats/board.js';
import { bucketsOf, quantile } from '../../src/domain/stats/histogram.js';
import {
  abandonedBy,
  readGenerated,
  readOutputStat,
  readStat,
  readTemplateStat,
  type Stats,
} from '../../src/domain/stats/stats.js';
import { utcText } from '../../src/domain/time/iso.js';
import { MICROS_PER_MS, MICROS_PER_SECOND, type Micros } from '../../src/domain/time/micros.js';
import type { GeneratorStats, GeneratorTurn, LifeStatus } from '../../src/messages/generators.js';
import type { GeneratorContext } from './generator.js';

/** State value of the generator machine. */
type GeneratorStateValue = string | { readonly running?: string };

const phaseOf = (value: GeneratorStateValue): GeneratorPhase => {
  if (typeof value !== 'string') {
    return value.running === 'draining' || value.running === 'givingUp' ? 'draining' : 'running';
  }
  if (value === 'backingOff') return 'backing_off';
  return value === 'waking' ? 'idle' : (value as GeneratorPhase);
};

const ENDED: ReadonlySet<GeneratorPhase> = new Set(['finished', 'failed', 'stopped']);

/** Last start as ISO 8601 in UTC; `null` before the first. */
export const startTimeOf = (context: GeneratorContext): string | null =>
  context.startedAt === null ? null : utcText(context.startedAt);

export const statusOf = (value: GeneratorStateValue, context: GeneratorContext): LifeStatus => {
  const phase = phaseOf(value);
  const isOpening = typeof value !== 'string' && value.running === 'opening';
  return {
    is_initializing: phase === 'loading' || phase === 'backing_off' || isOpening,
    is_running: (phase === 'running' && !isOpening) || phase === 'draining',
    is_ended_up: ENDED.has(phase),
    is_ended_up_successfully: phase === 'finished' || phase === 'stopped',
    is_stopping: phase === 'draining',
    phase,
    reason: context.error?.message ?? null,
    error_code: context.error === null ? null : context.error.code,
    restarts: context.restartsMs.length,
  };
};

/** Row of the board for metrics and streams. */
export const boardRowOf = (value: GeneratorStateValue, context: GeneratorContext): GeneratorRow => {
  const { phase, reason, error_code, is_running, is_ended_up_successfully } = statusOf(value, context);
  return {
    phase,
    isUp: is_running || is_ended_up_successfully,
    reason,
    error_code,
    plugins: context.definition?.plugins ?? null,
    stats: context.stats,
    startedAt: context.startedAt,
    isLive: context.definition?.params.live_mode ?? false,
  };
};

/** Nothing for an output without imperfections. */
const imperfectOf = (stats: Stats, output: number): Pick<GeneratorStats['output'][number], 'imperfect'> => {
  const counts = COUNTED.map((kind) => [kind, readOutputStat(stats, output, `imperfect_${kind}`)] as const);
  if (counts.every(([, count]) => count === 0)) return {};
  return { imperfect: Object.fromEntries(counts) as Record<CountedImperfection, number> };
};

/** Nothing for an event plugin with fewer than two templates. */
const templatesOf = (
  stats: Stats,
  names: readonly string[] | undefined,
): Pick<GeneratorStats['event'], 'templates'> =>
  names === undefined
    ? {}
    : { templates: names.map((name, index) => ({ name, produced: readTemplateStat(stats, index) })) };

/** Counters of the last start; `null` before the first. */
export const statsOf = (context: GeneratorContext, now: Micros): GeneratorStats | null => {
  const { stats, definition, startedAt } = context;
  if (stats === null || definition === null || startedAt === null) return null;
  const input = definition.plugins.inputs.map((plugin_name, index) => ({
    plugin_name,
    plugin_id: index + 1,
    generated: readGenerated(stats, index),
  }));
  const output = definition.plugins.outputs.map((plugin_name, index) => ({
    plugin_name,
    plugin_id: index + 1,
    written: readOutputStat(stats, index, 'written'),
    write_failed: readOutputStat(stats, index, 'write_failed'),
    format_failed: readOutputStat(stats, index, 'format_failed'),
    dead_lettered: readOutputStat(stats, index, 'dead_lettered'),
    abandoned: readOutputStat(stats, index, 'abandoned'),
    filtered: readOutputStat(stats, index, 'filtered'),
    retries: readOutputStat(stats, index, 'retries'),
    bytes: readOutputStat(stats, index, 'bytes'),
    ...imperfectOf(stats, index),
  }));
  const before = readStat(stats, 'generated_before');
  const total_generated = input.reduce((sum, { generated }) => sum + generated, before);
  const expected = readStat(stats, 'expected');
  const written_before = readStat(stats, 'written_before');
  const total_written = output.reduce((sum, { written }) => sum + written, written_before);
  const uptime = Math.max(0, now - startedAt) / MICROS_PER_SECOND;
  const perSecond = (count: number): number => (uptime > 0 ? count / uptime : 0);
  return {
    id: context.input.id,
    start_time: startTimeOf(context),
    input,
    event: {
      plugin_name: definition.plugins.event,
      plugin_id: 1,
      produced: readStat(stats, 'produced'),
      produced_before: readStat(stats, 'produced_before'),
      produce_failed: readStat(stats, 'produce_failed'),
      dropped: readStat(stats, 'dropped'),
      ...templatesOf(stats, definition.plugins.templates),
    },
    output,
    total_generated,
    ...(expected > 0 ? { expected_timestamps: expected } : {}),
    total_written,
    total_abandoned: abandonedBy(stats),
    uptime,
    input_eps: perSecond(total_generated),
    output_eps: perSecond(total_written),
    low_water_mark: readStat(stats, 'low_water'),
    lateness_ms: {
      p50: quantile(stats.lateness, 0.5) / MICROS_PER_MS,
      p99: quantile(stats.lateness, 0.99) / MICROS_PER_MS,
      max: readStat(stats, 'max_lateness_micros') / MICROS_PER_MS,
      buckets: bucketsOf(stats.lateness),
    },
    delivery_lag_ms: {
      p50: quantile(stats.deliveryLag, 0.5) / MICROS_PER_MS,
      p99: quantile(stats.deliveryLag, 0.99) / MICROS_PER_MS,
      buckets: bucketsOf(stats.deliveryLag),
    },
  };
};

const MAX_TURNS = 50;

/** Returns the event of a phase, or null without one. A generator counts as started when its outputs are open. */
const turnOf = ({ phase, is_running, reason, error_code }: LifeStatus) => {
  switch (phase) {
    case 'running':
      return is_running ? { phase, reason: null, error_code: null } : null;
    case 'failed':
    case 'backing_off':
      return { phase, reason, error_code };
    case 'finished':
    case 'stopped':
      return { phase, reason: null, error_code: null };
    default:
      return null;
  }
};

/** The last starts, ends and failures of a generator, in memory. */
export interface History {
  /** Call on every change of the status. */
  readonly note: (status: LifeStatus, now: Micros) => void;
  /** Newest first. */
  readonly turns: () => readonly GeneratorTurn[];
}

/** The same failure in a row is counted: an output that is away fails every few seconds. */
export const makeHistory = (): History => {
  let turns: readonly GeneratorTurn[] = [];
  return {
    note: (status, now) => {
      const turn = turnOf(status);
      if (turn === null) return;
      const at = utcText(now);
      const [last, ...older] = turns;
      const isSame = last?.phase === turn.phase && last.reason === turn.reason && turn.error_code !== null;
      turns = isSame
        ? [{ ...last, at, count: last.count + 1 }, ...older]
        : [{ at, first_at: at, count: 1, ...turn }, ...turns].slice(0, MAX_TURNS);
    },
    turns: () => turns,
  };
};
