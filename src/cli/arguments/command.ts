import type { Io, Services } from '../terminal/io.js';
import type { Option, Options } from './option.js';

/** Values of the options that were given; the others are `undefined`. */
export type OptionValues<O extends Options> = {
  readonly [K in keyof O]: (O[K] extends Option<infer A> ? A : never) | undefined;
};

export interface Given<O extends Options> {
  readonly options: OptionValues<O>;
  readonly positionals: readonly string[];
}

export interface CommandContext {
  readonly io: Io;
  readonly services: Services;
}

/** One command of the program: parsing, help and errors are made from its row. */
export interface Command<O extends Options = Options> {
  /** All words after `spate`: one, or two for a command of a group, e.g. `deadletter list`. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** What the usage line shows after the name, and how many arguments without a name there may be. */
  readonly positionals: { readonly usage: string; readonly min: number; readonly max: number };
  /** Options by name without dashes. */
  readonly options: O;
  /** Options that must be given. */
  readonly needs?: readonly string[];
  /** What the table of options cannot say, one paragraph each. */
  readonly notes?: readonly string[];
  readonly examples: readonly { readonly title: string; readonly line: string }[];
  /** Resolves to the exit code. A method, so that a command of certain options is a command of any. */
  run(given: Given<O>, context: CommandContext): Promise<number>;
}

/** Commands that share their first word; `spate WORD --help` lists them. */
export interface CommandGroup {
  /** The shared word, e.g. `deadletter`. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** What holds for all of them, one paragraph each. */
  readonly notes?: readonly string[];
  /** Each with its whole name: the shared word, a blank, its own word. */
  readonly commands: readonly Command[];
}

/** A row of the table of commands. */
export type CommandRow = Command | CommandGroup;

export const isGroup = (row: CommandRow): row is CommandGroup => 'commands' in row;

/** The word that calls a row: the last one of its name. */
export const wordOf = ({ name }: Pick<CommandRow, 'name'>): string => name.slice(name.lastIndexOf(' ') + 1);

/** Every command of a table, those of groups too. */
export const allCommands = (rows: readonly CommandRow[]): readonly Command[] =>
  rows.flatMap((row) => (isGroup(row) ? row.commands : [row]));

export const NO_POSITIONALS = { usage: '', min: 0, max: 0 } as const;
