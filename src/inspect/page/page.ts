import { createHash } from 'node:crypto';
import type { Micros } from '../../domain/time/micros.js';
import { hoursText, kindsText, madeText, repeatsText, scheduleText } from '../facts.js';
import { hourlyRates } from '../rates.js';
import type { InspectReport } from '../report.js';
import { showBytes, showCount, showNumber, showSeconds } from '../show.js';
import { phraseHtml, visibleHtml } from './escape.js';
import { fieldsHtml } from './fields.js';
import { type Bar, plotHtml } from './plots.js';
import { STYLE } from './style.js';

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

const scheduleBars = ({ schedule, rates }: InspectReport, iso: Iso): readonly Bar[] => {
  const perSecond = hourlyRates(schedule, rates.events_per_timestamp);
  return schedule.hours.map(({ start }, index) => {
    const value = perSecond[index] ?? 0;
    return { label: iso(start).slice(0, 16).replace('T', ' '), value, text: `${showNumber(value)} events/s` };
  });
};

const sizeBars = ({ size_bins }: InspectReport): readonly Bar[] =>
  size_bins.map(({ from, to, count }) => ({
    label: from === to ? `${showCount(from)} B` : `${showCount(from)} to ${showCount(to)} B`,
    value: count,
    text: showCount(count),
  }));

const timeBars = ({ times }: InspectReport, iso: Iso): readonly Bar[] =>
  times.bins.map(({ start, count }) => ({
    label: iso(start)
      .replace('T', ' ')
      .replace(/[+-]\d\d:\d\d$/, ''),
    value: count,
    text: showCount(count),
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
            failures.map(({ kind, reason, count }) => `${showCount(count)} times, ${kind}: ${reason}`),
          ),
    ],
    [
      'limits',
      'Limits that were hit',
      limits.length === 0
        ? ''
        : listHtml(limits.map(({ limit, max, message }) => `${limit} (${showCount(max)}): ${message}.`)),
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
