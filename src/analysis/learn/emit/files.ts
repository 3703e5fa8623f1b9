import type { Comparison } from '../compare/compare.js';
import type { LearnedRate, Model } from '../model.js';
import { type SampleFile, templateOf } from './template.js';
import { kindText, privateText, TITLES, undatedText } from './words.js';

interface EmitOptions {
  /** Name of the config file. */
  readonly config_file: string;
  /** For the README; null: none yet. */
  readonly comparison: Comparison | null;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const tableCell = (text: string): string => text.replaceAll('|', '\\|').replace(/[\r\n]+/g, ' ');

const tableOf = ({ fields }: Comparison): readonly string[] => [
  '| field | records | kind | distinct in the log | distinct generated | difference |',
  '|---|---|---|---|---|---|',
  ...fields.map(
    ({ name, share, kind, distinct, difference }) =>
      `| \`${tableCell(name)}\` | ${percent(share)} | ${kindText(kind)} | ${distinct.log} | ${distinct.generated} | ${difference === null ? '' : percent(difference)} |`,
  ),
];

const gapLines = ({ gaps }: Comparison): readonly string[] =>
  gaps === null ? [] : [`The times between events differ by ${percent(gaps.difference)}, as numbers do.`, ''];

/** README of a learned generator. It names fields and counts, never values. */
const readmeOf = (name: string, model: Model, { config_file, comparison }: EmitOptions): string => {
  const { formats, records, shapes, copied, header, times, replaced } = model;
  const undated = undatedText(model);
  return [
    `# ${name}`,
    '',
    'Made by `spate learn` from a log. Edit it as any other generator:',
    '',
    `- \`${config_file}\`: the rate of the log, and one template for each kind of record with its weight`,
    '- `templates/`: the literal text of the records, and how each value is made',
    '- `samples/`: values that the log repeats, with their weights. Columns of one file are drawn together',
    '',
    '## What was found',
    '',
    `- ${records} records: ${formats.map(([format, count]) => `${count} of ${TITLES[format]}`).join(', ')}`,
    `- ${shapes.length} templates${copied === 0 ? '' : `; ${copied} records fit none and are repeated as whole texts: read them in \`samples/\` before you share this directory`}`,
    times === null
      ? '- no times: the rate is a guess'
      : `- times as \`${times.format}\` in ${times.found} of ${records} records; they are written in the time zone of the generator`,
    ...(undated === null ? [] : [`- **${undated}**`]),
    `- private values: ${privateText(replaced)}`,
    ...(header === null
      ? []
      : [`- the header \`${tableCell(header)}\` is no event: write it to the file before you append events`]),
    '',
    ...(comparison === null
      ? []
      : [
          '## How close it is',
          '',
          `Measured on ${comparison.events} generated events. The difference of an enumeration is the greatest one of the share of a value; of a number, the Kolmogorov-Smirnov distance.`,
          '',
          ...tableOf(comparison),
          '',
          ...gapLines(comparison),
        ]),
    'Not learned: the order of records, and values that hang together over several records.',
    '',
  ].join('\n');
};

/** First line of a config that `spate learn` made: only such directories are replaced. */
export const MADE_BY = '# Made by spate learn.';

/** Text files of a generator by relative path. */
export type EmittedFiles = ReadonlyMap<string, string>;

const csvCell = (text: string): string =>
  /[",\r\n]/.test(text) || /^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const csvOf = ({ columns, rows }: SampleFile): string =>
  [
    [...columns, 'weight'].join(','),
    ...rows.map(({ values, weight }) => [...values.map(csvCell), weight].join(',')),
    '',
  ].join('\n');

/** Lengths of bursts close to their mean: with heavy tails, the mean rate of a day is chance. */
const ALPHA = 10;

const inputLines = (rate: LearnedRate | null): readonly string[] => {
  if (rate === null) return ['      events_per_second: 1 # the log has no times', '      arrivals: poisson'];
  const { events_per_second, arrivals, burst, hours, weekdays } = rate;
  return [
    `      events_per_second: ${events_per_second}`,
    `      arrivals: ${arrivals}`,
    ...(burst === null ? [] : [`      burst: {on: ${burst.on}, off: ${burst.off}, alpha: ${ALPHA}}`]),
    ...(hours === null
      ? []
      : [
          '      shape: daily',
          '      daily:',
          `        hours: [${hours.join(', ')}]`,
          ...(weekdays === null ? [] : [`        weekdays: [${weekdays.join(', ')}]`]),
        ]),
  ];
};

const configOf = (
  model: Model,
  templates: readonly { readonly alias: string; readonly path: string; readonly count: number }[],
  samples: readonly SampleFile[],
): string => {
  const isOne = templates.length === 1;
  return [
    `${MADE_BY} README.md says what was found.`,
    'input:',
    '  - rate:',
    ...inputLines(model.rate),
    'event:',
    '  template:',
    `    mode: ${isOne ? 'all' : 'chance # weights are numbers of records'}`,
    '    templates:',
    ...templates.map(
      ({ alias, path, count }) => `      - ${alias}: {template: ${path}${isOne ? '' : `, chance: ${count}`}}`,
    ),
    ...(samples.length === 0
      ? []
      : [
          '    samples:',
          ...samples.map(
            ({ alias }) => `      ${alias}: {type: csv, source: samples/${alias}.csv, header: true}`,
          ),
        ]),
    'output:',
    '  - stdout: {}',
    '',
  ].join('\n');
};

/** The generator of a model. */
export const emittedFilesOf = (name: string, model: Model, options: EmitOptions): EmittedFiles => {
  const files = new Map<string, string>();
  const width = String(model.shapes.length).length;
  const samples: SampleFile[] = [];
  const templates = model.shapes.map((shape, at) => {
    const number = String(at + 1).padStart(width, '0');
    const made = templateOf(shape, number);
    const alias = `t${number}-${shape.name}`;
    const path = `templates/${number}-${shape.name}.jinja`;
    files.set(path, made.text);
    samples.push(...made.samples);
    return { alias, path, count: shape.count };
  });
  for (const sample of samples) files.set(`samples/${sample.alias}.csv`, csvOf(sample));
  files.set(options.config_file, configOf(model, templates, samples));
  files.set('README.md', readmeOf(name, model, options));
  return files;
};
