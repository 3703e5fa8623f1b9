import type { FormatName } from './formats/detect.js';
import type { PrivateKind } from './privacy/pseudonyms.js';

/** Half-open ranges of equal probability; `[x, x]` is the single value x. */
export type Bins = readonly (readonly [low: number, high: number])[];

/** A distribution of numbers, limited to `min` and `max`. */
export type Fit = { readonly min: number; readonly max: number } & (
  | { readonly kind: 'uniform' }
  | { readonly kind: 'normal' | 'lognormal'; readonly mu: number; readonly sigma: number }
  | { readonly kind: 'exponential'; readonly mean: number }
  | { readonly kind: 'quantiles'; readonly bins: Bins }
);

/** Quantiles of a number by the value of an enumeration of the same record, e.g. bytes by status. */
export interface By {
  /** Location of the enumeration. */
  readonly at: number;
  readonly bins: ReadonlyMap<string, Bins>;
}

/** How numbers are written. */
export interface NumberStyle {
  readonly decimals: number;
  /** Whether all decimals are zeros. */
  readonly is_whole: boolean;
  /** Zeros in front up to this width; 0: none. */
  readonly width: number;
}

/** What a location of a template holds. */
export type LearnedField =
  | { readonly kind: 'constant'; readonly text: string }
  /** `offsets`: seconds from the time of the event; null: none. */
  | { readonly kind: 'time'; readonly format: string; readonly offsets: Bins | null }
  | { readonly kind: 'same'; readonly as: number }
  | {
      readonly kind: 'counter';
      readonly name: string;
      readonly start: number;
      readonly steps: readonly number[];
      readonly width: number;
    }
  | { readonly kind: 'number'; readonly fit: Fit; readonly style: NumberStyle; readonly by: By | null }
  /** A new value each time, by a pattern of `module.rand.string.pattern`, or a UUID. */
  | { readonly kind: 'fresh'; readonly pattern: string }
  /** One of the values seen, from the table of its shape. */
  | { readonly kind: 'pool' };

export interface ModelRow {
  readonly values: readonly string[];
  readonly weight: number;
}

/** Columns that are drawn together. */
export interface ModelTable {
  readonly columns: readonly number[];
  readonly rows: readonly ModelRow[];
}

/** Records with the same literal text. */
export interface LearnedShape {
  readonly id: string;
  /** For people and file names. */
  readonly name: string;
  readonly format: FormatName;
  readonly count: number;
  readonly literals: readonly string[];
  readonly names: readonly string[];
  readonly fields: readonly LearnedField[];
  readonly tables: readonly ModelTable[];
}

export interface LearnedRate {
  readonly events_per_second: number;
  readonly arrivals: 'even' | 'poisson' | 'bursty';
  /** Mean seconds of bursts and of the silence between them. */
  readonly burst: { readonly on: number; readonly off: number } | null;
  /** Weights of 24 hours and 7 weekdays; null: the log is too short to tell. */
  readonly hours: readonly number[] | null;
  readonly weekdays: readonly number[] | null;
  readonly seconds: number;
}

/** What was found in a log. Holds no private value, unless they were to be kept. */
export interface Model {
  readonly records: number;
  readonly bytes: number;
  readonly left_out: { readonly too_long: number; readonly binary: number; readonly bad_characters: number };
  readonly formats: readonly (readonly [FormatName, number])[];
  readonly header: string | null;
  /** Format and number of the times found; null: none. */
  readonly times: { readonly format: string; readonly found: number } | null;
  /** Records that lack a time which others have, or seem to hold one that was not found; the number of the first. */
  readonly undated: { readonly count: number; readonly first: number | null };
  readonly rate: LearnedRate | null;
  readonly shapes: readonly LearnedShape[];
  /** Records in templates that repeat whole texts of the log. */
  readonly copied: number;
  readonly replaced: Readonly<Partial<Record<PrivateKind, number>>> | null;
}
