export const MALFORMED_KINDS = ['control_bytes', 'bad_encoding', 'broken_json'] as const;
export type MalformedKind = (typeof MALFORMED_KINDS)[number];

/** What an output does to its events on purpose. Shares are from 0 to 1; 0: never. */
export interface ImperfectionChoices {
  readonly dropped: number;
  readonly doubled: number;
  readonly truncated: number;
  readonly malformed: number;
  /** At least one. */
  readonly kinds: readonly MalformedKind[];
}

/** An event gets at most one of them. */
export const FLAWS = ['dropped', 'doubled', 'truncated', 'malformed'] as const;
export type Flaw = (typeof FLAWS)[number];
