import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LogLevel } from '../../domain/errors.js';
import { logLimit } from '../../domain/logLimit.js';
import type { Clock } from '../../ports/clock.js';
import type { LogContext } from '../../ports/log.js';
import { errnoOf, ioError, isAbsent } from '../files/ioError.js';

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

export interface RotationLimits {
  /** Size limit of a file; a longer single line gets a file of its own. */
  readonly max_bytes: number;
  /** Rotated files to keep; `<file>.1` is the newest. */
  readonly backups: number;
}

const LINE_FEED = 0x0a;

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (thrown: unknown) => {
      if (isAbsent(thrown)) return false;
      throw thrown;
    },
  );

const move = (from: string, to: string): Promise<void> =>
  rename(from, to).catch((thrown: unknown) => {
    if (!isAbsent(thrown)) throw thrown;
  });

/**
 * Renames the file to `<file>.1` and shifts older ones up to the first gap, where a crash stopped a rotation:
 * no file is lost.
 */
export const rotate = async (path: string, backups: number): Promise<void> => {
  let free = 1;
  while (free < backups && (await isThere(`${path}.${free}`))) free++;
  for (let number = free; number > 1; number--) await move(`${path}.${number - 1}`, `${path}.${number}`);
  await move(path, `${path}.1`);
  // Files that a larger number of backups left behind.
  for (let number = backups + 1; await isThere(`${path}.${number}`); number++) await rm(`${path}.${number}`);
};

const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR } = constants;

/** O_NONBLOCK: opening a named pipe would wait for a reader. */
const openLog = async (path: string): Promise<FileHandle> => {
  const flags = O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK;
  try {
    return await open(path, flags, 0o640);
  } catch (thrown) {
    if (!isAbsent(thrown)) throw thrown;
    await mkdir(dirname(path), { recursive: true, mode: 0o750 });
    return await open(path, flags, 0o640);
  }
};

const isTorn = async (file: FileHandle, size: number): Promise<boolean> => {
  if (size === 0) return false;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== LINE_FEED;
};

/** Number of lines that fit behind `size` bytes; at least one in an empty file. */
const fitting = (lines: readonly string[], size: number, max_bytes: number): number => {
  let total = size;
  let count = 0;
  for (const line of lines) {
    total += Buffer.byteLength(line);
    if (total > max_bytes && (count > 0 || size > 0)) break;
    count++;
    if (total > max_bytes) break;
  }
  return count;
};

/** All or nothing: half a line would spoil the next one. */
const appendWhole = async (file: FileHandle, text: string, size: number): Promise<void> => {
  try {
    await file.appendFile(text);
  } catch (thrown) {
    await file.truncate(size).catch(() => undefined);
    throw thrown;
  }
};

const appendSome = async (path: string, lines: readonly string[], limits: RotationLimits) => {
  const file = await openLog(path);
  try {
    const stats = await file.stat();
    const { size } = stats;
    // Devices and pipes are never rotated.
    const count = stats.isFile() ? fitting(lines, size, limits.max_bytes) : lines.length;
    if (count === 0) return 0;
    const separator = stats.isFile() && (await isTorn(file, size)) ? '\n' : '';
    await appendWhole(file, separator + lines.slice(0, count).join(''), size);
    return count;
  } finally {
    await file.close();
  }
};

/**
 * Appends and rotates. Opens the file for each call, so external rotation is noticed. Never rejects: `thrown`
 * is why only the first `written` lines were written, or `null`.
 */
export const appendLines = async (
  path: string,
  lines: readonly string[],
  limits: RotationLimits,
): Promise<{ readonly written: number; readonly thrown: unknown }> => {
  let written = 0;
  try {
    while (written < lines.length) {
      const count = await appendSome(path, lines.slice(written), limits);
      if (count === 0) await rotate(path, limits.backups);
      written += count;
    }
    return { written, thrown: null };
  } catch (thrown) {
    return { written, thrown };
  }
};
