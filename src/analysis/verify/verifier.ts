import { hex8, isIntact, type MarkToken } from '../../domain/marks/mark.js';
import { type FoundMark, type LineMarks, looksTorn, readMarks } from '../../domain/marks/read.js';
import { CRC_START, feedBytes } from '../../domain/text/crc32.js';
import {
  type InputLine,
  judged,
  type LineCount,
  type Mismatch,
  type VerifyReport,
  type VerifyRules,
} from './report.js';
import type { BlockBudget } from './sequences.js';
import { makeStreamTally, type StreamTally } from './streamTally.js';
import type { Truth } from './truth.js';

/** 256 MiB for all streams: two billion numbers behind a first gap. */
const MAX_BLOCKS = 65_536;
/** More streams indicate damage and are not counted. */
const MAX_STREAMS = 10_000;

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export interface VerifierOptions {
  /** Items listed per kind. */
  readonly max_shown: number;
  /** False for tables. */
  readonly has_order: boolean;
  /** Ground truth of the generator that made the events. Null or undefined when it is unknown. */
  readonly truth?: Truth | null;
  /** Limits; tests lower them. */
  readonly max_blocks?: number;
  readonly max_streams?: number;
}

interface VerifierInput {
  /** Takes a line as `LineHandler.onLine` does. `arrived` is in epoch microseconds, or null when unknown. */
  readonly line: (bytes: Buffer, from: number, to: number, isEnded: boolean, arrived: number | null) => void;
  readonly tooLong: () => void;
  /** A header: only counts for line numbers. */
  readonly skip: () => void;
  readonly end: () => void;
}

/** Finds lost, duplicate, damaged and late events by their marks. */
export interface Verifier {
  /** Starts an input; `name` precedes its line numbers. */
  readonly input: (name: string) => VerifierInput;
  readonly report: (rules: VerifyRules) => VerifyReport;
}

const firstFew = <P>(max_shown: number) => {
  const first: P[] = [];
  let count = 0;
  return {
    add: (location: P): void => {
      count++;
      if (first.length < max_shown) first.push(location);
    },
    list: () => ({ count, first }),
  };
};

const streamTallies = (options: VerifierOptions) => {
  const { max_shown, has_order, truth = null, max_streams = MAX_STREAMS } = options;
  const budget: BlockBudget = { left: options.max_blocks ?? MAX_BLOCKS };
  const tallies = new Map<number, StreamTally>();
  let uncounted = 0;

  const tallyOf = (stream: number): StreamTally | null => {
    const known = tallies.get(stream);
    if (known !== undefined) return known;
    if (tallies.size >= max_streams) return null;
    const made = makeStreamTally({ stream, budget, has_order, max_shown, truth });
    tallies.set(stream, made);
    return made;
  };

  return {
    add: ({ token }: FoundMark, arrived: number | null): void => {
      if (tallyOf(token.stream)?.add(token, arrived) !== true) uncounted++;
    },
    report: (expected: number | null) => {
      // A missing tail can be attributed only to a single stream.
      const end = tallies.size === 1 ? (expected ?? 0) : 0;
      const found = [...tallies.values()].filter((tally) => tally.events() > 0);
      const streams = found.map((tally) => tally.report(end));
      return { streams, uncounted, events: streams.reduce((sum, { events }) => sum + events, 0) };
    },
  };
};

/** The first line may start with a byte order mark. */
const firstLineMarks = (bytes: Buffer, from: number, to: number): LineMarks => {
  const asItIs = readMarks(bytes, from, to);
  const isIntact = asItIs.marks.some(({ verdict }) => verdict === 'intact');
  const start = from + BYTE_ORDER_MARK.length;
  if (isIntact || start > to || !bytes.subarray(from, start).equals(BYTE_ORDER_MARK)) return asItIs;
  return readMarks(bytes, start, to);
};

export const makeVerifier = (options: VerifierOptions): Verifier => {
  const { max_shown, truth = null } = options;
  const streams = streamTallies(options);
  const unmarked = firstFew<InputLine>(max_shown);
  const torn = firstFew<InputLine>(max_shown);
  const tooLong = firstFew<InputLine>(max_shown);
  const mismatches = firstFew<Mismatch>(max_shown);
  let lines = 0;
  let unchecked = 0;

  const countMark = (mark: FoundMark, location: () => InputLine, arrived: number | null): void => {
    if (mark.verdict === 'broken') {
      const { stream, sequence } = mark.token;
      if (truth?.takeBroken(stream, sequence) === true) return;
      mismatches.add({ ...location(), stream: hex8(stream), sequence });
      return;
    }
    if (mark.verdict === 'unchecked') unchecked++;
    streams.add(mark, arrived);
  };

  /** A mark that looks broken may end an event of several lines. */
  const mended = (mark: FoundMark, bytes: Buffer, from: number, pending: PendingLines): FoundMark => {
    const { verdict, textEnd, token } = mark;
    const isWhole = verdict === 'broken' && textEnd !== null && pending.join(bytes, from, textEnd, token);
    return isWhole ? { ...mark, verdict: 'intact' } : mark;
  };

  /** A line that the generator damaged on purpose. */
  const isDamaged = ({ marks }: LineMarks, bytes: Buffer, from: number, to: number): boolean =>
    marks.every(({ verdict }) => verdict !== 'intact') && truth?.takeLine(bytes, from, to) === true;

  const input = (name: string): VerifierInput => {
    let number = 0;
    const location = (): InputLine => ({ input: name, line: number });
    const onUnmarked = ({ number: line, isTorn }: UnmarkedLine): void =>
      (isTorn ? torn : unmarked).add({ input: name, line });
    const pending = makePendingLines(onUnmarked);

    const addUnmarked = (bytes: Buffer, from: number, to: number, isEnded: boolean): void =>
      pending.add(bytes, from, to, { number, isTorn: !isEnded || looksTorn(bytes, from, to) });

    return {
      line: (bytes, from, to, isEnded, arrived) => {
        number++;
        lines++;
        const found = number === 1 ? firstLineMarks(bytes, from, to) : readMarks(bytes, from, to);
        if (truth !== null && isDamaged(found, bytes, from, to)) return pending.flush();
        if (found.marks.length === 0) return addUnmarked(bytes, from, to, isEnded);
        for (const mark of found.marks) countMark(mended(mark, bytes, from, pending), location, arrived);
        pending.flush();
        for (let i = 0; i < found.unmarked; i++) unmarked.add(location());
      },
      tooLong: () => {
        number++;
        lines++;
        pending.flush();
        tooLong.add(location());
      },
      skip: () => {
        number++;
      },
      end: pending.flush,
    };
  };

  return {
    input,
    report: (rules) => {
      const counts: Readonly<Record<'unmarked' | 'torn' | 'too_long', LineCount>> = {
        unmarked: unmarked.list(),
        torn: torn.list(),
        too_long: tooLong.list(),
      };
      const { expected } = rules;
      return judged(
        { lines, expected, ...streams.report(expected), ...counts, mismatches: mismatches.list(), unchecked },
        rules,
      );
    },
  };
};

/** Limits of an event of several lines. */
const MAX_LINES = 100;
const MAX_BYTES = 64 * 1024;

const LF = 10;

interface UnmarkedLine {
  readonly number: number;
  readonly isTorn: boolean;
}

interface PendingLines {
  readonly add: (bytes: Buffer, from: number, to: number, line: UnmarkedLine) => void;
  /** Whether the last pending lines plus `bytes[from..to)` are the text of the token; they then count as marked. */
  readonly join: (bytes: Buffer, from: number, to: number, token: MarkToken) => boolean;
  readonly flush: () => void;
}

/**
 * Holds unmarked lines that may belong to an event of several lines, with its mark on the last one. Reports the
 * others to `onUnmarked`, in order.
 */
const makePendingLines = (onUnmarked: (line: UnmarkedLine) => void): PendingLines => {
  const bytes = Buffer.allocUnsafe(MAX_BYTES);
  let length = 0;
  let lines: (UnmarkedLine & { readonly start: number })[] = [];

  const flush = (): void => {
    for (const line of lines) onUnmarked(line);
    lines = [];
    length = 0;
  };

  return {
    add: (from, start, end, line) => {
      const size = end - start + 1;
      if (length + size > MAX_BYTES || lines.length === MAX_LINES) flush();
      if (size > MAX_BYTES) return onUnmarked(line);
      lines.push({ ...line, start: length });
      from.copy(bytes, length, start, end);
      bytes[length + size - 1] = LF;
      length += size;
    },
    join: (from, start, end, token) => {
      for (let i = lines.length - 1; i >= 0; i--) {
        const before = feedBytes(CRC_START, bytes, lines[i]?.start ?? 0, length);
        if (!isIntact(feedBytes(before, from, start, end), from, token)) continue;
        lines = lines.slice(0, i);
        flush();
        return true;
      }
      return false;
    },
    flush,
  };
};
