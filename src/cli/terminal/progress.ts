import type { GeneratorStats } from '../../messages/generators.js';
import { plural, showCount, showRough } from '../arguments/numbers.js';

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

/** Status line of a running generator; `eventsPerSecond` covers the last second. */
export const progressText = (stats: GeneratorStats, eventsPerSecond: number, isLive: boolean): string => {
  const late = isLive ? `; late p99 ${showRough(stats.lateness_ms.p99)} ms` : '';
  return `${stats.id}: ${plural(stats.event.produced, 'event')}, ${showRough(eventsPerSecond)}/s; ${outputsText(stats)}${late}`;
};

export const summaryText = (stats: GeneratorStats, seconds: number, isLive: boolean): string => {
  const { produced, dropped } = stats.event;
  const rate = seconds > 0 ? ` (${showRough(produced / seconds)}/s)` : '';
  const { p50, p99, max } = stats.lateness_ms;
  const late = isLive
    ? `; lateness p50 ${showRough(p50)} ms, p99 ${showRough(p99)} ms, max ${showRough(max)} ms`
    : '';
  const left = dropped > 0 ? `; ${showCount(dropped)} dropped by the event plugin` : '';
  return `${stats.id}: ${plural(produced, 'event')} in ${showRough(seconds)} s${rate}; ${outputsText(stats)}${left}${late}`;
};

/** Message if the run ended before `--limit`; else `null`. */
export const shortfallText = ({ event }: GeneratorStats, limit: number | null): string | null => {
  const given = event.produced_before + event.produced;
  return limit === null || given >= limit
    ? null
    : `the run ended after ${showCount(given)} of ${plural(limit, 'event')} (--limit): its inputs or event plugin gave no more`;
};

/** Undelivered events; `null`: none. */
export const failuresText = ({ event, output }: GeneratorStats): string | null => {
  const parts = [
    ...(event.produce_failed > 0 ? [`${plural(event.produce_failed, 'event')} could not be produced`] : []),
    ...output.flatMap(({ plugin_name, format_failed, write_failed, dead_lettered, abandoned }) => [
      ...(format_failed > 0
        ? [`${plural(format_failed, 'event')} could not be formatted for ${plugin_name}`]
        : []),
      ...(write_failed > 0
        ? [`${plural(write_failed, 'event')} could not be written to ${plugin_name}`]
        : []),
      ...(dead_lettered > 0
        ? [`${plural(dead_lettered, 'event')} for ${plugin_name} are in the dead letters`]
        : []),
      ...(abandoned > 0 ? [`${plural(abandoned, 'event')} for ${plugin_name} were abandoned`] : []),
    ]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
};
