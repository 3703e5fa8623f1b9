import { createHash } from 'node:crypto';
import type { Micros } from '../../domain/time/micros.js';
import { type PlotBar, phraseHtml, plotHtml, shareBar, visibleHtml } from './plots.js';
import { hourlyRates } from './rates.js';
import type { FieldReport, InspectReport, TopValue } from './report.js';
import {
  countText,
  distinctText,
  entropyText,
  fieldName,
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
  showSeconds,
  showShare,
  typesText,
} from './show.js';

const STYLE = `
:root {
  color-scheme: light dark;
  --back: #fff; --panel: #f5f6f8; --text: #1c2128; --faint: #59636e; --line: #d5d9df; --bar: #2f6fb5; --focus: #b35900;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171c; --panel: #1d2229; --text: #e4e8ee; --faint: #9aa5b1; --line: #363d47; --bar: #5b9fe6; --focus: #ffb454;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 0 1rem 3rem; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: 1.5rem 0 0.25rem; font-size: 1.75rem; overflow-wrap: anywhere; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.3rem; }
h3 { margin: 1.75rem 0 0.25rem; font: 600 1rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
p { margin: 0.25rem 0; }
.faint, figcaption, caption { color: var(--faint); }
a { color: inherit; text-decoration-color: var(--bar); }
a:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0.75rem 0; padding: 0; list-style: none; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0.75rem; margin: 0; }
.figures div { padding: 0.6rem 0.8rem; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); }
dt { color: var(--faint); font-size: 0.85rem; }
dd { margin: 0; }
.figures dd.main { font-size: 1.25rem; font-weight: 600; }
.figures dd + dd { color: var(--faint); font-size: 0.85rem; }
figure { margin: 0.5rem 0 1rem; }
.chart { display: grid; grid-template-columns: auto minmax(0, 1fr); column-gap: 0.5rem; }
.scale { display: flex; flex-direction: column; justify-content: space-between; text-align: right; white-space: nowrap; color: var(--faint); font-size: 0.85rem; }
.plot { display: block; width: 100%; height: 9rem; border-bottom: 1px solid var(--faint); background: var(--panel); }
.plot rect, .share rect { fill: var(--bar); }
.axis { grid-column: 2; display: flex; justify-content: space-between; gap: 1rem; color: var(--faint); font-size: 0.85rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { padding: 0.25rem 0; text-align: left; }
th, td { padding: 0.25rem 1rem 0.25rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { color: var(--faint); font-weight: 500; white-space: nowrap; }
tbody th { font: 0.9rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.number { text-align: right; white-space: nowrap; }
.values tbody th { width: 50%; min-width: 7rem; }
.values .bar { width: 30%; min-width: 3rem; }
.share { display: block; width: 100%; height: 0.8rem; margin-top: 0.3rem; background: var(--panel); }
.fields tbody th { min-width: 12rem; }
.fields td:last-child { width: 32%; min-width: 12rem; }
@media (max-width: 40rem) {
  th, td { padding-right: 0.6rem; }
  .values tbody th { width: 40%; }
  .values .bar { width: 15%; }
}
details { margin: 0.5rem 0; }
summary { cursor: pointer; color: var(--faint); }
.notes { padding-left: 1.25rem; overflow-wrap: anywhere; }
`;

/** The page may load nothing and run nothing; its one style sheet is known by its hash. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE, 'utf8').digest('base64')}'; base-uri 'none'; form-action 'none'`;

type Iso = (at: Micros) => string;
type Figure = readonly [name: string, main: string, ...more: string[]];

const figureHtml = ([name, main, ...more]: Figure): string =>
  `<div><dt>${visibleHtml(name)}</dt><dd class="main">${phraseHtml(main)}</dd>${more
    .map((text) => `<dd>${phraseHtml(text)}</dd>`)
    .join('')}</div>`;

const formatFigure = (report: InspectReport): Figure => {
  const text = kindsText(report);
  return Object.keys(report.kinds).length > 1 ? ['Format', 'mixed', text] : ['Format', text || 'no event'];
};

const figures = (report: InspectReport, iso: Iso): readonly Figure[] => {
  const { rates, speed, size_bytes, gzip } = report;
  const { events_per_second: events, bytes_per_second: bytes } = rates;
  const all: Figure[] = [
    ['Schedule', `${showNumber(events.mean)} events/s`, hoursText(report, (at) => iso(at).slice(11, 16))],
    [
      'Volume',
      `${showBytes(rates.bytes_per_day)}/day`,
      `${showBytes(bytes.mean)}/s, busiest hour ${showBytes(bytes.max)}/s`,
    ],
    [
      'Speed of this machine',
      `${showNumber(speed.events_per_second)} events/s`,
      `${showBytes(speed.bytes_per_second)}/s, measured in ${showSeconds(speed.seconds)}`,
    ],
  ];
  if (size_bytes !== null)
    all.push([
      'Size of an event',
      `${showBytes(size_bytes.median)} median`,
      `${showBytes(size_bytes.min)} to ${showBytes(size_bytes.max)}, 95 % up to ${showBytes(size_bytes.p95)}`,
    ]);
  if (gzip !== null)
    all.push([
      'gzip',
      `${showNumber(gzip.ratio)} times smaller`,
      `level 6, ${showBytes(gzip.bytes)} to ${showBytes(gzip.compressed_bytes)}`,
    ]);
  all.push(formatFigure(report), ['Repeats', ...repeatsText(report)]);
  return all;
};

const scheduleBars = ({ schedule, rates }: InspectReport, iso: Iso): readonly PlotBar[] => {
  const perSecond = hourlyRates(schedule, rates.events_per_timestamp);
  return schedule.hours.map(({ start }, index) => {
    const value = perSecond[index] ?? 0;
    return { label: iso(start).slice(0, 16).replace('T', ' '), value, text: `${showNumber(value)} events/s` };
  });
};

const sizeBars = ({ size_bins }: InspectReport): readonly PlotBar[] =>
  size_bins.map(({ from, to, count }) => ({
    label: from === to ? `${countText(from)} B` : `${countText(from)} to ${countText(to)} B`,
    value: count,
    text: countText(count),
  }));

const timeBars = ({ times }: InspectReport, iso: Iso): readonly PlotBar[] =>
  times.bins.map(({ start, count }) => ({
    label: iso(start)
      .replace('T', ' ')
      .replace(/[+-]\d\d:\d\d$/, ''),
    value: count,
    text: countText(count),
  }));

const section = (id: string, title: string, content: string): string =>
  content === ''
    ? ''
    : `<section aria-labelledby="${id}">\n<h2 id="${id}">${visibleHtml(title)}</h2>\n${content}\n</section>`;

const listHtml = (texts: readonly string[]): string =>
  `<ul class="notes">${texts.map((text) => `<li>${visibleHtml(text)}</li>`).join('\n')}</ul>`;

/** The report as one page without scripts or links to elsewhere. `iso` formats instants in the zone of the generator. */
export const inspectPage = (report: InspectReport, iso: Iso): string => {
  const { generator, seed, now, timezone, times, limits, failures } = report;
  const name = visibleHtml(generator);
  const parts: readonly (readonly [id: string, title: string, content: string])[] = [
    ['figures', 'Key figures', `<dl class="figures">${figures(report, iso).map(figureHtml).join('\n')}</dl>`],
    [
      'schedule',
      'Schedule',
      plotHtml({
        title: `Events a second by hour, ${scheduleText(report)}`,
        heads: ['Hour from', 'Events/s'],
        bars: scheduleBars(report, iso),
      }),
    ],
    [
      'sizes',
      'Sizes',
      plotHtml({ title: 'Events by size', heads: ['Size', 'Events'], bars: sizeBars(report) }),
    ],
    [
      'times',
      'Timestamps of the sample',
      plotHtml({
        title: `Events per ${showSeconds(times.width_seconds)}`,
        heads: ['From', 'Events'],
        bars: timeBars(report, iso),
      }),
    ],
    ['fields', 'Fields', report.made === 0 ? '' : fieldsHtml(report.fields)],
    [
      'failures',
      'Failures',
      failures.length === 0
        ? ''
        : listHtml(
            failures.map(({ kind, reason, count }) => `${countText(count)} times, ${kind}: ${reason}`),
          ),
    ],
    [
      'limits',
      'Limits that were hit',
      limits.length === 0
        ? ''
        : listHtml(limits.map(({ limit, max, message }) => `${limit} (${countText(max)}): ${message}.`)),
    ],
  ];
  const shown = parts.filter(([, , content]) => content !== '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${name}: what it makes</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${name}</h1>
<p>${visibleHtml(madeText(report))} from ${visibleHtml(iso(now))} (${visibleHtml(timezone)}), seed ${visibleHtml(seed)}</p>
<nav aria-label="Sections"><ul>${shown.map(([id, title]) => `<li><a href="#${id}">${visibleHtml(title)}</a></li>`).join('\n')}</ul></nav>
</header>
<main>
${shown.map(([id, title, content]) => section(id, title, content)).join('\n')}
</main>
</body>
</html>
`;
};

const idOf = (index: number): string => `field-${index + 1}`;

const cell = (text: string, isNumber = true): string =>
  `<td${isNumber ? ' class="number"' : ''}>${phraseHtml(text)}</td>`;

const rowOf = (field: FieldReport, index: number): string =>
  `<tr><th scope="row"><a href="#${idOf(index)}">${visibleHtml(fieldName(field))}</a></th>${[
    cell(showShare(field.share)),
    cell(typesText(field), false),
    cell(distinctText(field)),
    cell(entropyText(field)),
    cell(
      [numbersText(field), lengthText(field), itemsText(field)].filter((text) => text !== '').join('; '),
      false,
    ),
  ].join('')}</tr>`;

const valueRow = ({ value, count, share, type, is_cut, is_exact }: TopValue): string => {
  const text = type === 'string' ? `${value}${is_cut ? '…' : ''}` : value;
  const name = text === '' ? '<span class="faint">(empty)</span>' : visibleHtml(text);
  return `<tr><th scope="row">${name}</th><td class="bar">${shareBar(share)}</td>${cell(
    `${is_exact ? '' : 'at least '}${countText(count)}`,
  )}${cell(showShare(share))}</tr>`;
};

const captionOf = (field: FieldReport): string => {
  if (isUniqueLike(field)) return 'Some values; none is frequent';
  return field.distinct.count > field.top.length ? 'Most frequent values' : 'All values';
};

const topTable = (field: FieldReport): string =>
  field.top.length === 0
    ? ''
    : `<div class="scroll" role="region" aria-label="Values of ${visibleHtml(fieldName(field))}" tabindex="0"><table class="values">
<caption>${captionOf(field)}</caption>
<thead><tr><th scope="col">Value</th><th scope="col" class="bar">Bar</th><th scope="col" class="number">Count</th><th scope="col" class="number">Share</th></tr></thead>
<tbody>${field.top.map(valueRow).join('\n')}</tbody></table></div>`;

const sectionOf = (field: FieldReport, index: number): string => {
  const facts = [
    `in ${showShare(field.share)} of the events`,
    typesText(field),
    ...(field.distinct.count === 0
      ? []
      : [
          `${distinctText(field)} distinct ${field.distinct.count === 1 ? 'value' : 'values'}`,
          `entropy ${entropyText(field)} bits`,
        ]),
    numbersText(field),
    lengthText(field),
    itemsText(field),
  ].filter((text) => text !== '');
  return `<section aria-labelledby="${idOf(index)}">
<h3 id="${idOf(index)}">${visibleHtml(fieldName(field))}</h3>
<p class="faint">${phraseHtml(facts.join('; '))}</p>
${topTable(field)}
</section>`;
};

/** The overview of the fields, then each with its values. */
const fieldsHtml = (fields: readonly FieldReport[]): string =>
  fields.length === 0
    ? '<p>The events are text without fields: neither JSON, CEF nor key=value.</p>'
    : `<div class="scroll" role="region" aria-label="Overview of the fields" tabindex="0"><table class="fields">
<caption>${countText(fields.length)} ${fields.length === 1 ? 'field' : 'fields'}; a tilde marks an estimate</caption>
<thead><tr><th scope="col">Field</th><th scope="col" class="number">Events</th><th scope="col">Type</th><th scope="col" class="number">Distinct</th><th scope="col" class="number">Entropy, bits</th><th scope="col">Range</th></tr></thead>
<tbody>${fields.map(rowOf).join('\n')}</tbody></table></div>
${fields.map(sectionOf).join('\n')}`;
