/** Sample of a log; with a pattern it is checked, without one it is guessed. */
export interface LogSample {
  readonly text: string;
  readonly timestamp_pattern: string | null;
  readonly timestamp_format: string | null;
}

/** A guess where the timestamps of a log are and how they are written. */
export interface LogTimesCandidate {
  readonly name: string;
  /** Parameter of the `replay` event plugin, as is the format. */
  readonly timestamp_pattern: string;
  readonly timestamp_format: string;
  /** Lines of the sample that the pattern matches. */
  readonly matched: number;
  /** The first timestamp of the sample. */
  readonly example: string;
}

/** A line of the sample; `start` and `end` of the timestamp in `text` in UTF-16 units, `null` without a match. */
export interface LogTimesLine {
  /** From 1. */
  readonly number: number;
  /** The part of the line around the timestamp, if the line is long. */
  readonly text: string;
  readonly start: number | null;
  readonly end: number | null;
}

/** What a pattern and a format do with the lines of a sample. */
export interface LogTimesCheck {
  readonly timestamp_pattern: string;
  readonly timestamp_format: string | null;
  readonly matched: number;
  /** Matched timestamps that look as `timestamp_format` writes them; `null` without a format. */
  readonly alike: number | null;
  /** The present time as `timestamp_format` writes it; `null` without a format. */
  readonly written: string | null;
  /** The first lines, and the first ones without a match. */
  readonly lines: readonly LogTimesLine[];
}

/** Which field is refused, and why: `has no group named ...`. */
export interface LogTimesFlaw {
  readonly field: 'timestamp_pattern' | 'timestamp_format';
  readonly message: string;
}

export interface LogTimes {
  /** Lines of the sample that are not blank. */
  readonly lines: number;
  /** Best first; empty if a pattern was given. */
  readonly candidates: readonly LogTimesCandidate[];
  /** Check of the given pattern, or of the best candidate. Null when there is none, or when it has a flaw. */
  readonly checked: LogTimesCheck | null;
  /** Flaws of the given pattern and format. While these are typed, flaws are no errors of the request. */
  readonly flaws: readonly LogTimesFlaw[];
}
