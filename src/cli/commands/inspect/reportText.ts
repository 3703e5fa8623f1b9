import { hourlyRates } from '../../../analysis/inspect/rates.js';
import type { FieldReport, InspectReport } from '../../../analysis/inspect/report.js';
import {
  countText,
  distinctText,
  entropyText,
  fieldName,
  fitted,
  hoursText,
  isUniqueLike,
  itemsText,
  kindsText,
  lengthText,
  madeText,
  numbersText,
  repeatsText,
  scheduleText,
  showBytes,
  showNumber,
  shownWidthOf,
  showSeconds,
  showShare,
  typesText,
  visible,
} from '../../../analysis/inspect/show.js';
import { widened } from '../../../analysis/inspect/tally/timeBins.js';
import type { Micros } from '../../../domain/time/micros.js';

/** Heads of the lines before the fields. */
const HEAD_WIDTH = 10;
const MAX_VALUE = 24;
/** Fields of the table. */
const MAX_FIELDS = 200;
/** Columns of the line of times. */
const MAX_TIMES = 100;
const GAP = '  ';
const STEPS = '▁▂▃▄▅▆▇█';

/** Each value as a block of its height; nothing as a blank. */
const spark = (values: readonly number[]): string => {
  const max = Math.max(...values);
  return values
    .map((value) => (value <= 0 ? ' ' : STEPS[Math.min(7, Math.floor((value / max) * 8))]))
    .join('');
};

const SECONDS_PER_DAY = 86_400;

type Iso = (at: Micros) => string;

const scheduleLines = (report: InspectReport, iso: Iso): readonly string[] => {
  const { schedule, rates } = report;
  const { events_per_second: events, bytes_per_second: bytes } = rates;
  const hours = hourlyRates(schedule, rates.events_per_timestamp);
  if (schedule.timestamps === 0) return ['the inputs give no timestamps in the coming 24 hours'];
  return [
    `${showNumber(events.mean)} events/s in ${scheduleText(report)}; ${hoursText(report, (at) => iso(at).slice(11, 16))}`,
    `${showBytes(bytes.mean)}/s; ${showNumber(events.mean * SECONDS_PER_DAY)} events, ${showBytes(rates.bytes_per_day)} a day`,
    `${iso(schedule.from).slice(11, 16)} ${spark(hours)} by hour`,
  ];
};

const timeLine = ({ times }: InspectReport, iso: Iso, width: number): string => {
  const { bins, width_seconds } = widened(times, Math.max(8, width - 45));
  const [first] = bins;
  if (first === undefined) return '';
  return `${iso(first.start)} ${spark(bins.map(({ count }) => count))} by ${showSeconds(width_seconds)}`;
};

const headLines = (
  report: InspectReport,
  iso: Iso,
  width: number,
): readonly (readonly [string, string])[] => {
  const { size_bytes: size, gzip, speed } = report;
  const [first = '', ...more] = scheduleLines(report, iso);
  const lines: (readonly [string, string])[] = [
    ['schedule', first],
    ...more.map((line) => ['', line] as const),
    [
      'speed',
      `${showNumber(speed.events_per_second)} events/s, ${showBytes(speed.bytes_per_second)}/s made by this machine in ${showSeconds(speed.seconds)}`,
    ],
  ];
  if (size === null) return lines;
  return [
    ...lines,
    [
      'size',
      `median ${showBytes(size.median)}, p95 ${showBytes(size.p95)}, min ${showBytes(size.min)}, max ${showBytes(size.max)}`,
    ],
    ['format', kindsText(report)],
    ['repeats', repeatsText(report).join('; ')],
    ...(gzip === null ? [] : [['gzip', `${showNumber(gzip.ratio)} times smaller at level 6`] as const]),
    ['times', timeLine(report, iso, Math.min(width, MAX_TIMES) - HEAD_WIDTH)],
  ];
};

const valuesText = (field: FieldReport): string => {
  const { top, numbers, distinct } = field;
  const shown = (value: string, type: string): string => {
    const text = fitted(visible(value), MAX_VALUE);
    return type === 'string' ? `"${text}"` : text;
  };
  const [first] = top;
  if (first === undefined) return itemsText(field);
  if (isUniqueLike(field)) {
    const range = numbers === null ? lengthText(field) : numbersText(field);
    return `e.g. ${shown(first.value, first.type)}; ${range}`;
  }
  const list = top.map(({ value, type, share }) =>
    distinct.count === 1 ? shown(value, type) : `${shown(value, type)} ${showShare(share)}`,
  );
  const range = numbers === null || distinct.count <= top.length ? '' : `${numbersText(field)}; `;
  return range + list.join(', ');
};

const FIELD_HEADS = ['field', 'events', 'type', 'distinct', 'bits', 'values'] as const;
/** Columns of numbers. */
const IS_RIGHT = [false, true, false, true, true, false];

const fieldLines = (fields: readonly FieldReport[], width: number): readonly string[] => {
  const nameWidth = Math.max(12, Math.floor(width * 0.36));
  const rows = [
    [...FIELD_HEADS],
    ...fields
      .slice(0, MAX_FIELDS)
      .map((field) => [
        fitted(visible(fieldName(field)), nameWidth),
        showShare(field.share),
        fitted(typesText(field), 14),
        distinctText(field),
        entropyText(field),
        valuesText(field),
      ]),
  ];
  const widths = FIELD_HEADS.map((_, column) =>
    Math.max(...rows.map((row) => shownWidthOf(row[column] ?? ''))),
  );
  const padded = (text: string, column: number): string => {
    const space = ' '.repeat(Math.max(0, (widths[column] ?? 0) - shownWidthOf(text)));
    return IS_RIGHT[column] === true ? space + text : text + space;
  };
  const more = fields.length - MAX_FIELDS;
  return [
    ...rows.map((row) => fitted(row.map(padded).join(GAP).trimEnd(), width)),
    ...(more > 0 ? [`... ${countText(more)} more fields: see --json or --html`] : []),
  ];
};

/** A line with a head, wrapped at blanks. */
const wrapped = (head: string, text: string, width: number): readonly string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && shownWidthOf(line) + 1 + shownWidthOf(word) > width - HEAD_WIDTH - 2) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one, index) => `  ${(index === 0 ? head : '').padEnd(HEAD_WIDTH)}${one}`);
};

/** The report in `width` columns. */
export const inspectReportText = (report: InspectReport, iso: Iso, width: number): string => {
  const { generator, fields, failures, limits, seed, made } = report;
  const lines = [
    `${generator}: ${madeText(report)} from ${iso(report.now)}`,
    `  ${'seed'.padEnd(HEAD_WIDTH)}${visible(seed)}`,
    ...headLines(report, iso, width).map(([head, text]) => `  ${head.padEnd(HEAD_WIDTH)}${text}`),
    ...failures.flatMap(({ kind, reason, count }) =>
      wrapped('failed', `${countText(count)} times, ${kind}: ${visible(reason)}`, width),
    ),
    ...limits.flatMap(({ limit, max, message }) =>
      wrapped('limit', `${limit} ${countText(max)}: ${message}`, width),
    ),
  ].map((line) => fitted(line, width));
  const table = fields.length === 0 || made === 0 ? [] : ['', ...fieldLines(fields, width)];
  return `${[...lines, ...table].join('\n')}\n`;
};
