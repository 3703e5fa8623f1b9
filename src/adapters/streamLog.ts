import type { LogLevel } from '../domain/errors.js';
import type { Json } from '../domain/json.js';
import { isoFormatter } from '../domain/time/iso.js';
import { MICROS_PER_MS } from '../domain/time/micros.js';
import { utc } from '../domain/time/zone.js';
import type { Log, LogContext } from '../ports/log.js';

const RANK: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warning: 2, error: 3, critical: 4 };

const isoUtc = isoFormatter(utc);
const timeText = (): string => isoUtc(Date.now() * MICROS_PER_MS).replace('+00:00', 'Z');

/** Text that stands bare in a plain line; everything else is written as JSON, so one event is one line. */
const BARE = /^[^\s"=\p{Cc}]+$/u;
const plainValue = (value: Json): string =>
  typeof value === 'string' && BARE.test(value) ? value : JSON.stringify(value);

const plainLine = (level: LogLevel, message: string, context: LogContext): string => {
  const pairs = Object.entries(context).map(([key, value]) => ` ${key}=${plainValue(value)}`);
  const sentence = message.replace(/\p{Cc}+/gu, ' ');
  return `${timeText()} ${level.padEnd(8)} ${sentence}${pairs.join('')}\n`;
};

const jsonLine = (level: LogLevel, message: string, context: LogContext): string =>
  `${JSON.stringify({ timestamp: timeText(), level, event: message, ...context })}\n`;

export interface StreamLogOptions {
  /** Lowest level that is written; `null` writes nothing. */
  readonly level: LogLevel | null;
  readonly format: 'plain' | 'json';
  readonly write: (line: string) => void;
}

/** A log of one line per event: `plain` for people, `json` for machines. */
export const streamLog = (options: StreamLogOptions): Log => {
  const lineOf = options.format === 'json' ? jsonLine : plainLine;
  const lowest = options.level === null ? Number.POSITIVE_INFINITY : RANK[options.level];
  const make = (context: LogContext): Log => ({
    write: (level, message, more) => {
      if (RANK[level] >= lowest) options.write(lineOf(level, message, { ...context, ...more }));
    },
    with: (more) => make({ ...context, ...more }),
  });
  return make({});
};
