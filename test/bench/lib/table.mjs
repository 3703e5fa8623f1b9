/** Text of a report, pure. */

/** Three digits that matter: `1,234,567`, `12.3`, `0.0123`. */
export const shown = (value) => {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'number') return String(value);
  if (!Number.isFinite(value)) return '?';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
};

/** Millions and thousands short: `12.3 M`, `82 k`. */
export const shownRate = (value) => {
  if (value === null || value === undefined) return '';
  if (value >= 1e6) return `${shown(value / 1e6)} M`;
  return value >= 1e4 ? `${shown(value / 1e3)} k` : shown(value);
};

/** `0.82 (0.78..0.85)`. */
export const shownSpread = ({ median, min, max }) =>
  min === max ? shown(median) : `${shown(median)} (${shown(min)}..${shown(max)})`;

/** `yes`, `NO`, or nothing where there is no bar. */
export const shownVerdict = (isMet) => {
  if (isMet === null) return '';
  return isMet ? 'yes' : 'NO';
};

/** Columns as wide as their longest cell; `rows` are lists of texts, the first is the head. */
export const textTable = (rows) => {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd();
  const [head, ...rest] = rows;
  return `${[line(head), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n')}\n`;
};

/** Nothing where processor time was not measured. */
const shownCpuRatio = (ratio) => (Number.isFinite(ratio) ? shown(ratio) : '');

const both = (row, name, show) =>
  [row.spate?.[name], row.yardstick_used?.[name]]
    .filter((value) => value !== null && value !== undefined)
    .map(show)
    .join(' / ');

/**
 * The lines of a report. A row of a pair case has `yardstick`, `ratio` (`{median, min, max}`), `cpu_ratio` (the same
 * by processor time), `bar` (a ratio or
 * null), `isMet`, and `spate` and `yardstick_used` (`{events_per_second, cpu_seconds, peak_mb}`, medians). A row
 * of a figure has `figure`, `value` or `spread`, `unit`, `bar` (a text or null), `isMet`.
 */
export const rowsOf = (rows) => [
  ['case', 'against', 'ratio or value', 'bar', 'met', 'by CPU', 'events/s', 'CPU s', 'peak MB'],
  ...rows.map((row) =>
    row.ratio === undefined
      ? [
          row.case,
          row.figure,
          `${row.spread === undefined ? shown(row.value) : shownSpread(row.spread)} ${row.unit}`.trim(),
          row.bar ?? '',
          shownVerdict(row.isMet ?? null),
          '',
          shownRate(row.spate?.events_per_second),
          shown(row.spate?.cpu_seconds),
          shown(row.spate?.peak_mb),
        ]
      : [
          row.case,
          row.yardstick,
          shownSpread(row.ratio),
          row.bar === null ? '' : `>= ${shown(row.bar)}`,
          shownVerdict(row.isMet),
          shownCpuRatio(row.cpu_ratio?.median),
          both(row, 'events_per_second', shownRate),
          both(row, 'cpu_seconds', shown),
          both(row, 'peak_mb', shown),
        ],
  ),
];

const cell = (text) => text.replaceAll('|', '\\|');

/** What a row is measured against, and what came out, as texts. */
const outcomeOf = (row) =>
  row.ratio === undefined
    ? [
        row.figure,
        `${shown(row.spread?.median ?? row.value)} ${row.unit ?? ''}`.trim(),
        String(row.bar ?? ''),
      ]
    : [row.yardstick, shownSpread(row.ratio), row.bar === null ? '' : `at least ${shown(row.bar)}`];

/**
 * The table of docs/performance.md: `limits` says by case what limits it. The ratio is the speed of Spate as a share of that of the
 * yardstick; a missed bar is said.
 */
export const markdownOf = (rows, limits) => {
  const lines = [
    '| case | against | ratio or value | bar | events/s | what limits it |',
    '|---|---|---|---|---|---|',
  ];
  let last = '';
  for (const row of rows) {
    const [against, outcome, bar] = outcomeOf(row);
    const verdict = row.isMet === false ? `${bar} (missed)` : bar;
    const limit = row.case === last ? '' : (limits[row.case] ?? '');
    const name = row.case === last ? '' : `\`${row.case}\``;
    const cells = [name, against, outcome, verdict, shownRate(row.spate?.events_per_second), limit];
    lines.push(`| ${cells.map(cell).join(' | ')} |`);
    last = row.case;
  }
  return `${lines.join('\n')}\n`;
};
