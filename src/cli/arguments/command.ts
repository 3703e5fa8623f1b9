import type { Io, Services } from '../terminal/io.js';
import { type Option, type Options, textsOption } from './option.js';

/** Options that were not given are `undefined`. */
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

/** One command. Parser, help and usage errors derive from it. */
export interface Command<O extends Options = Options> {
  /** All words after `spate`, e.g. `deadletter list`. */
  readonly name: string;
  /** Its last word in the version before. It still works in this one, with a warning, and is not listed. */
  readonly formerName?: string;
  readonly summary: string;
  /** Arguments without a name: text for the usage line and how many. */
  readonly positionals: { readonly usage: string; readonly min: number; readonly max: number };
  readonly options: O;
  readonly needs?: readonly string[];
  /** Third-party plugins that its options `plugin` and `config` name are installed before it runs. */
  readonly usesPlugins?: true;
  /** Paragraphs of help that the option table cannot express. */
  readonly notes?: readonly string[];
  readonly examples: readonly { readonly title: string; readonly line: string }[];
  /** Resolves to the exit code. A method, so that `Command<O>` is assignable to `Command`. */
  run(given: Given<O>, context: CommandContext): Promise<number>;
}

const NAMED_PATH = { path: textsOption('PATH', { help: 'The same as the argument PATH.' }) };

/** Options of a command; one that takes paths as arguments also takes them as `--path PATH`. */
export const optionsOf = ({ positionals, options }: Pick<Command, 'positionals' | 'options'>): Options =>
  /\bPATH\b/.test(positionals.usage) ? { ...NAMED_PATH, ...options } : options;

export interface CommandGroup {
  readonly name: string;
  /** Its name in the version before. It still works in this one, with a warning, and is not listed. */
  readonly formerName?: string;
  readonly summary: string;
  readonly notes?: readonly string[];
  readonly commands: readonly Command[];
}

export type CommandRow = Command | CommandGroup;

export const isGroup = (row: CommandRow): row is CommandGroup => 'commands' in row;

export const wordOf = ({ name }: Pick<CommandRow, 'name'>): string => name.slice(name.lastIndexOf(' ') + 1);

/** Includes the commands of groups. */
export const allCommands = (rows: readonly CommandRow[]): readonly Command[] =>
  rows.flatMap((row) => (isGroup(row) ? row.commands : [row]));

export const NO_POSITIONALS = { usage: '', min: 0, max: 0 } as const;
