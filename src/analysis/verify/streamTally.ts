import { hex8, type Mark } from '../../domain/marks/mark.js';
import { HISTOGRAM_SLOTS, quantile, recordDuration } from '../../domain/stats/histogram.js';
import { MICROS_PER_MS } from '../../domain/time/micros.js';
import { type BlockBudget, makeSequences, type SequenceRange, type Sequences } from './sequences.js';
import { type FlawCounts, type KnownEvents, NO_FLAWS, type Truth } from './truth.js';

/** Milliseconds from event timestamp to arrival; quantiles are at most 25 % too high. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Events before their timestamp; they count as 0. */
  readonly early: number;
}

export interface StreamReport {
  readonly stream: string;
  /** Distinct intact events. */
  readonly events: number;
  readonly first: number;
  readonly last: number;
  readonly lost: { readonly count: number; readonly ranges: readonly SequenceRange[] };
  readonly duplicates: { readonly count: number; readonly first: readonly number[] };
  /** Number of events after one with a larger number. Null for an unordered source. */
  readonly out_of_order: number | null;
  /** Time from the timestamp of an event to its arrival. Null without arrival times. */
  readonly latency_ms: Latency | null;
  /** What the ground truth explains: neither lost nor a duplicate. Null without a ground truth. */
  readonly on_purpose: OnPurpose | null;
}

export interface OnPurpose extends FlawCounts {
  /** Second copies of the ground truth that did not arrive, though the event did. */
  readonly missing_copies: number;
}

interface StreamTallyOptions {
  readonly stream: number;
  readonly budget: BlockBudget;
  readonly has_order: boolean;
  readonly max_shown: number;
  readonly truth: Truth | null;
}

export interface StreamTally {
  /** False: not counted, out of memory budget. */
  readonly add: (mark: Mark, arrived: number | null) => boolean;
  readonly events: () => number;
  /** Numbers up to `expected` and up to the largest arrived must be present. */
  readonly report: (expected: number) => StreamReport;
}

const latencyCounter = () => {
  let slots: Float64Array | null = null;
  let max = 0;
  let early = 0;
  return {
    add: (micros: number): void => {
      slots ??= new Float64Array(HISTOGRAM_SLOTS);
      if (micros < 0) early++;
      max = Math.max(max, micros);
      recordDuration(slots, Math.max(0, micros), 1);
    },
    report: (): Latency | null => {
      if (slots === null) return null;
      const [p50, p99] = [0.5, 0.99].map((share) => Math.min(max, quantile(slots ?? EMPTY, share)));
      return {
        p50: (p50 ?? 0) / MICROS_PER_MS,
        p99: (p99 ?? 0) / MICROS_PER_MS,
        max: max / MICROS_PER_MS,
        early,
      };
    },
  };
};

const EMPTY = new Float64Array(HISTOGRAM_SLOTS);

/** Counts what the ground truth explains, and takes the numbers of events that are gone on purpose as arrived. */
const explain = (known: KnownEvents, sequences: Sequences): OnPurpose => {
  const counts = { ...NO_FLAWS, missing_copies: 0 };
  // Copies first: below, numbers are added that did not arrive.
  for (const [sequence, { what, isSeen }] of known) {
    if (what !== 'doubled') continue;
    if (isSeen) counts.doubled++;
    else if (sequences.has(sequence)) counts.missing_copies++;
  }
  for (const [sequence, { what, hasLine, isSeen }] of known) {
    if (what === 'doubled') continue;
    // A damaged event whose line did not arrive either is lost.
    if (hasLine && !isSeen) continue;
    if (sequences.add(sequence) === 'new') counts[what]++;
  }
  return counts;
};

export const makeStreamTally = ({
  stream,
  budget,
  has_order,
  max_shown,
  truth,
}: StreamTallyOptions): StreamTally => {
  const sequences = makeSequences(budget);
  const latency = latencyCounter();
  const firstDuplicates: number[] = [];
  let duplicates = 0;
  let outOfOrder = 0;
  /** By the ground truth: behind later events, or after a silence. */
  const displaced = { late: 0, out_of_order: 0, buffered: 0 };
  let skewed = 0;

  return {
    add: ({ sequence, micros }, arrived) => {
      const last = sequences.last();
      const added = sequences.add(sequence);
      if (added === 'over') return false;
      if (added === 'again') {
        if (truth?.takeDouble(stream, sequence) === true) return true;
        duplicates++;
        if (firstDuplicates.length < max_shown && !firstDuplicates.includes(sequence)) {
          firstDuplicates.push(sequence);
        }
        return true;
      }
      if (truth?.isSkewed(stream, sequence) === true) skewed++;
      const why = truth?.displacementOf(stream, sequence) ?? null;
      // The events of a silence come together, so most keep their order.
      if (why === 'buffered') displaced.buffered++;
      else if (sequence < last) {
        if (why === null) outOfOrder++;
        else displaced[why]++;
      }
      if (arrived !== null) latency.add(arrived - micros);
      return true;
    },
    events: sequences.count,
    report: (expected) => {
      const [events, first, last] = [sequences.count(), sequences.first(), sequences.last()];
      const on_purpose =
        truth === null ? null : { ...explain(truth.eventsOf(stream), sequences), ...displaced, skewed };
      const end = Math.max(sequences.last(), expected);
      return {
        stream: hex8(stream),
        events,
        first,
        last,
        lost: { count: end - sequences.count(), ranges: sequences.gaps(end, max_shown) },
        duplicates: { count: duplicates, first: firstDuplicates },
        out_of_order: has_order ? outOfOrder : null,
        latency_ms: latency.report(),
        on_purpose,
      };
    },
  };
};
