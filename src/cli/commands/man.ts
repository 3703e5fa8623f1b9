import { type Command, type CommandRow, isGroup, NO_POSITIONALS } from '../arguments/command.js';
import { exampleLine, optionRows, usageLine } from '../arguments/help.js';
import { EXIT } from '../terminal/io.js';

/** Variables that the program reads, in the order of their names. */
export const VARIABLES: readonly (readonly [name: string, meaning: string])[] = [
  ['NO_COLOR', 'Any value turns colors off.'],
  [
    'SPATE_ALLOW_REMOTE_WITHOUT_AUTH',
    '1 lets spate run serve other machines without credentials. Anyone who reaches the port then has full access.',
  ],
  ['SPATE_API_PASSWORD', 'Password for commands that ask a running service.'],
  ['SPATE_API_TOKEN', 'Token for commands that ask a running service, instead of user and password.'],
  ['SPATE_API_USER', 'User for commands that ask a running service.'],
  ['SPATE_CLICKHOUSE_PASSWORD', 'Password of the ClickHouse server that spate verify reads.'],
  ['SPATE_CLUSTER', 'File that describes the cluster of spate run; the option --cluster wins.'],
  ['SPATE_DEBUG', '1 shows the stack of a bug.'],
  ['SPATE_KEYRING_FILE', 'Keyring of single runs; the option --keyring-cryptfile wins.'],
  ['SPATE_KEYRING_NEW_PASSWORD', 'New password for spate keyring rotate.'],
  ['SPATE_KEYRING_PASSWORD', 'Password of the keyring.'],
  ['SPATE_KEYRING_PASSWORD_FILE', 'File with the password of the keyring.'],
  ['SPATE_LIBRARY', 'Folder of ready-made generators, instead of those of the package.'],
];

const FILES: readonly (readonly [path: string, meaning: string])[] = [
  ['generator.yml', 'Config of a generator, in a folder of its own.'],
  ['spate.yml', 'Settings of an instance; a service of systemd has /etc/spate/spate.yml.'],
  ['startup.yml', 'List of the generators that an instance runs.'],
];

const EXIT_CODES: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'Success.'],
  ['1', 'Failure; standard error says what failed and what to do.'],
  ['2', 'Wrong usage.'],
  ['70', 'A bug. Please report it.'],
  ['130, 143', 'Ended by SIGINT or SIGTERM.'],
];

/** Text that roff prints as it is: no backslash escapes, no requests at the start of a line, hyphens that can be copied. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');

/** A request with one argument, which may hold blanks and quotes. */
const request = (name: string, text: string): string =>
  `.${name} "${escaped(text).replaceAll('"', '\\(dq')}"`;

const section = (title: string, lines: readonly string[]): string =>
  [request('SH', title), ...lines].join('\n');

const paragraph = (text: string): string => `.PP\n${escaped(text)}`;

/** Terms in bold, each with its meaning below. */
const terms = (rows: readonly (readonly [term: string, meaning: string])[]): readonly string[] =>
  rows.map(([term, meaning]) => `.TP\n${request('B', term)}\n${escaped(meaning)}`);

/** Lines as they are typed. */
const typed = (lines: readonly string[]): string => ['.PP', '.EX', ...lines.map(escaped), '.EE'].join('\n');

const ofCommand = (command: Command): string =>
  [
    request('SS', `spate ${command.name}`),
    escaped(command.summary),
    typed([usageLine(command, 'spate')]),
    ...terms(optionRows(command)),
    ...(command.notes ?? []).map(paragraph),
    ...command.examples.map(
      ({ title, line }) => `${paragraph(`${title}:`)}\n${typed([exampleLine(line, 'spate')])}`,
    ),
  ].join('\n');

const ofRow = (row: CommandRow): readonly string[] =>
  isGroup(row)
    ? [
        request('SS', `spate ${row.name}`),
        escaped(row.summary),
        ...(row.notes ?? []).map(paragraph),
        ...row.commands.map(ofCommand),
      ]
    : [ofCommand(row)];

/** The manual page of the program in the macros of man(7), made from its table of commands. */
export const manPage = (rows: readonly CommandRow[], version: string): string =>
  `${[
    `.TH SPATE 1 "" "spate ${version}" "User Commands"`,
    section('NAME', ['spate \\- generates streams of events from YAML generators']),
    section('SYNOPSIS', ['.B spate', '.I COMMAND', '[options]']),
    section('DESCRIPTION', [
      escaped(
        'A generator is a YAML file: inputs make timestamps on a schedule, one event plugin turns each into events, outputs deliver them. ' +
          'spate runs one generator from the command line, or hundreds in a daemon with a REST API and a web UI.',
      ),
    ]),
    section('COMMANDS', rows.flatMap(ofRow)),
    section('EXIT STATUS', terms(EXIT_CODES)),
    section('ENVIRONMENT', terms(VARIABLES)),
    section('FILES', terms(FILES)),
    section('SEE ALSO', [escaped('The pages in docs of the package; the web UI shows them under Help.')]),
  ].join('\n')}\n`;

export const manCommand = (rows: () => readonly CommandRow[]): Command<Record<never, never>> => ({
  name: 'man',
  summary: 'Prints the manual page, for packages and for man -l.',
  positionals: NO_POSITIONALS,
  options: {},
  examples: [{ title: 'Write it; man -l ./spate.1 shows it', line: 'spate man > spate.1' }],
  run: async (_, { io, services }) => {
    io.stdout.write(manPage(rows(), services.version));
    return EXIT.ok;
  },
});
