import type { GeneratorParams } from '../../../../domain/generator.js';
import type { DeadLetterSummary } from '../../../../messages/deadLetters.js';
import { quantileOf, type RecentHistory, rateOf, recentBuckets, type ShownStats } from '../recent.js';
import { detailOf, formatterOf, type PartKey, type PictureParts } from './parts.js';

export interface Box {
  readonly key: PartKey;
  readonly plugin: string;
  /** Its path, schedule or address. */
  readonly detail: string;
  readonly count: number;
  readonly rate: number;
  /** Counters of trouble, in words. */
  readonly troubles: readonly Trouble[];
  /** Other counters, in words and number. */
  readonly notes: readonly CountedPart[];
}

export interface CountedPart {
  readonly count: number;
  readonly what: string;
}

export interface Trouble extends CountedPart {
  /** Events of this kind are gone. */
  readonly isLoss: boolean;
}

/** A template with its part of the events of this run. */
export interface TemplateBar {
  readonly name: string;
  readonly count: number;
  /** From 0 to 1. */
  readonly share: number;
  readonly rate: number;
}

export interface EventBox extends Box {
  /** The most frequent templates, in the order of the config. Empty when events are not counted by template. */
  readonly templates: readonly TemplateBar[];
  /** All further templates together. Null without any. */
  readonly others: { readonly count: number; readonly share: number } | null;
}

export interface OutputBox extends Box {
  readonly formatter: string;
  readonly bytes: number;
}

export interface Picture {
  readonly inputs: readonly Box[];
  readonly event: EventBox;
  readonly outputs: readonly OutputBox[];
  /** Timestamps from inputs that a patch has removed. */
  readonly removed: number;
}

const present = <C extends CountedPart>(counters: readonly C[]): readonly C[] =>
  counters.filter(({ count }) => count > 0);

const inputBox =
  (history: RecentHistory, parts: PictureParts) =>
  ({ plugin_name, generated }: ShownStats['input'][number], index: number): Box => ({
    key: `input ${index}`,
    plugin: plugin_name,
    detail: parts.inputs[index]?.name === plugin_name ? detailOf(parts.inputs[index]) : '',
    count: generated,
    rate: rateOf(history, (stats) => stats.input[index]?.generated),
    troubles: [],
    notes: [],
  });

/** Bars that fit into the node of the event plugin. */
const MAX_TEMPLATES = 6;

type Templates = NonNullable<ShownStats['event']['templates']>;

/** A patch may have moved or added the template. */
const producedBy = (stats: ShownStats, name: string): number | undefined =>
  stats.event.templates?.find((one) => one.name === name)?.produced;

const templateBars = (history: RecentHistory, all: Templates): Pick<EventBox, 'templates' | 'others'> => {
  const total = all.reduce((sum, { produced }) => sum + produced, 0);
  const shareOf = (count: number): number => (total === 0 ? 0 : count / total);
  const frequent = new Set(
    all
      .toSorted((a, b) => b.produced - a.produced)
      .slice(0, MAX_TEMPLATES)
      .map(({ name }) => name),
  );
  const templates = all
    .filter(({ name }) => frequent.has(name))
    .map(({ name, produced }) => ({
      name,
      count: produced,
      share: shareOf(produced),
      rate: rateOf(history, (stats) => producedBy(stats, name)),
    }));
  const rest = total - templates.reduce((sum, { count }) => sum + count, 0);
  return {
    templates,
    others:
      all.length === templates.length ? null : { count: all.length - templates.length, share: shareOf(rest) },
  };
};

const eventBox = (history: RecentHistory, parts: PictureParts, event: ShownStats['event']): EventBox => ({
  ...templateBars(history, event.templates ?? []),
  key: 'event',
  plugin: event.plugin_name,
  detail: parts.event?.name === event.plugin_name ? detailOf(parts.event) : '',
  count: event.produced,
  rate: rateOf(history, (stats) => stats.event.produced),
  troubles: present([{ count: event.produce_failed, what: 'failed', isLoss: true }]),
  notes: present([
    { count: event.dropped, what: 'without an event' },
    { count: event.produced_before, what: 'in earlier runs' },
  ]),
});

/** Dead letters of an output that wait to be sent again; the name of an output begins with the number of its output. */
const waitingIn = (summaries: readonly DeadLetterSummary[] | undefined, index: number): number =>
  (summaries ?? [])
    .filter(({ output }) => output.startsWith(`${index + 1}-`))
    .reduce((sum, { letters }) => sum + letters, 0);

const outputBox =
  (history: RecentHistory, parts: PictureParts, summaries: readonly DeadLetterSummary[] | undefined) =>
  (output: ShownStats['output'][number], index: number): OutputBox => {
    const config = parts.outputs[index]?.name === output.plugin_name ? parts.outputs[index] : undefined;
    return {
      key: `output ${index}`,
      plugin: output.plugin_name,
      detail: detailOf(config),
      formatter: formatterOf(config),
      count: output.written,
      rate: rateOf(history, (stats) => stats.output[index]?.written),
      bytes: output.bytes,
      troubles: present([
        { count: output.write_failed, what: 'lost', isLoss: true },
        { count: output.format_failed, what: 'not formatted', isLoss: true },
        { count: output.abandoned, what: 'abandoned', isLoss: true },
        { count: waitingIn(summaries, index), what: 'dead letters now', isLoss: false },
      ]),
      notes: present([
        { count: output.dead_lettered, what: 'dead letters since the start' },
        { count: output.retries, what: 'retries' },
        { count: output.filtered, what: 'left out by routing' },
        ...Object.entries(output.imperfect ?? {}).map(([flaw, count]) => ({
          count,
          what:
            flaw === 'not_skewed' ? 'without a timestamp to skew' : `${flaw.replaceAll('_', ' ')} on purpose`,
        })),
      ]),
    };
  };

type Figures = Pick<ShownStats, 'input' | 'event' | 'output' | 'total_generated'>;

/** Counters of a run that has not begun. */
const zeros = ({ inputs, event, outputs }: PictureParts): Figures | null =>
  event === null
    ? null
    : {
        input: inputs.map(({ name }, index) => ({ plugin_name: name, plugin_id: index + 1, generated: 0 })),
        event: {
          plugin_name: event.name,
          plugin_id: 1,
          produced: 0,
          produced_before: 0,
          produce_failed: 0,
          dropped: 0,
        },
        output: outputs.map(({ name }, index) => ({
          plugin_name: name,
          plugin_id: index + 1,
          written: 0,
          write_failed: 0,
          format_failed: 0,
          dead_lettered: 0,
          abandoned: 0,
          filtered: 0,
          retries: 0,
          bytes: 0,
        })),
        total_generated: 0,
      };

/** The pipeline with its counters; before the first start as the config has it, `null` without one. `summaries`: what waits to be sent again. */
export const pictureOf = (
  history: RecentHistory,
  parts: PictureParts,
  summaries?: readonly DeadLetterSummary[],
): Picture | null => {
  const stats = history.at(-1)?.stats ?? zeros(parts);
  if (stats === null) return null;
  return {
    inputs: stats.input.map(inputBox(history, parts)),
    event: eventBox(history, parts, stats.event),
    outputs: stats.output.map(outputBox(history, parts, summaries)),
    removed: stats.input.reduce((rest, { generated }) => rest - generated, stats.total_generated),
  };
};

/** Where a pipeline loses time. */
export interface Pressure {
  /** Batches in flight to the outputs. */
  readonly queued: number;
  /** Batches that may be in flight. */
  readonly room: number;
  /** The part that holds the others up. */
  readonly slow: PartKey | 'outputs' | null;
  /** 99 % of the events of the last seconds were at most this late. */
  readonly late_ms: number;
}

/** Late beyond the delay that batches wait on purpose. */
const LATE_MS = 2_000;
/** How far back lateness counts: a part that has recovered is not slow. */
const LATE_SPAN_MS = 10_000;
/** Seconds of events in flight to an output that keeps up. */
const MAX_BACKLOG_SECONDS = 2;

const handled = (output: ShownStats['output'][number]): number =>
  output.written +
  output.write_failed +
  output.format_failed +
  output.dead_lettered +
  output.abandoned +
  output.filtered +
  (output.imperfect?.dropped ?? 0) +
  (output.imperfect?.silenced ?? 0) -
  (output.imperfect?.doubled ?? 0);

/** The output with most events in flight, if they are too many. */
const slowOutput = (
  history: RecentHistory,
  { output, event }: ShownStats,
  isFull: boolean,
): PartKey | null => {
  const waiting = output.map((one) => event.produced - handled(one));
  const most = Math.max(...waiting);
  const index = waiting.indexOf(most);
  const rate = rateOf(history, (stats) => {
    const one = stats.output[index];
    return one === undefined ? 0 : handled(one);
  });
  return isFull || most > rate * MAX_BACKLOG_SECONDS ? `output ${index}` : null;
};

/** `queued`: batches in flight to the outputs. */
export const pressureOf = (
  history: RecentHistory,
  params: Pick<GeneratorParams, 'queue' | 'batch' | 'live_mode'>,
  queued: number,
): Pressure => {
  const late_ms = quantileOf(recentBuckets(history, 'lateness_ms', LATE_SPAN_MS), 0.99);
  const room = params.queue.max_event_batches;
  const flow = { queued, room, late_ms };
  const stats = history.at(-1)?.stats;
  const isLate = params.live_mode && late_ms > LATE_MS + (params.batch.delay ?? 0) * 1_000;
  if (stats === undefined || !isLate) return { ...flow, slow: null };
  const isFull = queued >= room;
  const own = stats.output.reduce((sum, { written }) => sum + written, 0);
  // Counters of outputs that a patch added begin later: what they have in flight is unknown.
  if (own !== stats.total_written) return { ...flow, slow: isFull ? 'outputs' : 'event' };
  return { ...flow, slow: slowOutput(history, stats, isFull) ?? 'event' };
};
