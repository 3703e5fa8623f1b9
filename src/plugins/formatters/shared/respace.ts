import { breakGap, type Gaps, gapText, makeGaps, NO_GAP, SPACE_GAP } from './gaps.js';
import { EXPECTED, failAt, MAX_DEPTH, reasonOfFailure } from './syntaxError.js';
import { CODE, codeAt, scalarEnd, skipSpace, stringEnd } from './tokens.js';

/**
 * Longest text that is made of one event or of one array of events, in UTF-16 code units: half of what a
 * string can hold. Indentation of deep JSON grows with the square of its depth.
 */
export const MAX_LENGTH = 2 ** 28;

/** How JSON is laid out. */
export interface Layout {
  /** Spaces per level; 0: everything on one line. */
  readonly indent: number;
  /** Level of the outermost value, 0 unless it is written into something else. */
  readonly level: number;
}

/** Why an event was refused. */
export interface Refusal {
  readonly reason: string;
}

/** From an opening to its closing character, for both kinds. */
const TO_CLOSING = 2;

/** The gap before an item at a level, and before the closing character of the level above. */
export const gapAtLevel = (indent: number, level: number): number =>
  indent === 0 ? NO_GAP : breakGap(Math.min(indent * level, MAX_LENGTH));
