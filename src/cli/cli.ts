import * as E from 'fp-ts/lib/Either.js';
import { type Command, type CommandRow, isGroup, wordOf } from './arguments/command.js';
import { commandHelp, groupHelp, programHelp } from './arguments/help.js';
import { asksForHelp, hintOf, parseArguments } from './arguments/parse.js';
import { COMMANDS } from './commands.js';
import { reportError, usageError } from './report.js';
import { EXIT, type Io, type Services } from './terminal/io.js';

const show = (io: Io, text: string): number => {
  io.stdout.write(text);
  return EXIT.ok;
};

const runCommand = async (
  command: Command,
  args: readonly string[],
  io: Io,
  services: Services,
): Promise<number> => {
  if (asksForHelp(args)) return show(io, commandHelp(command, io.program));
  const given = parseArguments(command, args);
  if (E.isLeft(given)) return usageError(io, command.name, given.left.message);
  const { plugin, config } = given.right.options;
  if (command.usesPlugins === true && (plugin !== undefined || config !== undefined)) {
    const { installNamed } = await import('./files/plugins.js');
    const ready = await installNamed(given.right.options, io);
    if (E.isLeft(ready)) return reportError(io, ready.left);
  }
  return command.run(given.right, { io, services });
};

/** The commands of the program or of a group. */
interface Table {
  /** Words so far, e.g. `deadletter`. */
  readonly words: string;
  readonly rows: readonly CommandRow[];
  readonly help: () => string;
  /** Texts printed for options in place of a command. */
  readonly shown: Readonly<Record<string, string>>;
}

const runTable = async (
  table: Table,
  args: readonly string[],
  io: Io,
  services: Services,
): Promise<number> => {
  const { words, rows, help, shown } = table;
  const [first, ...rest] = args;
  if (first === undefined) {
    io.stderr.write(help());
    return EXIT.usage;
  }
  // `help WORD` is `WORD --help`.
  if (first === 'help') return runTable(table, [...rest, '--help'], io, services);
  if (first === '--help' || first === '-h') return show(io, help());
  const row = rows.find((one) => wordOf(one) === first);
  if (row !== undefined && isGroup(row)) {
    const own = { words: row.name, rows: row.commands, help: () => groupHelp(row, io.program), shown: {} };
    return runTable(own, rest, io, services);
  }
  if (row !== undefined) return runCommand(row, rest, io, services);
  const text = Object.hasOwn(shown, first) ? shown[first] : undefined;
  if (text !== undefined) return show(io, text);
  return first.startsWith('-')
    ? usageError(io, words, `unknown option '${first}'${hintOf(first, ['--help', ...Object.keys(shown)])}`)
    : usageError(io, words, `unknown command '${first}'${hintOf(first, rows.map(wordOf))}`);
};

export const runCli = (args: readonly string[], io: Io, services: Services): Promise<number> => {
  const version = `spate ${services.version}\n`;
  const shown = { '--version': version, '-V': version };
  const table = { words: '', rows: COMMANDS, help: () => programHelp(COMMANDS, io.program), shown };
  return runTable(table, args, io, services);
};
