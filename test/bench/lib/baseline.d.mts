import type { Row } from './rows.mjs';
import type { Spread } from './statistics.mjs';

export interface Baseline {
  readonly machine: unknown;
  readonly ratios: Readonly<Record<string, Spread>>;
}
export interface Compared {
  readonly name: string;
  readonly before: Spread | null;
  readonly now: Spread;
  readonly change: number | null;
  readonly isNoise: boolean | null;
}

export function baselineOf(rows: readonly Row[], machine: unknown): Baseline;
export function mergedBaseline(former: Baseline | null, newer: Baseline): Baseline;
export function compared(rows: readonly Row[], baseline: Baseline): Compared[];
