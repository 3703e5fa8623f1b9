import { type DrawKey, hashedDraw } from './random.js';
import type { Micros } from './time/micros.js';

export const MALFORMED_KINDS = ['control_bytes', 'bad_encoding', 'broken_json'] as const;
export type MalformedKind = (typeof MALFORMED_KINDS)[number];

export const DELAY_DISTRIBUTIONS = ['exponential', 'uniform', 'normal', 'lognormal'] as const;
export type DelayDistribution = (typeof DELAY_DISTRIBUTIONS)[number];

export interface LateChoices {
  readonly share: number;
  readonly distribution: DelayDistribution;
  /** Seconds. */
  readonly mean: number;
  readonly deviation: number;
  readonly max: number;
}

/** A wrong clock. Its error is the sum of the parts. */
export interface ClockChoices {
  /** Seconds ahead; negative: behind. */
  readonly offset: number;
  /** Microseconds per second. */
  readonly drift: number;
  /** When the drift was 0. Null when it is 0 at each step. */
  readonly since: Micros | null;
  /** Each `every` seconds the error jumps to up to `size` seconds ahead or behind, and the drift begins again. */
  readonly steps: { readonly every: number; readonly size: number } | null;
}

export const SILENT_EVENTS = ['lost', 'delivered'] as const;

/** Silences of `for` seconds, one in each `every` seconds. */
export interface SilentChoices {
  readonly every: number;
  readonly for: number;
  /** `delivered`: after the silence. */
  readonly events: (typeof SILENT_EVENTS)[number];
}

/** What an output does to its events on purpose. Shares are from 0 to 1; 0: never. */
export interface ImperfectionChoices {
  readonly dropped: number;
  readonly doubled: number;
  readonly truncated: number;
  readonly malformed: number;
  /** At least one. */
  readonly kinds: readonly MalformedKind[];
  /** Delays of late events. Null when no event is late. */
  readonly late: LateChoices | null;
  readonly out_of_order: { readonly share: number; readonly window: number } | null;
  readonly skewed: number;
  readonly silent: SilentChoices | null;
}

/** An event gets at most one of them. */
export const FLAWS = ['dropped', 'doubled', 'truncated', 'malformed'] as const;
export type ImperfectionKind = (typeof FLAWS)[number];

/** An event gets at most one of them, besides a flaw. `buffered`: delivered after a silence. */
export const DISPLACED = ['late', 'out_of_order', 'buffered'] as const;

/** `skewed`: its timestamps are wrong, besides the others. `silenced`: lost in a silence, and nothing else. */
export const LABELLED = [...FLAWS, ...DISPLACED, 'skewed', 'silenced'] as const;
export type Labelled = (typeof LABELLED)[number];

/**
 * `early`: of the displaced events those that were delivered before their time. `not_skewed`: of those that the clock was to
 * skew those without a timestamp.
 */
export const COUNTED = [...LABELLED, 'early', 'not_skewed'] as const;
export type CountedImperfection = (typeof COUNTED)[number];

const PURPOSE = { flaw: 0, kind: 1, skewed: 5 } as const;

/** Returns what happens to the event with this number, or null for nothing. One draw decides, so shares add up. */
export const flawOf = (
  choices: ImperfectionChoices,
  key: DrawKey,
  ordinal: number,
): ImperfectionKind | null => {
  let left = hashedDraw(key, ordinal, PURPOSE.flaw);
  for (const flaw of FLAWS) {
    left -= choices[flaw];
    if (left < 0) return flaw;
  }
  return null;
};

/** Whether the clock that writes the timestamps of this event is wrong. */
export const isSkewed = (choices: ImperfectionChoices, key: DrawKey, ordinal: number): boolean =>
  choices.skewed > 0 && hashedDraw(key, ordinal, PURPOSE.skewed) < choices.skewed;

export const imperfectionOf = (
  { kinds }: Pick<ImperfectionChoices, 'kinds'>,
  key: DrawKey,
  ordinal: number,
): MalformedKind => kinds[Math.floor(hashedDraw(key, ordinal, PURPOSE.kind) * kinds.length)] as MalformedKind;
