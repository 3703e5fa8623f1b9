import type { StreamReport } from './streamTally.js';
import { addFlaws, type FlawCounts, NO_FLAWS } from './truth.js';

/** A line number from 1, and its input (empty for a single input). */
export interface InputLine {
  readonly input: string;
  readonly line: number;
}

export interface LineCount {
  readonly count: number;
  readonly first: readonly InputLine[];
}

/** A wrong checksum. Stream and sequence may be wrong too. */
export interface Mismatch extends InputLine {
  readonly stream: string;
  readonly sequence: number;
}

export interface VerifyReport {
  readonly ok: boolean;
  readonly problems: readonly string[];
  readonly lines: number;
  readonly events: number;
  readonly expected: number | null;
  readonly streams: readonly StreamReport[];
  readonly unmarked: LineCount;
  /** Lines that look like the start of an event. */
  readonly torn: LineCount;
  readonly mismatches: { readonly count: number; readonly first: readonly Mismatch[] };
  /** Lines with a mark but no text. */
  readonly unchecked: number;
  readonly too_long: LineCount;
  /** Marks beyond the memory limit. */
  readonly uncounted: number;
}

export interface VerifyRules {
  /** Expected number of distinct events. Null when it is unknown. */
  readonly expected: number | null;
  /** At-least-once delivery: accepts duplicates and torn lines. */
  readonly allow_duplicates: boolean;
}

const NO_MARKS = 'no line has a mark';

const part = (count: number, one: string, many: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

/** Events that the ground truth explains count as expected. */
const expectation = ({
  events,
  expected,
  streams,
}: Pick<VerifyReport, 'events' | 'expected' | 'streams'>): readonly string[] => {
  const { dropped, truncated, malformed, silenced } = purposeOf(streams) ?? NO_FLAWS;
  const explained = dropped + truncated + malformed + silenced;
  if (expected === null || events + explained === expected) return [];
  const more = explained === 0 ? '' : `, ${explained} did not on purpose`;
  return [`expected ${expected} ${expected === 1 ? 'event' : 'events'}, ${events} arrived${more}`];
};

/** Returns what the ground truth explains in all streams, or null when there is none. */
export const purposeOf = (streams: readonly StreamReport[]): FlawCounts | null => {
  const counts = streams.flatMap(({ on_purpose }) => (on_purpose === null ? [] : [on_purpose]));
  return counts.length === 0 ? null : counts.reduce<FlawCounts>(addFlaws, NO_FLAWS);
};

export const judged = (
  found: Omit<VerifyReport, 'ok' | 'problems'>,
  { allow_duplicates }: VerifyRules,
): VerifyReport => {
  const { streams, mismatches, torn, uncounted } = found;
  const lost = streams.reduce((sum, stream) => sum + stream.lost.count, 0);
  const duplicates = streams.reduce((sum, stream) => sum + stream.duplicates.count, 0);
  const copies = streams.reduce((sum, { on_purpose }) => sum + (on_purpose?.missing_copies ?? 0), 0);
  const isEmpty = streams.length === 0 && mismatches.count === 0 && uncounted === 0;
  const problems = [
    ...(isEmpty ? [NO_MARKS] : []),
    ...part(lost, 'event is lost', 'events are lost'),
    ...expectation(found),
    ...(allow_duplicates ? [] : part(duplicates, 'duplicate', 'duplicates')),
    ...part(copies, 'copy of the ground truth is lost', 'copies of the ground truth are lost'),
    ...part(mismatches.count, 'wrong checksum', 'wrong checksums'),
    ...(allow_duplicates || isEmpty ? [] : part(torn.count, 'torn line', 'torn lines')),
    ...part(uncounted, 'mark could not be counted', 'marks could not be counted'),
  ];
  return { ok: problems.length === 0, problems, ...found };
};

export const hasNoMarks = ({ problems }: VerifyReport): boolean => problems.includes(NO_MARKS);
