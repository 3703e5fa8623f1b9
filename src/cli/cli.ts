import * as E from 'fp-ts/lib/Either.js';
import type { Command } from './command.js';
import { COMMANDS } from './commands.js';
import { commandHelp, programHelp } from './help.js';
import { EXIT, type Io, type Services } from './io.js';
import { asksForHelp, didYouMean, parseArguments } from './parse.js';

const names = COMMANDS.map(({ name }) => name);

const usageError = (io: Io, program: string, message: string): number => {
  const end = /[.?!]$/.test(message) ? '' : '.';
  io.stderr.write(`${program}: ${message}${end}\nTry '${program} --help'.\n`);
  return EXIT.usage;
};

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
  if (asksForHelp(args)) return show(io, commandHelp(command));
  const given = parseArguments(command, args);
  return E.isLeft(given)
    ? usageError(io, `spate ${command.name}`, given.left.message)
    : command.run(given.right, { io, services });
};

/** Words that are no commands: what they do, by how they are written. */
const WORDS: Readonly<Record<string, (io: Io, services: Services) => number>> = {
  '--help': (io) => show(io, programHelp(COMMANDS)),
  '-h': (io) => show(io, programHelp(COMMANDS)),
  help: (io) => show(io, programHelp(COMMANDS)),
  '--version': (io, { version }) => show(io, `spate ${version}\n`),
};

/** Runs the program with the arguments after its name. Resolves to the exit code. */
export const runCli = async (args: readonly string[], io: Io, services: Services): Promise<number> => {
  const [first, ...rest] = args;
  if (first === undefined) {
    io.stderr.write(programHelp(COMMANDS));
    return EXIT.usage;
  }
  const isHelpOfCommand = first === 'help' && rest[0] !== undefined;
  const named = isHelpOfCommand ? rest[0] : first;
  const command = COMMANDS.find(({ name }) => name === named);
  if (command !== undefined) {
    return isHelpOfCommand ? show(io, commandHelp(command)) : runCommand(command, rest, io, services);
  }
  const word = !isHelpOfCommand && Object.hasOwn(WORDS, first) ? WORDS[first] : undefined;
  if (word !== undefined) return word(io, services);
  return first.startsWith('-')
    ? usageError(io, 'spate', `unknown option '${first}'${didYouMean(first, ['--help', '--version'])}`)
    : usageError(io, 'spate', `unknown command '${named}'${didYouMean(named ?? '', names)}`);
};
