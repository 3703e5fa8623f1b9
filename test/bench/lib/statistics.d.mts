export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}
/** What one side measured in one round. */
export interface Measured {
  readonly events: number;
  readonly seconds: number;
  readonly cpu_seconds?: number;
  readonly peak_mb?: number;
}
export type Round = Readonly<Record<string, Measured>>;

export function median(values: readonly number[]): number;
export function spreadOf(values: readonly number[]): Spread;
export function quantile(sorted: readonly number[], share: number): number;
export function geometricMean(values: readonly number[]): number;
export function orderOf(names: readonly string[], round: number): string[];
export function ratiosOf(rounds: readonly Round[], ours: string, yardstick: string): number[];
export function cpuRatiosOf(rounds: readonly Round[], ours: string, yardstick: string): number[];
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number;
export function growsOn(counts: readonly number[]): boolean;
