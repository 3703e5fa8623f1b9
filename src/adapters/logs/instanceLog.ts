import type { LogLevel } from '../../domain/errors.js';
import { checkGeneratorId } from '../../domain/identifiers.js';
import type { Clock } from '../../ports/clock.js';
import type { Log, LogContext } from '../../ports/log.js';
import type { LogSource, LogTail } from '../../ports/logTail.js';
import { type AuditLog, auditLog } from './auditLog.js';
import { logFiles } from './logFiles.js';
import { isAtLeast, type LogFormat, lineOf, timeText } from './logLine.js';
import type { RotationLimits } from './logRotation.js';
import { memoryLogTail } from './logTail.js';
import { logTo } from './streamLog.js';

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
  const line = lineOf(format);
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
