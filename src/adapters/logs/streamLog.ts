import type { LogLevel } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';
import type { KnownSecrets } from '../../domain/secrets.js';
import { utcText } from '../../domain/time/iso.js';
import { MICROS_PER_MS } from '../../domain/time/micros.js';
import type { Log, LogContext } from '../../ports/log.js';

/** A log that passes each entry with its full context to `write`. */
export const logTo = (
  write: (level: LogLevel, message: string, context: LogContext) => void,
  context: LogContext = {},
): Log => ({
  write: (level, message, more) => write(level, message, { ...context, ...more }),
  with: (more) => logTo(write, { ...context, ...more }),
});

interface StreamLogOptions {
  /** Lowest level that is written. Null to write none. */
  readonly level: LogLevel | null;
  readonly format: LogFormat;
  readonly write: (line: string) => void;
}

export const streamLog = (options: StreamLogOptions): Log => {
  const line = logLineOf(options.format);
  return logTo((level, message, context) => {
    if (isAtLeast(level, options.level)) options.write(line(timeText(), level, message, context));
  });
};

export type LogFormat = 'plain' | 'json';

const RANK: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warning: 2, error: 3, critical: 4 };

/** Whether `level` is at least `lowest`; `null` admits none. */
export const isAtLeast = (level: LogLevel, lowest: LogLevel | null): boolean =>
  lowest !== null && RANK[level] >= RANK[lowest];

export const timeText = (): string => utcText(Date.now() * MICROS_PER_MS);

/** Printed without quotes; other values are JSON, so an entry stays on one line. */
const BARE = /^[^\s"=\p{Cc}]+$/u;
const plainValue = (value: Json): string =>
  typeof value === 'string' && BARE.test(value) ? value : JSON.stringify(value);

type LineOf = (at: string, level: LogLevel, message: string, context: LogContext) => string;

const plainLine: LineOf = (at, level, message, context) => {
  const pairs = Object.entries(context).map(([key, value]) => ` ${key}=${plainValue(value)}`);
  const sentence = message.replace(/\p{Cc}+/gu, ' ');
  return `${at} ${level.padEnd(8)} ${sentence}${pairs.join('')}\n`;
};

const jsonLine: LineOf = (at, level, message, context) =>
  `${JSON.stringify({ timestamp: at, level, event: message, ...context })}\n`;

export const logLineOf = (format: LogFormat): LineOf => (format === 'json' ? jsonLine : plainLine);

/** Generator ids are never secret (no placeholder makes one), and they name log files. */
const OPEN_KEY = 'generator_id';

const hideContext = (context: LogContext, known: KnownSecrets): LogContext =>
  Object.fromEntries(
    Object.entries(context).map(([key, value]) => [key, key === OPEN_KEY ? value : known.hideJson(value)]),
  );

/** Masks every known secret as `***`. */
export const maskedLog = (log: Log, known: KnownSecrets): Log =>
  logTo((level, message, context) => log.write(level, known.hideText(message), hideContext(context, known)));
