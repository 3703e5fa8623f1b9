import { join } from 'node:path';
import type { LogLevel } from '../../domain/errors.js';
import { logLimit } from '../../domain/logLimit.js';
import type { Clock } from '../../ports/clock.js';
import type { LogContext } from '../../ports/log.js';
import { errnoOf, ioError } from '../files/ioError.js';
import { appendLines, type RotationLimits } from './logRotation.js';

/** Limits of lines in memory: per file, so a chatty one leaves room, and in total. */
const MAX_FILE_CHARS = 1024 * 1024;
const MAX_TOTAL_CHARS = 8 * 1024 * 1024;
const RETRY_MS = 5_000;
const TELL_EVERY_MS = 60_000;

export interface LogFiles {
  /** Queues a line (with its line feed). Never waits, never throws. */
  readonly append: (name: string, line: string) => void;
  /** Resolves when every queued line is written or its write has failed. Never rejects. */
  readonly settled: () => Promise<void>;
  /** Retries failed writes once; resolves when settled or at the deadline. Never rejects. */
  readonly close: (deadline_ms: number) => Promise<void>;
}

interface LogFilesOptions extends RotationLimits {
  readonly folder: string;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleepMs' | 'yieldTurn'>;
  readonly droppedLine: (count: number) => string;
  /** Reports an outage elsewhere: once when it begins, once when it ends. */
  readonly tell: (level: LogLevel, message: string, context: LogContext) => void;
}

interface Waiting {
  readonly name: string;
  lines: string[];
  /** Number of characters of queued lines and of those being written. */
  chars: number;
  dropped: number;
}

const charsOf = (lines: readonly string[]): number => lines.reduce((sum, { length }) => sum + length, 0);

const takeLines = (file: Waiting, droppedLine: (count: number) => string) => {
  const { lines, dropped } = file;
  file.lines = [];
  file.dropped = 0;
  return { lines: dropped === 0 ? lines : [...lines, droppedLine(dropped)], dropped };
};

/**
 * Lines queue in memory and one writer appends them: the main thread never waits, a burst is one write. If the
 * disk cannot keep up, the queue is bounded and the count of dropped lines is written later.
 */
export const logFiles = (options: LogFilesOptions): LogFiles => {
  const { clock, tell } = options;
  const files = new Map<string, Waiting>();
  const ready = new Set<Waiting>();
  /** Files of failed writes; retried together. */
  const failed = new Set<Waiting>();
  /** Error codes reported since the last good write. */
  const told = new Set<string>();
  const slow = logLimit({ first: 1, interval_ms: TELL_EVERY_MS, monotonicMs: clock.monotonicMs });
  const closing = new AbortController();
  let total = 0;
  let lost = 0;
  let pump: Promise<void> | null = null;
  let isRetryDue = false;

  const noteFailure = (file: Waiting, thrown: unknown): void => {
    failed.add(file);
    if (!isRetryDue && !closing.signal.aborted) void retryLater();
    if (told.has(errnoOf(thrown))) return;
    told.add(errnoOf(thrown));
    const { message } = ioError('unwritable', 'write', join(options.folder, file.name), thrown);
    const context = { reason: message, retry_seconds: RETRY_MS / 1000 };
    tell('error', 'cannot write log files: lines are buffered in memory', context);
  };

  const noteSuccess = (file: Waiting): void => {
    failed.delete(file);
    if (file.lines.length > 0 || file.dropped > 0) ready.add(file);
    else files.delete(file.name);
    if (failed.size > 0 || (told.size === 0 && lost === 0)) return;
    if (told.size > 0) tell('warning', 'log files can be written again', { lines_dropped: lost });
    else if (!slow.admit()) return;
    else tell('warning', 'log lines dropped: the disk is too slow', { lines_dropped: lost });
    told.clear();
    lost = 0;
  };

  const writeOut = async (file: Waiting): Promise<void> => {
    ready.delete(file);
    const { lines, dropped } = takeLines(file, options.droppedLine);
    const { written, thrown } = await appendLines(join(options.folder, file.name), lines, options);
    const isNoteLeft = dropped > 0 && written < lines.length;
    const rest = lines.slice(written, isNoteLeft ? -1 : undefined);
    total -= file.chars;
    file.lines = [...rest, ...file.lines];
    file.chars = charsOf(file.lines);
    total += file.chars;
    if (isNoteLeft) file.dropped += dropped;
    else lost += dropped;
    ready.delete(file);
    if (thrown === null) noteSuccess(file);
    else noteFailure(file, thrown);
  };

  const run = async (): Promise<void> => {
    // One write per turn of the event loop.
    await clock.yieldTurn();
    for (let [file] = ready; file !== undefined; [file] = ready) await writeOut(file);
  };

  const start = (): void => {
    pump ??= run().finally(() => {
      pump = null;
      if (ready.size > 0) start();
    });
  };

  const tryAgain = (): void => {
    for (const file of failed) ready.add(file);
    if (ready.size > 0) start();
  };

  const retryLater = async (): Promise<void> => {
    isRetryDue = true;
    await clock.sleepMs(RETRY_MS, closing.signal);
    isRetryDue = false;
    // `close` retries by itself.
    if (!closing.signal.aborted) tryAgain();
  };

  const settled = async (): Promise<void> => {
    while (pump !== null) await pump;
  };

  const append = (name: string, line: string): void => {
    const file = files.get(name) ?? { name, lines: [], chars: 0, dropped: 0 };
    files.set(name, file);
    if (!failed.has(file)) ready.add(file);
    if (file.chars + line.length > MAX_FILE_CHARS || total + line.length > MAX_TOTAL_CHARS) file.dropped++;
    else {
      file.lines.push(line);
      file.chars += line.length;
      total += line.length;
    }
    start();
  };

  return {
    append,
    settled,
    close: async (deadline_ms) => {
      tryAgain();
      closing.abort();
      const late = new AbortController();
      await Promise.race([settled(), clock.sleepMs(deadline_ms, late.signal)]);
      late.abort();
      const left = [...files.values()].reduce((sum, { lines, dropped }) => sum + lines.length + dropped, 0);
      if (left > 0) tell('error', 'log lines lost at shutdown', { lines_dropped: left });
    },
  };
};
