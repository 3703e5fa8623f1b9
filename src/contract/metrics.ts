import type { GeneratorPhase } from '../domain/generator.js';
import { COUNTED } from '../domain/imperfections.js';
import type { BoardRow } from '../domain/stats/board.js';
import { HEALTHS } from '../domain/stats/health.js';
import { cumulative } from '../domain/stats/histogram.js';
import {
  type OUTPUT_SLOTS,
  readGenerated,
  readOutputStat,
  readStat,
  type Stats,
} from '../domain/stats/stats.js';
import { queueOf } from '../domain/stats/totals.js';
import { MICROS_PER_SECOND } from '../domain/time/micros.js';
import { type Family, histogram, labelText, sample } from './exposition.js';

/** A generator at one moment, with a copy of its counters. */
export interface MetricRow {
  readonly row: BoardRow;
  readonly restarts: number;
  /** Common labels of its samples. */
  readonly labels: string;
  readonly inputLabels: readonly string[];
  readonly eventLabels: string;
  readonly outputLabels: readonly string[];
}

interface GeneratorFamily extends Family {
  readonly lines: (of: MetricRow) => string;
}

/** Labels for inputs and outputs that a patch replaced. */
const FORMER = { plugin: 'former', plugin_id: '0' };

const pluginLabels = (labels: string, names: readonly string[]): readonly string[] =>
  names.map((plugin, index) => `${labels},${labelText({ plugin, plugin_id: String(index + 1) })}`);

/** Copies the counters, so that all families show the same moment. */
export const metricRow = (id: string, row: BoardRow, restarts: number, stats: Stats | null): MetricRow => {
  const labels = labelText({ generator: id });
  return {
    row: { ...row, stats },
    restarts,
    labels,
    inputLabels: pluginLabels(labels, row.plugins?.inputs ?? []),
    eventLabels: `${labels},${labelText({ plugin: row.plugins?.event ?? '' })}`,
    outputLabels: pluginLabels(labels, row.plugins?.outputs ?? []),
  };
};

/** Lines of a generator that has run at least once. */
const ran =
  (lines: (of: MetricRow, stats: Stats) => string) =>
  (of: MetricRow): string =>
    of.row.stats === null ? '' : lines(of, of.row.stats);

const former = (name: string, labels: string, count: number): string =>
  count === 0 ? '' : sample(name, `${labels},${labelText(FORMER)}`, count);

const eventFamily = (
  name: string,
  slot: 'produced' | 'produce_failed' | 'dropped',
  help: string,
): GeneratorFamily => ({
  name,
  type: 'counter',
  help,
  lines: ran(({ eventLabels }, stats) => sample(name, eventLabels, readStat(stats, slot))),
});

const outputFamily = (slot: keyof typeof OUTPUT_SLOTS, help: string): GeneratorFamily => {
  const name = `spate_output_${slot}_total`;
  return {
    name,
    type: 'counter',
    help,
    lines: ran(({ outputLabels, labels }, stats) => {
      const own = outputLabels.map((each, index) => sample(name, each, readOutputStat(stats, index, slot)));
      const before = slot === 'written' || slot === 'abandoned' ? readStat(stats, `${slot}_before`) : 0;
      return own.join('') + former(name, labels, before);
    }),
  };
};

/** Only of outputs that have some. */
const imperfections: GeneratorFamily = {
  name: 'spate_output_imperfections_total',
  type: 'counter',
  help: 'Events with an imperfection made on purpose.',
  lines: ran(({ outputLabels }, stats) =>
    outputLabels
      .flatMap((labels, index) =>
        COUNTED.map((kind) => {
          const count = readOutputStat(stats, index, `imperfect_${kind}`);
          const own = `${labels},${labelText({ kind })}`;
          return count === 0 ? '' : sample('spate_output_imperfections_total', own, count);
        }),
      )
      .join(''),
  ),
};

const durations = (
  name: string,
  help: string,
  slots: (stats: Stats) => Float64Array,
  sum: 'lateness_micros' | 'delivery_lag_micros',
): GeneratorFamily => ({
  name,
  type: 'histogram',
  help,
  lines: ran(({ labels }, stats) => {
    const { steps, total } = cumulative(slots(stats));
    const bounds = steps.map(({ micros, count }) => ({ le: micros / MICROS_PER_SECOND, count }));
    return histogram(name, labels, { bounds, total, sum: readStat(stats, sum) / MICROS_PER_SECOND });
  }),
});

const PHASES: readonly GeneratorPhase[] = [
  'idle',
  'loading',
  'running',
  'draining',
  'backing_off',
  'finished',
  'failed',
  'stopped',
];
const PHASE_LABELS = PHASES.map((phase) => ({ phase, label: labelText({ phase }) }));

const phases: GeneratorFamily = {
  name: 'spate_generator_phase',
  type: 'gauge',
  help: '1 for the current phase of the generator, 0 for the others.',
  lines: ({ row, labels }) =>
    PHASE_LABELS.map(({ phase, label }) =>
      sample('spate_generator_phase', `${labels},${label}`, phase === row.phase ? 1 : 0),
    ).join(''),
};

const HEALTH_LABELS = HEALTHS.map((health) => ({ health, label: labelText({ health }) }));

const healths: GeneratorFamily = {
  name: 'spate_generator_health',
  type: 'gauge',
  help: '1 for the current health of the generator, 0 for the others.',
  lines: ({ row, labels }) =>
    HEALTH_LABELS.map(({ health, label }) =>
      sample('spate_generator_health', `${labels},${label}`, health === row.health.health ? 1 : 0),
    ).join(''),
};

const generated: GeneratorFamily = {
  name: 'spate_input_generated_total',
  type: 'counter',
  help: 'Timestamps consumed since the last start, per input.',
  lines: ran(({ inputLabels, labels }, stats) => {
    const own = inputLabels.map((each, index) =>
      sample('spate_input_generated_total', each, readGenerated(stats, index)),
    );
    return own.join('') + former('spate_input_generated_total', labels, readStat(stats, 'generated_before'));
  }),
};

const restarts: GeneratorFamily = {
  name: 'spate_generator_restarts_total',
  type: 'counter',
  help: 'Restarts after a failure since the generator was registered.',
  lines: ({ labels, restarts: count }) => sample('spate_generator_restarts_total', labels, count),
};

const started: GeneratorFamily = {
  name: 'spate_generator_start_time_seconds',
  type: 'gauge',
  help: 'Unix time of the last start.',
  lines: ({ row, labels }) =>
    row.startedAt === null
      ? ''
      : sample('spate_generator_start_time_seconds', labels, row.startedAt / MICROS_PER_SECOND),
};

const queue: GeneratorFamily = {
  name: 'spate_generator_queue_batches',
  type: 'gauge',
  help: 'Batches of events in flight to the outputs.',
  lines: ran(({ labels }, stats) => sample('spate_generator_queue_batches', labels, queueOf(stats))),
};

const lateness: GeneratorFamily = durations(
  'spate_generator_lateness_seconds',
  'Time from the timestamp of an event to its production, in live mode.',
  ({ lateness: slots }) => slots,
  'lateness_micros',
);

/** In the order of the response. */
export const GENERATOR_FAMILIES: readonly GeneratorFamily[] = [
  phases,
  healths,
  restarts,
  started,
  generated,
  eventFamily('spate_event_produced_total', 'produced', 'Events produced since the last start.'),
  eventFamily('spate_event_produce_failed_total', 'produce_failed', 'Events that failed to be produced.'),
  eventFamily(
    'spate_event_dropped_total',
    'dropped',
    'Timestamps for which the event plugin produced no event.',
  ),
  outputFamily('written', 'Events written since the last start, per output.'),
  outputFamily('write_failed', 'Events lost: neither written nor in the dead letters.'),
  outputFamily('format_failed', 'Events that failed to be formatted.'),
  outputFamily('dead_lettered', 'Events that failed to be written and are in the dead letters.'),
  outputFamily(
    'abandoned',
    'Events abandoned at the end of the run: neither written nor in the dead letters.',
  ),
  outputFamily('filtered', 'Events that the routing of the output left out.'),
  imperfections,
  outputFamily('retries', 'Write attempts after the first.'),
  outputFamily('bytes', 'Bytes written.'),
  queue,
  { ...lateness, lines: (of) => (of.row.isLive ? lateness.lines(of) : '') },
  durations(
    'spate_generator_delivery_lag_seconds',
    'Time from the production of an event to the end of its write.',
    ({ deliveryLag }) => deliveryLag,
    'delivery_lag_micros',
  ),
];
