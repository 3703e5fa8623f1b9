import type { LogLevel } from '../../../domain/errors.js';
import { isJsonObject, type Json } from '../../../domain/json.js';

/** A line of a stream with its number since the stream began. */
export interface Numbered<A> {
  readonly number: number;
  readonly value: A;
}

/** The newest lines first, at most `limit`. `news`: oldest first. */
export const withNews = <A>(
  lines: readonly Numbered<A>[],
  news: readonly A[],
  limit: number,
): readonly Numbered<A>[] => {
  if (news.length === 0) return lines;
  const last = lines[0]?.number ?? 0;
  const numbered = news.map((value, index) => ({ number: last + index + 1, value }));
  return [...numbered.reverse(), ...lines].slice(0, limit);
};

/** Removes the sizes of lines that are gone: a stream goes on for days. */
export const forgetGone = <Key>(sizes: Map<Key, number>, lines: readonly Numbered<unknown>[]): void => {
  const oldest = lines.at(-1)?.number ?? Number.POSITIVE_INFINITY;
  for (const number of sizes.keys()) if (Number(number) < oldest) sizes.delete(number);
};

export interface LogEntry {
  /** ISO 8601 in UTC; empty for lines that are not entries. */
  readonly at: string;
  readonly level: LogLevel | null;
  readonly message: string;
}

const RANKS: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warning: 2, error: 3, critical: 4 };
export const LEVEL_CHOICES = Object.keys(RANKS) as readonly LogLevel[];

const PLAIN = /^(\S+Z) (debug|info|warning|error|critical) +(.*)$/;

const jsonEntry = (line: string): LogEntry | null => {
  try {
    const value = JSON.parse(line) as Json;
    if (!isJsonObject(value)) return null;
    const { timestamp, level, event, ...context } = value;
    if (typeof timestamp !== 'string' || typeof event !== 'string') return null;
    const pairs = Object.entries(context).map(
      ([key, one]) => ` ${key}=${typeof one === 'string' ? one : JSON.stringify(one)}`,
    );
    return {
      at: timestamp,
      level: LEVEL_CHOICES.find((known) => known === level) ?? null,
      message: `${event}${pairs.join('')}`,
    };
  } catch {
    return null;
  }
};

/** An entry of a log in either format. */
export const logEntryOf = (line: string): LogEntry => {
  const [, at = '', level = '', message = ''] = PLAIN.exec(line) ?? [];
  if (at !== '') return { at, level: level as LogLevel, message };
  const json = line.startsWith('{') ? jsonEntry(line) : null;
  return json ?? { at: '', level: null, message: line };
};

/** Whole lines of text that comes in pieces. `rest`: the beginning of the next line. */
export const linesOf = (
  rest: string,
  piece: string,
): { readonly lines: readonly string[]; readonly rest: string } => {
  const lines = `${rest}${piece}`.split('\n');
  return { lines: lines.slice(0, -1).filter((line) => line !== ''), rest: lines.at(-1) ?? '' };
};

/** Lines that are no entries belong to every level. */
export const isShownEntry = ({ level, message }: LogEntry, lowest: LogLevel, wanted: string): boolean =>
  (level === null || RANKS[level] >= RANKS[lowest]) && message.toLowerCase().includes(wanted.toLowerCase());
