import { escapeHtml } from '../../domain/text/shown.js';
import { visible } from './show.js';

export interface PlotBar {
  readonly label: string;
  readonly value: number;
  /** The value as text. */
  readonly text: string;
}

export interface Plot {
  readonly title: string;
  /** Column heads of the table: label and value. */
  readonly heads: readonly [string, string];
  readonly bars: readonly PlotBar[];
}

const SLOT = 10;
const GAP = 1;
const HEIGHT = 100;

const fixed = (value: number): string => String(Math.round(value * 100) / 100);

const rect = ({ label, value, text }: PlotBar, index: number, max: number): string => {
  // A small value stays visible.
  const height = max <= 0 || value <= 0 ? 0 : Math.max(1, (value / max) * HEIGHT);
  const place = `x="${index * SLOT + GAP / 2}" y="${fixed(HEIGHT - height)}" width="${SLOT - GAP}" height="${fixed(height)}"`;
  return `<rect ${place}><title>${visibleHtml(`${label}: ${text}`)}</title></rect>`;
};

const tableOf = ({ title, heads, bars }: Plot): string =>
  `<details><summary>Values of this plot</summary><table><caption>${visibleHtml(title)}</caption>
<thead><tr><th scope="col">${visibleHtml(heads[0])}</th><th scope="col" class="number">${visibleHtml(heads[1])}</th></tr></thead>
<tbody>${bars
    .map(
      ({ label, text }) =>
        `<tr><th scope="row">${visibleHtml(label)}</th><td class="number">${visibleHtml(text)}</td></tr>`,
    )
    .join('\n')}</tbody></table></details>`;

/** Upright bars from zero beside their scale, with the outer labels and a table of all values. */
export const plotHtml = (plot: Plot): string => {
  const { title, bars } = plot;
  const highest = bars.reduce<PlotBar | null>(
    (best, bar) => (best === null || bar.value > best.value ? bar : best),
    null,
  );
  if (highest === null) return '';
  const summary = `${title}: highest ${highest.text} at ${highest.label}`;
  const labels = [bars[0], bars.length > 2 ? bars[Math.floor(bars.length / 2)] : undefined, bars.at(-1)];
  return `<figure>
<figcaption>${visibleHtml(summary)}</figcaption>
<div class="chart"><div class="scale" aria-hidden="true"><span>${visibleHtml(highest.text)}</span><span>0</span></div>
<svg class="plot" viewBox="0 0 ${bars.length * SLOT} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${visibleHtml(summary)}">
${bars.map((bar, index) => rect(bar, index, highest.value)).join('\n')}
</svg>
<div class="axis" aria-hidden="true">${(bars.length === 1 ? labels.slice(0, 1) : labels)
    .map((bar) => (bar === undefined ? '' : `<span>${visibleHtml(bar.label)}</span>`))
    .join('')}</div></div>
${tableOf(plot)}
</figure>`;
};

/** A lying bar of a share, 0 to 1; the text beside says the same. */
export const shareBar = (share: number): string =>
  `<svg class="share" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="${fixed(share * 100)}" height="10"/></svg>`;

/** Foreign text, in which invisible characters become visible. */
export const visibleHtml = (text: string): string => escapeHtml(visible(text));

/** A text of ours: a number and its percent sign stay on one line. */
export const phraseHtml = (text: string): string => visibleHtml(text).replace(/(\d) %/g, '$1&nbsp;%');
