import type { Io, Services } from './io.js';
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

export const NO_POSITIONALS = { usage: '', min: 0, max: 0 } as const;
