import type { Row } from './rows.mjs';
import type { Measured, Round } from './statistics.mjs';

export interface Side {
  readonly events: number;
  readonly command?: () => string;
  readonly run?: () => Promise<Partial<Measured> & { readonly problems?: readonly string[] }>;
  readonly output?: string;
  readonly files?: readonly string[];
  readonly bytes?: number;
  /** A shorter run of the same, for figures at the margin. */
  readonly short?: Pick<Side, 'events' | 'command' | 'run'>;
  readonly check?: (measured: Measured) => readonly string[] | Promise<readonly string[]>;
}
export interface Plan {
  readonly folder: string;
  readonly sides: Readonly<Record<string, Side>>;
  readonly bars?: Readonly<Record<string, number>>;
  readonly input?: string;
  readonly config?: string;
  readonly verify?: (warmUp: Round) => readonly string[] | Promise<readonly string[]>;
  readonly figures?: (rounds: readonly Round[]) => readonly Row[];
  readonly close?: () => unknown;
}
export interface PairsMade {
  readonly rows: readonly Row[];
  readonly rounds?: readonly Round[];
  readonly problems: readonly string[];
}

export function runPairs(
  name: string,
  plan: Plan,
  options: { readonly pairs: number; readonly yardstick: string | null; readonly profile: boolean },
): Promise<PairsMade>;
