export interface Options {
  readonly cases: readonly string[];
  readonly pairs: number;
  readonly scale: number;
  readonly seconds: number | null;
  readonly yardstick: string | null;
  readonly json: string | null;
  readonly compare: boolean;
  readonly save: boolean;
  readonly profile: boolean;
  readonly markdown: boolean;
  readonly list: boolean;
  readonly help: boolean;
}

export const USAGE: string;
export function readOptions(args: readonly string[]): Options | { readonly problem: string };
export function quoted(text: string): string;
export function filled(command: string, values: Readonly<Record<string, string>>): string;
