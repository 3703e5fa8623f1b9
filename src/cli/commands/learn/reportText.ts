import {
  countText,
  fitted,
  showBytes,
  showNumber,
  shownWidthOf,
  showSeconds,
  showShare,
  visible,
} from '../../../analysis/inspect/show.js';
import type { Comparison, GapComparison } from '../../../analysis/learn/compare/compare.js';
import { kindText, privateText, TITLES, undatedText } from '../../../analysis/learn/emit/words.js';
import { MAX_RECORDS } from '../../../analysis/learn/limits.js';
import type { Model } from '../../../analysis/learn/model.js';
import { relationsOf } from '../../../analysis/learn/report.js';
import { plural } from '../../../domain/text/shown.js';

const HEAD_WIDTH = 10;
const MAX_FIELDS = 30;
const GAP = '  ';

type Line = readonly [head: string, text: string];

const formatText = ({ formats, records }: Model): string =>
  formats
    .map(([format, count]) => `${TITLES[format]}${count === records ? '' : ` (${countText(count)} records)`}`)
    .join(', ');

const leftOutText = ({ left_out: { too_long, binary, bad_characters } }: Model): string =>
  [
    ...(binary === 0 ? [] : [`${plural(binary, 'line')} with binary data left out`]),
    ...(too_long === 0 ? [] : [`${plural(too_long, 'line')} left out that are too long`]),
    ...(bad_characters === 0 ? [] : [`${plural(bad_characters, 'character')} are no valid UTF-8`]),
  ].join('; ');

const timesText = ({ times }: Model): string => times?.format ?? 'none found';

const rateText = ({ rate }: Model, comparison: Comparison): string => {
  if (rate === null) return 'unknown; the generator makes 1 event/s';
  const { hours, weekdays, arrivals, seconds } = rate;
  const shape =
    hours === null
      ? 'too short for a curve over the day'
      : weekdays === null
        ? 'by hour'
        : 'by hour and weekday';
  const { log, generated } = comparison.rate;
  return `${showNumber(log ?? 0)} events/s over ${showSeconds(seconds)}, generated ${showNumber(generated)}; ${arrivals}, ${shape}`;
};

const cutText = (path: string, { records }: Model): string =>
  `only the start of ${visible(path)} was read: ${
    // A header is read, but no record.
    records >= MAX_RECORDS - 1 ? `at most ${countText(MAX_RECORDS)} records are` : 'raise --max-mb'
  }`;

const gapsText = ({ median, variation, difference }: GapComparison): string =>
  `median ${showSeconds(median.log)}, generated ${showSeconds(median.generated)}; ` +
  `variation ${showNumber(variation.log)}, generated ${showNumber(variation.generated)}; difference ${showShare(difference)}`;

const headLines = (model: Model, comparison: Comparison, cutLogs: readonly string[]): readonly Line[] => {
  const { shapes, copied, header } = model;
  const tied = relationsOf(model);
  const left = leftOutText(model);
  const undated = undatedText(model);
  return [
    ['format', formatText(model)],
    ...(left === '' ? [] : [['left out', left] as const]),
    ...cutLogs.map((path): Line => ['cut', cutText(path, model)]),
    ['times', timesText(model)],
    ...(undated === null ? [] : [['no time', undated] as const]),
    ['rate', rateText(model, comparison)],
    ...(comparison.gaps === null ? [] : [['gaps', gapsText(comparison.gaps)] as const]),
    [
      'templates',
      `${shapes.length}${copied === 0 ? '' : `; ${plural(copied, 'record')} fit none and are repeated whole`}`,
    ],
    ['relations', tied === 0 ? 'none found' : `${plural(tied, 'table')} of values that belong together`],
    ['private', privateText(model.replaced)],
    ...(header === null ? [] : [['header', `${visible(header)} (no event)`] as const]),
  ];
};

const HEADS = ['field', 'records', 'kind', 'distinct', 'generated', 'difference'] as const;
const IS_RIGHT = [false, true, false, true, true, true];

const fieldLines = ({ fields }: Comparison, width: number): readonly string[] => {
  const shown = fields.toSorted((a, b) => (b.difference ?? -1) - (a.difference ?? -1)).slice(0, MAX_FIELDS);
  const rows = [
    [...HEADS],
    ...shown.map(({ name, share, kind, distinct, difference, is_by_rank }) => [
      fitted(visible(name), 40),
      showShare(share),
      kindText(kind),
      countText(distinct.log),
      countText(distinct.generated),
      difference === null ? '' : `${showShare(difference)}${is_by_rank ? ' by rank' : ''}`,
    ]),
  ];
  const widths = HEADS.map((_, column) => Math.max(...rows.map((row) => shownWidthOf(row[column] ?? ''))));
  const more = fields.length - shown.length;
  return [
    ...rows.map((row) =>
      fitted(
        row
          .map((text, column) => {
            const space = ' '.repeat(Math.max(0, (widths[column] ?? 0) - shownWidthOf(text)));
            return IS_RIGHT[column] === true ? space + text : text + space;
          })
          .join(GAP)
          .trimEnd(),
        width,
      ),
    ),
    ...(more > 0 ? [`... ${plural(more, 'field')} with smaller differences: see --json`] : []),
  ];
};

/** The report in `width` columns. */
export const learnReportText = (
  name: string,
  model: Model,
  comparison: Comparison,
  { width, cutLogs }: { readonly width: number; readonly cutLogs: readonly string[] },
): string => {
  const { worst, events, unmatched } = comparison;
  const close: Line = [
    'close',
    `enumerations within ${showShare(worst.enumeration)}, numbers within ${showShare(worst.number)} ` +
      `in ${countText(events)} generated events${unmatched === 0 ? '' : `; ${countText(unmatched)} look like none of the log`}`,
  ];
  const lines = [
    `${visible(name)}: ${plural(model.records, 'record')}, ${showBytes(model.bytes)}`,
    ...[...headLines(model, comparison, cutLogs), close].map(
      ([head, text]) => `  ${head.padEnd(HEAD_WIDTH)}${text}`,
    ),
    '',
    ...fieldLines(comparison, width),
  ];
  return `${lines.join('\n')}\n`;
};
