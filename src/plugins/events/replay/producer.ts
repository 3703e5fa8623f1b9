import { emptyBatch } from '../../../domain/eventBatch.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import type { Clock } from '../../../ports/clock.js';
import type { Log } from '../../../ports/log.js';
import type { EventProducer, Produced, ProduceRequest } from '../../kit.js';
import { problemLog } from '../shared/problemLog.js';
import type { LineReader, Next } from './lineReader.js';
import { type LineFormat, lengthOfLines, type Run, runOf } from './run.js';
import {
  isUsedUp,
  type LineProblems,
  type Substitution,
  substituteBytes,
  takeBytes,
  takeTexts,
} from './take.js';

export interface ReplayOptions {
  /** Opens the file at its start, with the line format that its byte order asks for. */
  readonly open: () => Promise<{ readonly reader: LineReader; readonly format: LineFormat }>;
  readonly repeat: boolean;
  readonly substitution: Substitution | null;
  readonly file: string;
  readonly log: Log;
  readonly clock: Clock;
}

const NOTHING: Produced = { consumed: 0, events: emptyBatch, failed: 0, dropped: 0, exhausted: false };
const EXHAUSTED: Produced = { ...NOTHING, exhausted: true };
/** One timestamp that got no event. */
const FAILED: Produced = { ...NOTHING, consumed: 1, failed: 1 };

/** The run in use, with its place in the file. */
interface Current {
  readonly run: Run;
  /** As read, to find places again. */
  readonly bytes: Buffer;
  readonly offset: number;
  /** Number of its first line, from 1. */
  readonly firstLine: number;
}

/** Pairs timestamps with the lines of a file, one by one. Opens the file at once. */
export const replayProducer = async (options: ReplayOptions): Promise<EventProducer> => {
  const { repeat, substitution, file, log, clock } = options;
  let { reader, format } = await options.open();
  let current: Current | null = null;
  let nextLine = 1;
  /** Whether the file gave a line since it was last read from its start: an empty file must not loop. */
  let hasLines = false;
  let isExhausted = false;
  let isClosed = false;

  const undecodable = problemLog(
    log,
    clock,
    'error',
    'a line is not valid in the encoding of the file; it failed',
  );
  const tooLong = problemLog(log, clock, 'error', 'a line is longer than the limit; it failed');
  const unreadable = problemLog(
    log,
    clock,
    'error',
    'the file could not be read; the timestamp got no event',
  );
  const unmatched = problemLog(
    log,
    clock,
    'warning',
    'timestamp_pattern found nothing; the line is left as it is',
  );
  const logs = [undecodable, tooLong, unreadable, unmatched];
  const lineAt = (line: number) => ({ file_path: file, line });
  const problems: LineProblems = {
    onUndecodable: (line) => undecodable.report(() => lineAt((current?.firstLine ?? 1) + line)),
    onUnmatched: (line) => unmatched.report(() => lineAt((current?.firstLine ?? 1) + line)),
  };

  const take = (run: Run, request: ProduceRequest): Produced => {
    const want = request.to - request.from;
    const taken =
      run.kind === 'texts'
        ? takeTexts(run, want, request, substitution, problems)
        : substitution === null
          ? takeBytes(run, want)
          : substituteBytes(run, want, request, substitution, problems);
    return { ...taken, dropped: 0, exhausted: false };
  };

  const leaveUsedUp = (): void => {
    if (current === null || !isUsedUp(current.run)) return;
    nextLine = current.firstLine + current.run.used;
    current = null;
  };

  const failedRead = (reason: string): Produced => {
    unreadable.report(() => ({ file_path: file, reason }));
    return FAILED;
  };

  /** Opens the file anew: the one that has the name now. `null`: go on. */
  const startAgain = async (): Promise<Produced | null> => {
    if (!repeat || !hasLines) {
      isExhausted = true;
      return EXHAUSTED;
    }
    try {
      const opened = await options.open();
      await reader.close();
      ({ reader, format } = opened);
    } catch (thrown) {
      return failedRead(String(thrown instanceof Error ? thrown.message : thrown));
    }
    nextLine = 1;
    hasLines = false;
    return null;
  };

  /** Gets lines ready, or says what the timestamp gets instead of one. */
  const accept = (next: Next): Produced | null | Promise<Produced | null> => {
    switch (next.kind) {
      case 'lines':
        hasLines = true;
        current = {
          run: runOf(next.bytes, format),
          bytes: next.bytes,
          offset: next.offset,
          firstLine: nextLine,
        };
        return null;
      case 'too_long':
        hasLines = true;
        tooLong.report(() => lineAt(nextLine));
        nextLine++;
        return FAILED;
      case 'failed':
        return failedRead(next.reason);
      case 'end':
        if (next.isTruncated) log.write('warning', 'the file was cut while it was read', { file_path: file });
        return startAgain();
    }
  };

  const produceLater = async (first: Promise<Next>, request: ProduceRequest): Promise<Produced> => {
    let instead = await accept(await first);
    while (current === null && instead === null) instead = await accept(await reader.next());
    return instead ?? produceFrom(current as Current, request);
  };

  const produceFrom = ({ run }: Current, request: ProduceRequest): Produced => {
    const produced = take(run, request);
    leaveUsedUp();
    return produced;
  };

  return {
    produce: (request) => {
      if (request.from === request.to) return NOTHING;
      if (isExhausted) return EXHAUSTED;
      if (current === null) {
        const next = reader.next();
        if (next instanceof Promise) return produceLater(next, request);
        const instead = accept(next);
        if (instead instanceof Promise) return instead.then((produced) => produced ?? NOTHING);
        if (instead !== null) return instead;
      }
      return produceFrom(current as unknown as Current, request);
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      for (const each of logs) each.close();
      await reader.close();
    },
    snapshot: () => {
      if (current === null) return { offset: reader.offset(), line: nextLine };
      const { bytes, offset, firstLine, run } = current;
      return {
        offset: offset + lengthOfLines(bytes, format.lineEnd, run.used),
        line: firstLine + run.used,
      };
    },
    restore: (state: Json) => {
      if (!isJsonObject(state)) return;
      const { offset, line } = state;
      if (typeof offset !== 'number' || typeof line !== 'number') return;
      current = null;
      reader.seek(offset);
      nextLine = line;
      hasLines = line > 1;
      isExhausted = false;
    },
  };
};
