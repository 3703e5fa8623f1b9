import { logTo } from '../../adapters/logs/streamLog.js';
import type { SpateError } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';
import { plural, shortened, showCount } from '../../domain/text/shown.js';
import type { GeneratorStats } from '../../messages/generators.js';
import type { Log } from '../../ports/log.js';
import type { Io, TextStream } from './io.js';
import { showRough } from './text.js';

const STYLES = { none: '', bold: '1', green: '32', red: '31' } as const;

/** A line in parts, each with its style. */
type StyledText = readonly (readonly [text: string, style: keyof typeof STYLES])[];

/** Whether a stream takes colors: it is a terminal, and NO_COLOR is not set. */
export const hasColors = (stream: TextStream, env: Io['env']): boolean =>
  stream.isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';

/** The first `max` characters, in color or not. */
const styled = (parts: StyledText, max: number, isColored: boolean): string => {
  let left = max;
  return parts
    .map(([text, style]) => {
      const shown = text.slice(0, left);
      left -= shown.length;
      return !isColored || style === 'none' || shown === ''
        ? shown
        : `\u001b[${STYLES[style]}m${shown}\u001b[0m`;
    })
    .join('');
};

/** A line at the bottom of the terminal, rewritten in place below other output. */
export interface StatusLine {
  readonly show: (text: string | StyledText) => void;
  readonly clear: () => void;
  /** Prints whole lines; the next `show` restores the status line. */
  readonly print: (lines: string) => void;
}

const ERASE = '\r\u001b[K';

export const statusLine = (stream: TextStream, isColored = false): StatusLine => {
  let isShown = false;
  const clear = (): void => {
    if (isShown) stream.write(ERASE);
    isShown = false;
  };
  return {
    clear,
    show: (text) => {
      const parts: StyledText = typeof text === 'string' ? [[text, 'none']] : text;
      stream.write(`${ERASE}${styled(parts, Math.max(1, stream.columns - 1), isColored)}`);
      isShown = true;
    },
    print: (lines) => {
      clear();
      stream.write(lines);
    },
  };
};

const flawText = (flaw: string): string => {
  if (flaw === 'early') return 'of them before their time';
  return flaw === 'not_skewed' ? 'without a timestamp to skew' : `${flaw.replaceAll('_', ' ')} on purpose`;
};

const outputText = ({
  plugin_name,
  written,
  write_failed,
  format_failed,
  dead_lettered,
  abandoned,
  filtered,
  imperfect,
}: GeneratorStats['output'][number]): string => {
  const failed = write_failed + format_failed;
  const parts = [`${showCount(written)} written`];
  if (dead_lettered > 0) parts.push(`${showCount(dead_lettered)} dead-lettered`);
  if (filtered > 0) parts.push(`${showCount(filtered)} filtered`);
  if (failed > 0) parts.push(`${showCount(failed)} failed`);
  if (abandoned > 0) parts.push(`${showCount(abandoned)} abandoned`);
  for (const [flaw, count] of Object.entries(imperfect ?? {})) {
    if (count > 0) parts.push(`${showCount(count)} ${flawText(flaw)}`);
  }
  return `${plugin_name}: ${parts.join(', ')}`;
};

const outputsText = ({ output }: GeneratorStats): string => output.map(outputText).join('; ');

/** `45 s`, `2 min 5 s`, `1 h 3 min` */
const showDuration = (seconds: number): string => {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  return whole < 3_600
    ? `${Math.floor(whole / 60)} min ${whole % 60} s`
    : `${showCount(Math.floor(whole / 3_600))} h ${Math.floor((whole % 3_600) / 60)} min`;
};

/** How far a run is; `eventsPerSecond` covers the last second, `seconds` the run so far. */
export interface ProgressOf {
  readonly stats: GeneratorStats;
  readonly eventsPerSecond: number;
  readonly seconds: number;
  /** Events at which the run ends; null without `--limit`. */
  readonly limit: number | null;
  readonly isLive: boolean;
}

interface Goal {
  /** What is done, of how much. */
  readonly text: string;
  readonly done: number;
  readonly total: number;
  readonly inThisRun: number;
}

/** Events up to `--limit`, else the timestamps of inputs that end; null when the end is not known. */
const goalOf = (
  { event, total_generated, expected_timestamps }: GeneratorStats,
  limit: number | null,
): Goal | null => {
  const events = event.produced_before + event.produced;
  if (limit !== null) {
    const text = `${showCount(events)} of ${plural(limit, 'event')}`;
    return { text, done: events, total: limit, inThisRun: event.produced };
  }
  if (expected_timestamps === undefined) return null;
  // Mostly a timestamp is an event.
  const isEach = event.produced_before === 0 && event.produced === total_generated;
  const text = isEach
    ? `${showCount(events)} of ${plural(expected_timestamps, 'event')}`
    : `${plural(events, 'event')} from ${showCount(total_generated)} of ${plural(expected_timestamps, 'timestamp')}`;
  return { text, done: total_generated, total: expected_timestamps, inThisRun: total_generated };
};

/** Status line of a running generator. */
export const progressText = ({ stats, eventsPerSecond, seconds, limit, isLive }: ProgressOf): StyledText => {
  const { produced, produced_before, produce_failed } = stats.event;
  const done = produced_before + produced;
  const goal = goalOf(stats, limit);
  const isMeasured = goal !== null && seconds > 0 && goal.inThisRun > 0;
  const left = isMeasured
    ? `, ${showDuration(((goal.total - goal.done) * seconds) / goal.inThisRun)} left`
    : '';
  const share = goal === null ? '' : ` (${Math.floor((goal.done / goal.total) * 100)} %)`;
  const late = isLive ? `; late p99 ${showRough(stats.lateness_ms.p99)} ms` : '';
  return [
    [`${stats.id}: `, 'bold'],
    [goal === null ? plural(done, 'event') : goal.text, 'none'],
    [share, 'green'],
    [`, ${showRough(eventsPerSecond)}/s, ${showDuration(seconds)}${left}`, 'none'],
    [produce_failed > 0 ? `; ${showCount(produce_failed)} failed` : '', 'red'],
    [`; ${outputsText(stats)}${late}`, 'none'],
  ];
};

export const summaryText = (stats: GeneratorStats, seconds: number, isLive: boolean): string => {
  const { produced, produce_failed, dropped } = stats.event;
  const rate = seconds > 0 ? ` (${showRough(produced / seconds)}/s)` : '';
  const { p50, p99, max } = stats.lateness_ms;
  const late = isLive
    ? `; lateness p50 ${showRough(p50)} ms, p99 ${showRough(p99)} ms, max ${showRough(max)} ms`
    : '';
  const failed = produce_failed > 0 ? `, ${showCount(produce_failed)} failed` : '';
  const left = dropped > 0 ? `; ${plural(dropped, 'timestamp')} without an event` : '';
  return `${stats.id}: ${plural(produced, 'event')} in ${showRough(seconds)} s${rate}${failed}; ${outputsText(stats)}${left}${late}`;
};

/** What the log of a run has said about its end. */
export interface RunNotes {
  /** First reason for failures of the event plugin and of each output, by `causeOf`. */
  readonly causes: Map<string, string>;
  ended: { readonly by: 'event' | 'inputs'; readonly last: string | null } | null;
  /** Writes the last line of the log, unless it is about this error, which the command reports itself. */
  release: (error: SpateError | null) => void;
}

export const newNotes = (): RunNotes => ({ causes: new Map(), ended: null, release: () => {} });

const causeOf = (kind: Json | undefined, number: Json | undefined): string =>
  kind === 'output' ? `output ${String(number)}` : String(kind);

/** Longest cause; the log has all of it. */
const MAX_CAUSE = 300;

/** A log that also remembers the first error of each plugin and what ended the stream. */
export const notedLog = (log: Log, notes: RunNotes): Log =>
  logTo((level, message, context) => {
    const { plugin_type, plugin_id, reason, ended_by, last_timestamp } = context;
    const cause = causeOf(plugin_type, plugin_id);
    const isError = level === 'error' || level === 'critical';
    if (isError && !notes.causes.has(cause)) {
      const [first = ''] = (typeof reason === 'string' ? reason : message).split('\n');
      notes.causes.set(cause, shortened(first, MAX_CAUSE));
    }
    if (ended_by === 'event' || ended_by === 'inputs')
      notes.ended = { by: ended_by, last: typeof last_timestamp === 'string' ? last_timestamp : null };
    if (context['code'] === 'reader_gone') return;
    notes.release(null);
    notes.release = (error) => {
      notes.release = () => {};
      if (error === null || error.message !== reason) log.write(level, message, context);
    };
    // An error without a plugin may be the end of the run, which the command reports itself.
    if (!isError || plugin_type !== undefined) notes.release(null);
  });

const enderText = ({ input, event }: GeneratorStats, ended: RunNotes['ended']): string => {
  if (ended === null) return 'its inputs or event plugin gave no more';
  if (ended.by === 'event') return `the event plugin ${event.plugin_name} gave no more`;
  const names = input.map(({ plugin_name }) => plugin_name);
  const who = `${names.length === 1 ? 'input' : 'inputs'} ${names.join(', ')}`;
  return ended.last === null ? `${who} gave no timestamps` : `${who} ended with the timestamp ${ended.last}`;
};

/** Message if the run ended before `--limit`; else null. */
export const shortfallText = (
  stats: GeneratorStats,
  limit: number | null,
  { ended }: Pick<RunNotes, 'ended'>,
): string | null => {
  const given = stats.event.produced_before + stats.event.produced;
  return limit === null || given >= limit
    ? null
    : `the run ended after ${showCount(given)} of ${plural(limit, 'event')} (--limit): ${enderText(stats, ended)}`;
};

/** Undelivered events, one line for each plugin and kind, with the first cause where the log has one. */
export const failureLines = (
  { event, output }: GeneratorStats,
  causes: RunNotes['causes'] = new Map(),
): readonly string[] => {
  const line = (count: number, what: string, key: string): readonly string[] => {
    const cause = causes.get(key);
    return count === 0 ? [] : [`${plural(count, 'event')} ${what}${cause === undefined ? '' : `: ${cause}`}`];
  };
  return [
    ...line(event.produce_failed, 'could not be produced', 'event'),
    ...output.flatMap((one) => {
      const { plugin_name: name, plugin_id } = one;
      const key = causeOf('output', plugin_id);
      return [
        ...line(one.format_failed, `could not be formatted for ${name}`, key),
        ...line(one.write_failed, `could not be written to ${name}`, key),
        ...line(one.dead_lettered, `for ${name} are in the dead letters`, key),
        ...line(one.abandoned, `for ${name} were abandoned`, ''),
      ];
    }),
  ];
};
