import type { LogLevel } from '../../domain/errors.js';
import { checkGeneratorId } from '../../domain/identifiers.js';
import type { Clock } from '../../ports/clock.js';
import type { Log, LogContext } from '../../ports/log.js';
import type { LogSource, LogTail } from '../../ports/logTail.js';
import { logFiles } from './logFiles.js';
import { isAtLeast, type LogFormat, lineOf, timeText } from './logLine.js';
import type { RotationLimits } from './logRotation.js';
import { memoryLogTail } from './logTail.js';
import { logTo } from './streamLog.js';

/** How long the last lines may take to reach the disk when the instance ends. */
const CLOSE_MS = 2_000;

export interface InstanceLogOptions extends RotationLimits {
  /** Folder of the log files. */
  readonly folder: string;
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** Standard error, or whatever a person or journald reads. */
  readonly console: (line: string) => void;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleepMs' | 'yieldTurn'>;
}

/** The log of an instance: console, one file for itself and one for each generator, and the last lines of each. */
export interface InstanceLog {
  readonly log: Log;
  readonly tail: LogTail;
  /** Writes what is still in memory; at most two seconds. */
  readonly close: () => Promise<void>;
}

/** Whose line it is. An id that breaks the rule for ids names no file: those entries were never registered. */
const sourceOf = ({ generator_id }: LogContext): LogSource =>
  typeof generator_id === 'string' && checkGeneratorId(generator_id) === null ? generator_id : null;

/** `main.log`, `generator_<id>.log`; `.json` where lines are JSON. */
export const logFileName = (source: LogSource, format: LogFormat): string =>
  `${source === null ? 'main' : `generator_${source}`}.${format === 'json' ? 'json' : 'log'}`;

/**
 * What the plugins of a generator say in passing (`console.log` of a script, say) is for its file only: one talkative
 * script would bury everything else. Its warnings, and what becomes of the generator, are for the console too.
 */
const isForConsole = (level: LogLevel, context: LogContext): boolean =>
  !('plugin_name' in context) || isAtLeast(level, 'warning');

/** Opens the log of an instance. Nothing is written, and no folder made, before the first line. */
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
      line(timeText(), 'warning', 'lines are missing here: they could not be written', { count }),
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
  return { log, tail, close: () => files.close(CLOSE_MS) };
};
