import type { Row } from './rows.mjs';
import type { Spread } from './statistics.mjs';

export function shown(value: number | string | null | undefined): string;
export function shownRate(value: number | null | undefined): string;
export function shownSpread(spread: Spread): string;
export function shownVerdict(isMet: boolean | null): string;
export function textTable(rows: readonly (readonly string[])[]): string;
export function rowsOf(rows: readonly Row[]): string[][];
export function markdownOf(
  rows: readonly Row[],
  limits: Readonly<Record<string, string | undefined>>,
): string;
