import { type Command, type CommandGroup, type CommandRow, isGroup, optionsOf } from './command.js';
import type { Option } from './option.js';

const WIDTH = 100;

const wrap = (text: string, width: number): readonly string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
};

/** Wraps the second column. */
export const twoColumns = (rows: readonly (readonly [left: string, right: string])[]): string => {
  const left = Math.max(0, ...rows.map(([one]) => one.length)) + 2;
  return rows
    .map(([one, two]) => {
      const [first = '', ...rest] = wrap(two, WIDTH - left - 2);
      return [`  ${one.padEnd(left)}${first}`, ...rest.map((more) => ' '.repeat(left + 2) + more)]
        .map((line) => line.trimEnd())
        .join('\n');
    })
    .join('\n');
};

export const bullets = (texts: readonly string[]): string =>
  texts.map((text) => `  - ${wrap(text, WIDTH - 4).join('\n    ')}`).join('\n');

const optionLabel = (name: string, { short, placeholder }: Option<unknown>): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${placeholder === '' ? '' : ` ${placeholder}`}`;

const HELP_ROW = ['-h, --help', 'Show this help.'] as const;

/** The usage line of a command, without a label. */
export const usageLine = (command: Command, program: string): string => {
  const { usage } = command.positionals;
  const hasOptions = Object.keys(optionsOf(command)).length > 0;
  return `${program} ${command.name}${usage === '' ? '' : ` ${usage}`}${hasOptions ? ' [options]' : ''}`;
};

/** The options of a command as they are typed, each with its help. */
export const optionRows = (command: Command): readonly (readonly [label: string, help: string])[] => [
  ...Object.entries(optionsOf(command)).map(
    ([name, option]) => [optionLabel(name, option), option.help] as const,
  ),
  HELP_ROW,
];

/** The line of an example as the user types it; the table of commands has `spate` for the program. */
export const exampleLine = (line: string, program: string): string =>
  line.replace(/(?<=^|[|;&] )spate(?= )/g, program);

const examplesOf = ({ examples }: Pick<Command, 'examples'>, program: string): string =>
  examples.map(({ title, line }) => `  # ${title}\n  ${exampleLine(line, program)}`).join('\n');

const notesOf = ({ notes = [] }: Pick<CommandRow, 'notes'>): readonly string[] =>
  notes.map((note) => wrap(note, WIDTH).join('\n'));

/** The first example of each row; of a group, that of its first command. */
const firstExamples = (rows: readonly CommandRow[]): Command['examples'] =>
  rows.flatMap((row) =>
    (isGroup(row) ? row.commands.slice(0, 1) : [row]).flatMap(({ examples }) => examples.slice(0, 1)),
  );

export const commandHelp = (command: Command, program: string): string =>
  `${[
    command.summary,
    `usage: ${usageLine(command, program)}`,
    ...notesOf(command),
    `options:\n${twoColumns(optionRows(command))}`,
    `examples:\n${examplesOf(command, program)}`,
  ].join('\n\n')}\n`;

export const groupHelp = (group: CommandGroup, program: string): string =>
  `${[
    group.summary,
    `usage: ${program} ${group.name} COMMAND [options]`,
    ...notesOf(group),
    `commands:\n${twoColumns(group.commands.map(({ name, summary }) => [name, summary]))}`,
    `examples:\n${examplesOf({ examples: firstExamples(group.commands) }, program)}`,
    `'${program} ${group.name} COMMAND --help' shows all options and examples of a command.`,
  ].join('\n\n')}\n`;

export const programHelp = (rows: readonly CommandRow[], program: string): string =>
  `${[
    'Spate generates streams of events from YAML generators.',
    `usage: ${program} COMMAND [options]`,
    `commands:\n${twoColumns(rows.map(({ name, summary }) => [name, summary]))}`,
    `options:\n${twoColumns([HELP_ROW, ['-V, --version', 'Show the version.']])}`,
    `examples:\n${examplesOf({ examples: firstExamples(rows) }, program)}`,
    `'${program} COMMAND --help' shows all options and examples of a command.`,
  ].join('\n\n')}\n`;
