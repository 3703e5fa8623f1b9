import type { Round, Spread } from './statistics.mjs';

export interface Figures {
  readonly events_per_second: number | null;
  readonly seconds: number | null;
  readonly cpu_seconds: number | null;
  readonly peak_mb: number | null;
}
export interface Row {
  readonly case?: string;
  readonly yardstick?: string;
  readonly ratio?: Spread;
  readonly cpu_ratio?: Spread;
  readonly figure?: string;
  readonly value?: number;
  readonly spread?: Spread;
  readonly unit?: string;
  readonly bar?: number | string | null;
  readonly isMet?: boolean | null;
  readonly spate?: Figures;
  readonly yardstick_used?: Figures;
}

export interface Margin {
  readonly events: number;
  readonly cpu_seconds: number;
  readonly short: { readonly events: number; readonly cpu_seconds: number };
}
export function marginOf(measured: Margin): number;
export function marginRows(
  rounds: readonly Readonly<Record<string, Margin>>[],
  names: readonly string[],
  bars: Readonly<Record<string, number>>,
): Row[];

export const OURS: 'spate';
export function rowsOfRounds(
  name: string,
  rounds: readonly Round[],
  yardsticks: readonly string[],
  bars: Readonly<Record<string, number>>,
): Row[];
