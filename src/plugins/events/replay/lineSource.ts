import { Failed, reasonOf } from '../../../domain/errors.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import { type Partition, WHOLE } from '../../../domain/partitions.js';
import type { Clock } from '../../../ports/clock.js';
import type { Log } from '../../../ports/log.js';
import { problemLog } from '../../shared/problemLog.js';
import { keepOwn, makeGap, type OwnLines } from './lineEnds.js';
import type { LineReader, Lines } from './lineReader.js';
import { isUsedUp, type LineFormat, type LineRun, lengthOfUsed, runOf } from './lineRun.js';

export interface LineSourceOptions {
  /** Opens the file at its start, with the line format for its byte order. */
  readonly open: () => Promise<{ readonly reader: LineReader; readonly format: LineFormat }>;
  readonly repeat: boolean;
  readonly file: string;
  /** Its path as the config gives it: the same wherever the generator runs. */
  readonly name: string;
  readonly log: Log;
  readonly clock: Clock;
  /**
   * The partition whose lines these are: number `k` of the lines, repeats included, belongs to partition `k mod count`.
   * Undefined when all lines are read.
   */
  readonly partition?: Partition;
}

/** Lines are there, or a timestamp gets no event (logged), or the file has ended. */
export type Fetched = 'lines' | 'failed' | 'ended';

/** Byte offset of a line, and its number from 1. `gap`: lines of other partitions from there to the next own one. */
type LinePosition = { readonly offset: number; readonly line: number; readonly gap?: number };

export interface LineSource {
  /** Returns the current run, or the next one. Null when `fetch` must be called first. */
  readonly run: () => LineRun | null;
  readonly fetch: () => Promise<Fetched>;
  /** Number in the file, from 1, of line `line` (from 0) of the current run. */
  readonly lineNumber: (line: number) => number;
  /** Position of the next line. Takes microseconds, at any file size. */
  readonly snapshot: () => LinePosition;
  /** Continues at a position; call before `run`. Throws on an invalid state, or if the file ends earlier. */
  readonly restore: (state: Json) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Current {
  readonly run: LineRun;
  /** Where the lines of the partition are. Null when all lines are its own. */
  readonly own: OwnLines | null;
  /** As read, to compute offsets. */
  readonly bytes: Buffer;
  readonly offset: number;
  readonly firstLine: number;
}

/** Lines of the file up to the last used one. */
const passedBy = ({ run, own }: Current): number => {
  if (own === null) return run.used;
  return run.used === 0 ? 0 : own.gap + (run.used - 1) * own.step + 1;
};

const runCursor = (partition: Partition) => {
  const gap = makeGap(partition);
  let current: Current | null = null;
  /** Number of the line after `current`, from 1. */
  let nextLine = 1;
  const left = (): Current | null => {
    if (current !== null && isUsedUp(current.run)) {
      nextLine = current.firstLine + (current.own?.lines ?? current.run.used);
      current = null;
    }
    return current;
  };
  return {
    run: (): LineRun | null => left()?.run ?? null,
    use: (lines: Lines, format: LineFormat): void => {
      const { bytes, offset } = lines;
      if (partition.count === 1) {
        current = { run: runOf(lines, format), own: null, bytes, offset, firstLine: nextLine };
        return;
      }
      const kept = keepOwn(bytes, format.lineEnd, gap.left(), partition);
      const run = runOf({ ...lines, bytes: kept.bytes }, format);
      current = { run, own: kept.own, bytes, offset, firstLine: nextLine };
      gap.pass(kept.own.lines);
    },
    /** Counts a line outside of runs; returns its number, or `null` for a line of another partition. */
    passLine: (): number | null => {
      const isOwn = gap.left() === 0;
      gap.pass(1);
      nextLine++;
      return isOwn ? nextLine - 1 : null;
    },
    /** Leaves the current run; the next one starts with this line, after `left` lines of other partitions. */
    goTo: (line: number, left?: number): void => {
      current = null;
      nextLine = line;
      if (left !== undefined) gap.set(left);
    },
    lineNumber: (line: number): number => {
      const { gap: first, step } = current?.own ?? { gap: 0, step: 1 };
      return (current?.firstLine ?? 1) + first + line * step;
    },
    /** Position of the next line; `after`: offset of the first line in no run yet. */
    position: (after: number, lineEnd: Buffer): LinePosition => {
      const found = left();
      const dealt = (lines: number) => (partition.count === 1 ? {} : { gap: lines });
      if (found === null) return { offset: after, line: nextLine, ...dealt(gap.left()) };
      const { bytes, offset, firstLine, run, own } = found;
      const line = firstLine + passedBy(found);
      if (own === null) return { offset: offset + lengthOfUsed(run, bytes, lineEnd), line };
      return run.used === 0
        ? { offset, line, gap: own.gap }
        : { offset: offset + (own.ends[run.used - 1] as number), line, gap: own.step - 1 };
    },
  };
};

const readProblems = (log: Log, clock: Clock, file: string) => {
  const tooLong = problemLog(log, clock, 'error', 'line failed: longer than the limit');
  const unreadable = problemLog(log, clock, 'error', 'event failed: the file cannot be read');
  return {
    tooLong: (line: number): void => tooLong.report(() => ({ file_path: file, line })),
    unreadable: (reason: string): void => unreadable.report(() => ({ file_path: file, reason })),
    cut: (): void => log.write('warning', 'the file was truncated while it was read', { file_path: file }),
    shorter: ({ offset, line }: LinePosition): void =>
      log.write('warning', 'the file is shorter than before; replay starts over with its first line', {
        file_path: file,
        offset,
        line,
      }),
    changed: ({ offset, line }: LinePosition): void =>
      log.write('warning', 'the file has changed; replay continues in the middle of a line', {
        file_path: file,
        offset,
        line,
      }),
    close: (): void => {
      tooLong.close();
      unreadable.close();
    },
  };
};

const positionFrom = (state: Json): LinePosition => {
  const { offset, line, gap } = isJsonObject(state) ? state : {};
  const isPlace = Number.isSafeInteger(offset) && Number.isSafeInteger(line);
  if (!isPlace || Number(offset) < 0 || Number(line) < 1) {
    throw new Error('the saved state of replay is invalid');
  }
  const place = { offset: Number(offset), line: Number(line) };
  return Number.isSafeInteger(gap) ? { ...place, gap: Number(gap) } : place;
};

const shorterFile = (file: string, { offset, line }: LinePosition): Error =>
  new Error(
    `replay file ${file} ends before byte ${offset} (line ${line}), the position of the checkpoint. ` +
      'Restore the file, or start without the checkpoint.',
  );

/** Opens the file at once. Throws what `open` throws. */
export const openLineSource = async (options: LineSourceOptions): Promise<LineSource> => {
  const problems = readProblems(options.log, options.clock, options.file);
  let { reader, format } = await options.open();
  const cursor = runCursor(options.partition ?? WHOLE);
  /** Whether the file gave a line since its start: an empty file must not loop. */
  let hasLines = false;
  /** Lines appended after the end are ignored. */
  let hasEnded = false;
  let isClosed = false;

  /** Opens the file that has the name now. */
  const startAgain = async (): Promise<Fetched> => {
    if (!options.repeat || !hasLines) {
      hasEnded = true;
      return 'ended';
    }
    try {
      const opened = await options.open();
      await reader.close();
      ({ reader, format } = opened);
    } catch (thrown) {
      if (thrown instanceof Failed) throw thrown;
      problems.unreadable(reasonOf(thrown));
      return 'failed';
    }
    cursor.goTo(1);
    hasLines = false;
    return fetch();
  };

  const use = (lines: Lines): LineRun | null => {
    hasLines = true;
    cursor.use(lines, format);
    return cursor.run();
  };

  const fetch = async (): Promise<Fetched> => {
    if (hasEnded) return 'ended';
    const next = await reader.read();
    switch (next.kind) {
      case 'lines':
        return use(next) === null ? fetch() : 'lines';
      case 'too_long': {
        hasLines = true;
        const line = cursor.passLine();
        if (line === null) return fetch();
        problems.tooLong(line);
        return 'failed';
      }
      case 'failed':
        problems.unreadable(next.reason);
        return 'failed';
      case 'end':
        if (next.isTruncated) problems.cut();
        return startAgain();
    }
  };

  return {
    run: () => {
      const known = cursor.run();
      if (known !== null) return known;
      for (let held = reader.held(); held !== null; held = reader.held()) {
        const run = use(held);
        if (run !== null) return run;
      }
      return null;
    },
    fetch,
    lineNumber: cursor.lineNumber,
    snapshot: () => cursor.position(reader.offset(), format.lineEnd),
    restore: async (state) => {
      const position = positionFrom(state);
      const found = await reader.checkOffset(position.offset);
      hasEnded = false;
      if (found === 'beyond_end') {
        if (!options.repeat) throw shorterFile(options.file, position);
        problems.shorter(position);
        return;
      }
      if (found === 'inside_line') problems.changed(position);
      cursor.goTo(position.line, position.gap);
      reader.seek(position.offset);
      hasLines = position.line > 1;
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      problems.close();
      await reader.close();
    },
  };
};
