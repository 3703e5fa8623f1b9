import type { LibraryItem, LibraryParameter } from '../../../domain/library.js';
import { bullets, twoColumns } from '../../arguments/help.js';
import { plural } from '../../arguments/numbers.js';

const KB = 1_000;

/** `1.8 kB`, `640 B` */
const showBytes = (bytes: number): string =>
  bytes < KB ? `${bytes} B` : `${(Math.round(bytes / (KB / 10)) / 10).toFixed(1)} kB`;

const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1)).trimEnd()}…`;

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(({ length }) => length));

/** One line each: name, summary, size of an event, anomalies. Long summaries are cut to fit `width`. */
export const listText = (items: readonly LibraryItem[], width: number): string => {
  const rows = items.map(({ name, summary, event_bytes, anomalies }) => ({
    name,
    summary,
    size: showBytes(event_bytes),
    attacks: anomalies.length === 1 ? '1 anomaly' : `${anomalies.length} anomalies`,
  }));
  const [names, sizes, attacks] = [
    widest(rows.map(({ name }) => name)),
    widest(rows.map(({ size }) => size)),
    widest(rows.map((row) => row.attacks)),
  ];
  const free = Math.max(20, width - names - sizes - attacks - 6);
  const summaries = Math.min(free, widest(rows.map(({ summary }) => summary)));
  return rows
    .map(({ name, summary, size, attacks: count }) =>
      [name.padEnd(names), cut(summary, summaries).padEnd(summaries), size.padStart(sizes), count].join('  '),
    )
    .map((line) => `${line}\n`)
    .join('');
};

const parameterRow = ({ name, default: fallback, help }: LibraryParameter) =>
  [name, `${/[.!?]$/.test(help) ? help : `${help}.`} Default ${JSON.stringify(fallback)}.`] as const;

const section = (title: string, text: string): readonly string[] =>
  text === '' ? [] : [`${title}:\n${text}`];

/** Everything about a library generator; `path` and `program` as the user can type them. */
export const itemText = (item: LibraryItem, path: string, program: string): string => {
  const { name, summary, event_bytes, templates, parameters, anomalies, detections } = item;
  const made = templates === 0 ? '' : `, from ${plural(templates, 'template')}`;
  return `${[
    `${name}: ${summary}`,
    `An event has about ${showBytes(event_bytes)}${made}.`,
    ...section('parameters', twoColumns(parameters.map(parameterRow))),
    ...section(
      'anomalies (values of the parameter or scenario global `anomaly`)',
      twoColumns(anomalies.map((anomaly) => [anomaly.name, anomaly.help])),
    ),
    ...section('detections', bullets(detections)),
    `start:
  ${program} generate ${path} --limit 5    # see five events
  ${program} init my-${item.category} --from ${name}    # make a copy to change`,
    `files: ${path}`,
  ].join('\n\n')}\n`;
};
