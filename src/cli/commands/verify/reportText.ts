import { LABELLED } from '../../../domain/imperfections/imperfections.js';
import { type InputLine, type Mismatch, purposeOf, type VerifyReport } from '../../../verify/report.js';
import type { Range } from '../../../verify/sequences.js';
import type { Latency, StreamReport } from '../../../verify/streamTally.js';
import type { FlawCounts } from '../../../verify/truth.js';
import { plural, showCount, showRough } from '../../arguments/numbers.js';

/** ` (a, b, ...)`; dots mark a cut list. */
const listed = (items: readonly string[], isWhole: boolean): string =>
  items.length === 0 ? '' : ` (${[...items, ...(isWhole ? [] : ['...'])].join(', ')})`;

const showRange = ([from, to]: Range): string => (from === to ? String(from) : `${from}-${to}`);

const sizeOf = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);

const showLine = ({ input, line }: InputLine): string => (input === '' ? `line ${line}` : `${input}:${line}`);

const showMismatch = (mismatch: Mismatch): string =>
  `${showLine(mismatch)}: ${mismatch.stream}:${mismatch.sequence}`;

const latencyText = ({ p50, p99, max, early }: Latency): string => {
  const before = early === 0 ? '' : `; ${showCount(early)} before their timestamp`;
  return `latency p50 ${showRough(p50)} ms, p99 ${showRough(p99)} ms, max ${showRough(max)} ms${before}`;
};

const purposeText = (counts: FlawCounts): string => {
  const some = LABELLED.filter((flaw) => counts[flaw] > 0);
  return some.length === 0
    ? 'nothing'
    : some.map((flaw) => `${showCount(counts[flaw])} ${flaw.replaceAll('_', ' ')}`).join(', ');
};

const streamText = (stream: StreamReport): string => {
  const { lost, duplicates, out_of_order, latency_ms, on_purpose } = stream;
  const lines = [
    `stream ${stream.stream}: ${plural(stream.events, 'event')}, numbers ${stream.first}..${stream.last}`,
    `lost ${showCount(lost.count)}${listed(lost.ranges.map(showRange), sizeOf(lost.ranges) >= lost.count)}`,
    `duplicates ${showCount(duplicates.count)}${listed(duplicates.first.map(String), duplicates.first.length >= duplicates.count)}`,
    out_of_order === null
      ? 'order not checked: table rows have none'
      : `out of order ${showCount(out_of_order)}`,
    ...(on_purpose === null ? [] : [`on purpose: ${purposeText(on_purpose)}`]),
    ...(latency_ms === null ? [] : [latencyText(latency_ms)]),
  ];
  return lines.join('\n  ');
};

interface Listed<P> {
  readonly count: number;
  readonly first: readonly P[];
}

const counted = <P>(
  what: string,
  { count, first }: Listed<P>,
  show: (place: P) => string,
): readonly string[] =>
  count === 0 ? [] : [`${what} ${showCount(count)}${listed(first.map(show), first.length >= count)}`];

export const reportText = (report: VerifyReport, seconds: number): string => {
  const rate = seconds > 0 ? ` (${showRough(report.lines / seconds)}/s)` : '';
  const lines = [
    `${plural(report.lines, 'line')} in ${showRough(seconds)} s${rate}`,
    ...counted('without a mark', report.unmarked, showLine),
    ...counted('torn', report.torn, showLine),
    ...counted('wrong checksum', report.mismatches, showMismatch),
    ...counted('too long to check', report.too_long, showLine),
    ...(report.unchecked === 0 ? [] : [`with a mark but no text ${showCount(report.unchecked)}`]),
  ];
  const verdict = report.ok
    ? purposeOf(report.streams) === null
      ? `ok: ${report.events === 1 ? 'the event' : `all ${showCount(report.events)} events`} arrived`
      : `ok: ${plural(report.events, 'event')} arrived; the ground truth explains the rest`
    : `not ok: ${report.problems.join(', ')}`;
  return `${[...report.streams.map(streamText), lines.join('\n  '), verdict].join('\n')}\n`;
};
