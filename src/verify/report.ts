import type { StreamReport } from './streamTally.js';

/** A line: of which input (empty when there is one only), and its number there from 1. */
export interface Place {
  readonly input: string;
  readonly line: number;
}

/** Lines of one kind: how many, and where the first ones are. */
export interface LineCount {
  readonly count: number;
  readonly first: readonly Place[];
}

/** A checksum that does not fit. What its mark says may be wrong too. */
export interface Mismatch extends Place {
  readonly stream: string;
  readonly sequence: number;
}

/** What was found. */
export interface VerifyReport {
  readonly ok: boolean;
  /** Why it is not ok, one sentence part each. */
  readonly problems: readonly string[];
  readonly lines: number;
  /** Different events that arrived, of all streams. */
  readonly events: number;
  readonly expected: number | null;
  readonly streams: readonly StreamReport[];
  readonly unmarked: LineCount;
  /** Lines that look like the beginning of an event. */
  readonly torn: LineCount;
  readonly mismatches: { readonly count: number; readonly first: readonly Mismatch[] };
  /** Lines with a mark and no text to check. */
  readonly unchecked: number;
  readonly too_long: LineCount;
  /** Marks that no memory was left to count. */
  readonly uncounted: number;
}

/** What makes a report not ok. */
export interface VerifyRules {
  /** So many different events must have arrived; `null`: not known. */
  readonly expected: number | null;
  /** At-least-once delivery: events may arrive twice, and what a crash cut off may be there too. */
  readonly allow_duplicates: boolean;
}

const NO_MARKS = 'no line carries a mark';

const part = (count: number, one: string, many: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

const expectation = ({ events, expected }: Pick<VerifyReport, 'events' | 'expected'>): readonly string[] =>
  expected === null || events === expected
    ? []
    : [`${expected} ${expected === 1 ? 'event was' : 'events were'} expected, ${events} arrived`];

/** Judges what was found. */
export const judged = (
  found: Omit<VerifyReport, 'ok' | 'problems'>,
  { allow_duplicates }: VerifyRules,
): VerifyReport => {
  const { streams, mismatches, torn, uncounted } = found;
  const lost = streams.reduce((sum, stream) => sum + stream.lost.count, 0);
  const duplicates = streams.reduce((sum, stream) => sum + stream.duplicates.count, 0);
  const isEmpty = streams.length === 0 && mismatches.count === 0 && uncounted === 0;
  const problems = [
    ...(isEmpty ? [NO_MARKS] : []),
    ...part(lost, 'event is lost', 'events are lost'),
    ...expectation(found),
    ...(allow_duplicates ? [] : part(duplicates, 'duplicate', 'duplicates')),
    ...part(mismatches.count, 'checksum does not fit', 'checksums do not fit'),
    ...(allow_duplicates || isEmpty ? [] : part(torn.count, 'torn line', 'torn lines')),
    ...part(uncounted, 'mark could not be counted', 'marks could not be counted'),
  ];
  return { ok: problems.length === 0, problems, ...found };
};

/** Whether nothing at all carries a mark. */
export const hasNoMarks = ({ problems }: VerifyReport): boolean => problems.includes(NO_MARKS);
