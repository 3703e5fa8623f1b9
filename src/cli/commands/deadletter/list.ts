import * as E from 'fp-ts/lib/Either.js';
import { type Summary, summarize } from '../../../adapters/deadLetters/folder.js';
import { showCount } from '../../../domain/text/shown.js';
import type { DeadLetterFolder } from '../../../ports/deadLetters.js';
import type { Command } from '../../arguments/command.js';
import { flagOption } from '../../arguments/option.js';
import { reportError } from '../../report.js';
import { EXIT } from '../../terminal/io.js';
import { escapeControls, showRough } from '../../terminal/text.js';
import {
  STATE_OPTIONS,
  selectDeadLetters,
  tornNote,
  usageWithoutState,
  WHICH,
  WHICH_NOTE,
} from './selection.js';

const MAX_SHOWN = 3;

interface Row extends Summary {
  readonly generator: string;
  readonly output: string;
}

const SIZES = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
] as const;

const showBytes = (bytes: number): string => {
  const [unit, size] = SIZES.find(([, one]) => bytes >= one) ?? ['bytes', 1];
  return `${showRough(bytes / size)} ${unit}`;
};

const COLUMNS = ['generator', 'output', 'letters', 'size', 'oldest', 'newest'] as const;
const IS_NUMBER: ReadonlySet<string> = new Set(['letters', 'size']);

const cellsOf = (row: Row): readonly string[] => [
  row.generator,
  row.output,
  showCount(row.letters),
  showBytes(row.bytes),
  escapeControls(row.oldest ?? '-'),
  escapeControls(row.newest ?? '-'),
];

const reasonLines = ({ reasons, torn }: Row): readonly string[] => {
  const shown = reasons.slice(0, MAX_SHOWN).map(({ code, reason, letters }) => {
    const why = code === '' ? reason : `${code}: ${reason}`;
    return `  ${showCount(letters)} x ${escapeControls(why)}`;
  });
  const rest = reasons.length - shown.length;
  return [
    ...shown,
    ...(rest > 0 ? [`  and ${showCount(rest)} other ${rest === 1 ? 'reason' : 'reasons'}`] : []),
    ...(torn > 0 ? [`  ${tornNote(torn)}`] : []),
  ];
};

/** Lists the most frequent reasons below each row. */
const tableOf = (rows: readonly Row[]): string => {
  const cells = rows.map(cellsOf);
  const widths = COLUMNS.map((title, i) =>
    Math.max(title.length, ...cells.map((row) => (row[i] ?? '').length)),
  );
  const lineOf = (row: readonly string[]): string =>
    row
      .map((cell, i) => {
        const width = widths[i] ?? 0;
        return IS_NUMBER.has(COLUMNS[i] ?? '') ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  const lines = rows.flatMap((row, i) => [lineOf(cells[i] ?? []), ...reasonLines(row)]);
  return [lineOf(COLUMNS), ...lines].map((line) => `${line}\n`).join('');
};

const jsonOf = (rows: readonly Row[]): string =>
  `${JSON.stringify(
    rows.map(({ generator, output, letters, bytes, oldest, newest, reasons, torn }) => ({
      generator,
      output,
      letters,
      bytes,
      oldest,
      newest,
      torn,
      reasons: reasons.slice(0, MAX_SHOWN),
    })),
    null,
    2,
  )}\n`;

const rowOf = async (folder: DeadLetterFolder) =>
  E.map(
    (summary: Summary): Row => ({
      generator: folder.generator,
      output: `${folder.number}-${folder.kind}`,
      ...summary,
    }),
  )(await summarize(folder));

const options = {
  ...STATE_OPTIONS,
  json: flagOption({ help: 'Print a JSON array with one object per output.' }),
};

export const deadletterList: Command<typeof options> = {
  name: 'deadletter list',
  summary: 'Lists the outputs with dead letters: count, size, age and reasons.',
  positionals: { usage: `[${WHICH}]`, min: 0, max: 1 },
  options,
  notes: [WHICH_NOTE],
  examples: [
    { title: 'See what could not be delivered', line: 'spate deadletter list -c settings/spate.yml' },
    {
      title: 'See those of one generator that ran without settings',
      line: 'spate deadletter list --state state access-log',
    },
  ],
  run: async ({ options: values, positionals: [which] }, { io }) => {
    const misused = usageWithoutState(values, 'deadletter list', io);
    if (misused !== null) return misused;
    const selection = await selectDeadLetters(values, which, io);
    if (E.isLeft(selection)) return reportError(io, selection.left);
    const rows: Row[] = [];
    for (const folder of selection.right.folders) {
      const row = await rowOf(folder);
      if (E.isLeft(row)) return reportError(io, row.left);
      if (row.right.letters > 0 || row.right.torn > 0) rows.push(row.right);
    }
    if (values.json === true) io.stdout.write(jsonOf(rows));
    else io.stdout.write(rows.length === 0 ? 'There are no dead letters.\n' : tableOf(rows));
    return EXIT.ok;
  },
};
