import { reasonOf } from '../../../domain/errors.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import type { Clock } from '../../../ports/clock.js';
import type { Log } from '../../../ports/log.js';
import { problemLog } from '../shared/problemLog.js';
import type { LineReader, Next } from './lineReader.js';
import { isUsedUp, type LineFormat, lengthOfLines, type Run, runOf } from './run.js';

export interface LineSourceOptions {
  /** Opens the file at its start, with the line format that its byte order asks for. */
  readonly open: () => Promise<{ readonly reader: LineReader; readonly format: LineFormat }>;
  /** Begin again with the first line after the last one. */
  readonly repeat: boolean;
  /** The file as it is named in logs. */
  readonly file: string;
  readonly log: Log;
  readonly clock: Clock;
}

/** Lines are there, or a timestamp gets no event (logged), or no line will come any more. */
export type Fetched = 'lines' | 'failed' | 'ended';

/** The lines of a file, run by run, whatever becomes of the file meanwhile. */
export interface LineSource {
  /** The run in use; `null` when nothing of it is left. */
  readonly run: () => Run | null;
  /** Gets the next run ready if it was read already; `null` when the file must be read first. */
  readonly fetchHeld: () => Fetched | null;
  /** Gets the next run ready; answers at once when it was read already. */
  readonly fetch: () => Fetched | Promise<Fetched>;
  /** Number in the file, from 1, of a line of the run in use, which counts from 0. */
  readonly lineNumber: (line: number) => number;
  /** Place of the next line, for `restore`. */
  readonly snapshot: () => Json;
  readonly restore: (state: Json) => void;
  /** May be called twice. */
  readonly close: () => Promise<void>;
}

/** The run in use, with its place in the file. */
interface Current {
  readonly run: Run;
  /** As read, to find places again. */
  readonly bytes: Buffer;
  readonly offset: number;
  /** Number of its first line, from 1. */
  readonly firstLine: number;
}

/** Logs of what may go wrong with a file while it is read. */
const readProblems = (log: Log, clock: Clock, file: string) => {
  const tooLong = problemLog(log, clock, 'error', 'a line is longer than the limit; it failed');
  const unreadable = problemLog(
    log,
    clock,
    'error',
    'the file could not be read; the timestamp got no event',
  );
  return {
    tooLong: (line: number): void => tooLong.report(() => ({ file_path: file, line })),
    unreadable: (reason: string): void => unreadable.report(() => ({ file_path: file, reason })),
    cut: (): void => log.write('warning', 'the file was cut while it was read', { file_path: file }),
    close: (): void => {
      tooLong.close();
      unreadable.close();
    },
  };
};

/** Opens the file at once. Throws what `open` throws. */
export const openLineSource = async (options: LineSourceOptions): Promise<LineSource> => {
  const problems = readProblems(options.log, options.clock, options.file);
  let { reader, format } = await options.open();
  let current: Current | null = null;
  let nextLine = 1;
  /** Whether the file gave a line since it was last read from its start: an empty file must not loop. */
  let hasLines = false;
  /** Lines appended after the end was reached are not seen. */
  let hasEnded = false;
  let isClosed = false;

  const place = (): Current | null => {
    if (current !== null && isUsedUp(current.run)) {
      nextLine = current.firstLine + current.run.used;
      current = null;
    }
    return current;
  };

  /** Opens the file anew: the one that has the name now. */
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
      problems.unreadable(reasonOf(thrown));
      return 'failed';
    }
    nextLine = 1;
    hasLines = false;
    return fetch();
  };

  /** What lines, good or not, and failed reads mean. */
  const accept = (next: Exclude<Next, { kind: 'end' }>): Fetched => {
    if (next.kind === 'failed') {
      problems.unreadable(next.reason);
      return 'failed';
    }
    hasLines = true;
    if (next.kind === 'too_long') {
      problems.tooLong(nextLine++);
      return 'failed';
    }
    const { bytes, offset } = next;
    current = { run: runOf(bytes, format), bytes, offset, firstLine: nextLine };
    return 'lines';
  };

  const acceptRead = (next: Next): Fetched | Promise<Fetched> => {
    if (next.kind !== 'end') return accept(next);
    if (next.isTruncated) problems.cut();
    return startAgain();
  };

  const fetchHeld = (): Fetched | null => {
    const next = reader.held();
    return next === null ? null : accept(next);
  };
  const fetch = (): Fetched | Promise<Fetched> =>
    hasEnded ? 'ended' : (fetchHeld() ?? reader.read().then(acceptRead));

  return {
    run: () => place()?.run ?? null,
    fetchHeld,
    fetch,
    lineNumber: (line) => (current?.firstLine ?? 1) + line,
    snapshot: () => {
      const found = place();
      if (found === null) return { offset: reader.offset(), line: nextLine };
      const { bytes, offset, firstLine, run } = found;
      return { offset: offset + lengthOfLines(bytes, format.lineEnd, run.used), line: firstLine + run.used };
    },
    restore: (state) => {
      if (!isJsonObject(state)) return;
      const { offset, line } = state;
      if (typeof offset !== 'number' || typeof line !== 'number') return;
      current = null;
      reader.seek(offset);
      nextLine = line;
      hasLines = line > 1;
      hasEnded = false;
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      problems.close();
      await reader.close();
    },
  };
};
