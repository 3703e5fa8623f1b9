import * as E from 'fp-ts/lib/Either.js';
import { type Command, type CommandRow, isGroup, wordOf } from './arguments/command.js';
import { commandHelp, groupHelp, programHelp } from './arguments/help.js';
import { asksForHelp, hintOf, parseArguments } from './arguments/parse.js';
import { check } from './commands/check.js';
import { cluster } from './commands/cluster/cluster.js';
import { completion } from './commands/completion.js';
import { deadletter } from './commands/deadletter/group.js';
import { generate } from './commands/generate.js';
import { hashPasswordCommand } from './commands/hashPassword.js';
import { importGroup } from './commands/import/eventum.js';
import { incident } from './commands/incident/group.js';
import { init } from './commands/init.js';
import { inspect } from './commands/inspect/inspect.js';
import { keyring } from './commands/keyring.js';
import { learnCommand } from './commands/learn/learn.js';
import { library } from './commands/library.js';
import { manCommand } from './commands/man.js';
import { mcp } from './commands/mcp/mcp.js';
import { newCommand } from './commands/newInstance.js';
import { plugins } from './commands/plugins/plugins.js';
import { preview } from './commands/preview.js';
import { run } from './commands/run.js';
import { schema } from './commands/schema.js';
import { service } from './commands/service/group.js';
import { template } from './commands/template/group.js';
import { test } from './commands/test/test.js';
import { upgradeCheck } from './commands/upgradeCheck.js';
import { validate } from './commands/validate/validate.js';
import { verify } from './commands/verify/verify.js';
import { versionCommand } from './commands/version.js';
import { status } from './commands/watch/status.js';
import { tail } from './commands/watch/tail.js';
import { top } from './commands/watch/top.js';
import { worldGroup } from './commands/world/group.js';
import { reportError, usageError } from './report.js';
import { EXIT, type Io, type Services } from './terminal/io.js';

export const COMMANDS: readonly CommandRow[] = [
  newCommand,
  importGroup,
  run,
  generate,
  validate,
  upgradeCheck,
  check,
  template,
  preview,
  inspect,
  test,
  init,
  learnCommand,
  library,
  worldGroup,
  status,
  top,
  tail,
  deadletter,
  verify,
  incident,
  keyring,
  hashPasswordCommand,
  mcp,
  service,
  cluster,
  plugins,
  schema,
  completion(() => COMMANDS),
  manCommand(() => COMMANDS),
  versionCommand,
];

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

/** The command or group that had this word in the former version, with a warning that names the present one. */
const formerly = ({ words, rows }: Table, word: string, io: Io): CommandRow | undefined => {
  const row = rows.find(({ formerName }) => formerName === word);
  if (row === undefined) return undefined;
  const former = ['spate', words, word].filter((part) => part !== '').join(' ');
  io.stderr.write(
    `spate: '${former}' is now 'spate ${row.name}'. The next version no longer knows the former name.\n`,
  );
  return row;
};

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
  const row = rows.find((one) => wordOf(one) === first) ?? formerly(table, first, io);
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
