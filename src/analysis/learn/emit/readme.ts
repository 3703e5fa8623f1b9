import type { Comparison } from '../compare/compare.js';
import type { Model } from '../model.js';
import { kindText, privateText, TITLES, undatedText } from './words.js';

export interface EmitOptions {
  /** Name of the config file. */
  readonly config_file: string;
  /** For the README; null: none yet. */
  readonly comparison: Comparison | null;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/[\r\n]+/g, ' ');

const tableOf = ({ fields }: Comparison): readonly string[] => [
  '| field | records | kind | distinct in the log | distinct generated | difference |',
  '|---|---|---|---|---|---|',
  ...fields.map(
    ({ name, share, kind, distinct, difference }) =>
      `| \`${cell(name)}\` | ${percent(share)} | ${kindText(kind)} | ${distinct.log} | ${distinct.generated} | ${difference === null ? '' : percent(difference)} |`,
  ),
];

const gapLines = ({ gaps }: Comparison): readonly string[] =>
  gaps === null ? [] : [`The times between events differ by ${percent(gaps.difference)}, as numbers do.`, ''];

/** README of a learned generator. It names fields and counts, never values. */
export const readmeOf = (name: string, model: Model, { config_file, comparison }: EmitOptions): string => {
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
      : [`- the header \`${cell(header)}\` is no event: write it to the file before you append events`]),
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
