import type { Micros } from '../../domain/time/micros.js';

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

export interface CheckVerdict {
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
  readonly end: () => CheckVerdict;
}

export const passed = (measured: string): CheckVerdict => ({
  isOk: true,
  measured,
  differences: [],
  first: null,
});

export const failed = (
  measured: string,
  differences: readonly string[] = [],
  first: Offender | null = null,
): CheckVerdict => ({ isOk: false, measured, differences, first });

/** Longest excerpt of an event and of a value, in UTF-16 units. */
const MAX_EXCERPT = 240;
const MAX_VALUE = 80;

/** At most four digits behind the point: `0.1234`, `0.12`. */
export const showCheckedShare = (share: number): string => String(Number(share.toFixed(4)));

const cutAt = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}...` : text);

/** On one line: control characters are escaped. */
const oneLine = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal must not get these
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (one) =>
    one === '\n' ? '\\n' : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export const excerpt = (event: string): string => oneLine(cutAt(event, MAX_EXCERPT));

export const showValue = (value: string): string => oneLine(cutAt(value, MAX_VALUE));
