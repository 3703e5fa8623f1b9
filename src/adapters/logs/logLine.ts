import type { LogLevel } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';
import { isoFormatter } from '../../domain/time/iso.js';
import { MICROS_PER_MS } from '../../domain/time/micros.js';
import { utc } from '../../domain/time/zone.js';
import type { LogContext } from '../../ports/log.js';

export type LogFormat = 'plain' | 'json';

const RANK: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warning: 2, error: 3, critical: 4 };

/** Whether `level` is at least `lowest`; `null` admits none. */
export const isAtLeast = (level: LogLevel, lowest: LogLevel | null): boolean =>
  lowest !== null && RANK[level] >= RANK[lowest];

const isoUtc = isoFormatter(utc);

export const timeText = (): string => isoUtc(Date.now() * MICROS_PER_MS).replace('+00:00', 'Z');

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

export const lineOf = (format: LogFormat): LineOf => (format === 'json' ? jsonLine : plainLine);
