import type { LearnedRate, Model } from '../model.js';
import { type EmitOptions, readmeOf } from './readme.js';
import { type SampleFile, templateOf } from './template.js';

/** First line of a config that `spate learn` made: only such directories are replaced. */
export const MADE_BY = '# Made by spate learn.';

/** Text files of a generator by relative path. */
export type EmittedFiles = ReadonlyMap<string, string>;

const cell = (text: string): string =>
  /[",\r\n]/.test(text) || /^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const csvOf = ({ columns, rows }: SampleFile): string =>
  [
    [...columns, 'weight'].join(','),
    ...rows.map(({ values, weight }) => [...values.map(cell), weight].join(',')),
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
