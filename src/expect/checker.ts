import type { Micros } from '../domain/time/micros.js';

/** An event as written. */
export interface SeenEvent {
  /** From 1. */
  readonly number: number;
  readonly micros: Micros;
  readonly text: string;
  /** The text parsed as JSON. Undefined when it is not JSON, or no check needs JSON. */
  readonly value: unknown;
}

/** An event that breaks a check. */
export interface Offender {
  readonly number: number;
  readonly micros: Micros;
  readonly text: string;
}

export interface Verdict {
  readonly isOk: boolean;
  /** The measured value, in one line. */
  readonly measured: string;
  /** Each difference: expected and measured. */
  readonly differences: readonly string[];
  /** The first event that breaks the check. */
  readonly first: Offender | null;
}

/** Sees all events of a test in order, then decides. */
export interface Checker {
  readonly see: (event: SeenEvent) => void;
  readonly end: () => Verdict;
}

export const passed = (measured: string): Verdict => ({ isOk: true, measured, differences: [], first: null });

export const failed = (
  measured: string,
  differences: readonly string[] = [],
  first: Offender | null = null,
): Verdict => ({ isOk: false, measured, differences, first });
