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

/** What an output does to its events on purpose. Shares are from 0 to 1; 0: never. */
export interface ImperfectionChoices {
  readonly dropped: number;
  readonly doubled: number;
  readonly truncated: number;
  readonly malformed: number;
  /** At least one. */
  readonly kinds: readonly MalformedKind[];
  /** `null`: never. */
  readonly late: LateChoices | null;
  readonly out_of_order: { readonly share: number; readonly window: number } | null;
}

/** An event gets at most one of them. */
export const FLAWS = ['dropped', 'doubled', 'truncated', 'malformed'] as const;
export type Flaw = (typeof FLAWS)[number];

/** An event gets at most one of them, besides a flaw. */
export const DISPLACED = ['late', 'out_of_order'] as const;

export const LABELLED = [...FLAWS, ...DISPLACED] as const;
export type Labelled = (typeof LABELLED)[number];

/** `early`: of the displaced events those that were delivered before their time. */
export const COUNTED = [...LABELLED, 'early'] as const;
export type Counted = (typeof COUNTED)[number];
