import type { LogLevel } from '../../domain/errors.js';
import { checkGeneratorId } from '../../domain/identifiers.js';
import type { Clock } from '../../ports/clock.js';
import type { Log, LogContext, LogReader, LogSource, LogTail } from '../../ports/log.js';
import { type AuditLog, auditLog } from './auditLog.js';
import { logFiles, type RotationLimits } from './logFiles.js';
import { isAtLeast, type LogFormat, logLineOf, logTo, timeText } from './streamLog.js';

const CLOSE_MS = 2_000;

export interface InstanceLogOptions extends RotationLimits {
  readonly folder: string;
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** Standard error or journald. */
  readonly console: (line: string) => void;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleepMs' | 'yieldTurn'>;
}

/** Log of an instance: console, a file for the instance and for each generator, and their tails. */
export interface InstanceLog {
  readonly log: Log;
  readonly tail: LogTail;
  /** Who changed what, in a file of its own. */
  readonly audit: AuditLog;
  /** Flushes; takes at most two seconds. */
  readonly close: () => Promise<void>;
}

/** An invalid id names no file: such entries are never registered. */
const sourceOf = ({ generator_id }: LogContext): LogSource =>
  typeof generator_id === 'string' && checkGeneratorId(generator_id) === null ? generator_id : null;

const logFileName = (source: LogSource, format: LogFormat): string =>
  `${source === null ? 'main' : `generator_${source}`}.${format === 'json' ? 'json' : 'log'}`;

/** Plugin output below a warning stays in the generator's file: one chatty script would bury everything else. */
const isForConsole = (level: LogLevel, context: LogContext): boolean =>
  !('plugin_name' in context) || isAtLeast(level, 'warning');

/** Creates no folder before the first line. */
export const instanceLog = (options: InstanceLogOptions): InstanceLog => {
  const { format, level: lowest } = options;
  const line = logLineOf(format);
  const tail = memoryLogTail();
  const toConsole = (level: LogLevel, message: string, context: LogContext): void =>
    options.console(line(timeText(), level, message, context));
  const files = logFiles({
    folder: options.folder,
    max_bytes: options.max_bytes,
    backups: options.backups,
    clock: options.clock,
    droppedLine: (count) =>
      line(timeText(), 'warning', 'log lines dropped here: they could not be written', { count }),
    tell: (level, message, context) => toConsole(level, message, { folder: options.folder, ...context }),
  });
  const log = logTo((level, message, context) => {
    if (!isAtLeast(level, lowest)) return;
    const source = sourceOf(context);
    const { generator_id: _named, ...rest } = context;
    const text = line(timeText(), level, message, source === null ? context : rest);
    files.append(logFileName(source, format), text);
    tail.add(source, text);
    if (isForConsole(level, context)) toConsole(level, message, context);
  });
  const audit = auditLog({ ...options, files, now: timeText });
  return { log, tail, audit, close: () => files.close(CLOSE_MS) };
};

const MAX_LINES = 1_000;
const MAX_CHARS = 64 * 1024;
/** Limit of sources; the longest silent one without a reader is forgotten. */
const MAX_SOURCES = 512;

interface Ring {
  readonly lines: string[];
  chars: number;
  /** Number of the first kept line, from 0. */
  first: number;
  readonly wake: Set<() => void>;
}

const newRing = (): Ring => ({ lines: [], chars: 0, first: 0, wake: new Set() });

const push = (ring: Ring, line: string): void => {
  ring.lines.push(line);
  ring.chars += line.length;
  // An oversized line stays, alone: readers should not see a gap.
  while (ring.lines.length > 1 && (ring.lines.length > MAX_LINES || ring.chars > MAX_CHARS)) {
    ring.chars -= ring.lines.shift()?.length ?? 0;
    ring.first++;
  }
};

/** First of the last lines that fit in `bytes`. */
const startOf = ({ lines, first }: Ring, bytes: number): number => {
  let left = bytes;
  let at = lines.length;
  while (at > 0) {
    left -= Buffer.byteLength(lines[at - 1] ?? '');
    if (left < 0) break;
    at--;
  }
  return first + at;
};

const readerOf = (ring: Ring, from_bytes: number, onMore: () => void): LogReader => {
  let next = startOf(ring, from_bytes);
  let isTold = false;
  const wake = (): void => {
    if (isTold) return;
    isTold = true;
    onMore();
  };
  ring.wake.add(wake);
  return {
    take: () => {
      isTold = false;
      const missed = Math.max(0, ring.first - next);
      const lines = ring.lines.slice(next + missed - ring.first);
      next = ring.first + ring.lines.length;
      return { lines, missed };
    },
    close: () => void ring.wake.delete(wake),
  };
};

/** The last lines of each source, in memory. */
export const memoryLogTail = (): LogTail & { readonly add: (source: LogSource, line: string) => void } => {
  const rings = new Map<LogSource, Ring>();

  const forgetSilent = (kept: Ring): void => {
    for (const [source, ring] of rings) {
      if (rings.size <= MAX_SOURCES) return;
      if (ring.wake.size === 0 && ring !== kept && source !== null) rings.delete(source);
    }
  };

  /** Moves the source to the end of the map, which is ordered by last line. */
  const touched = (source: LogSource): Ring => {
    const ring = rings.get(source) ?? newRing();
    rings.delete(source);
    rings.set(source, ring);
    forgetSilent(ring);
    return ring;
  };

  return {
    add: (source, line) => {
      const ring = touched(source);
      push(ring, line);
      for (const wake of ring.wake) wake();
    },
    has: (source) => (rings.get(source)?.lines.length ?? 0) > 0,
    open: (source, { from_bytes, onMore }) => readerOf(touched(source), from_bytes, onMore),
  };
};
