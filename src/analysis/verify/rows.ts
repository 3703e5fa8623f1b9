import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject } from '../../domain/json.js';
import { parseIso } from '../../domain/time/iso.js';
import { MICROS_PER_MS, MICROS_PER_SECOND, type Micros } from '../../domain/time/micros.js';
import { utc } from '../../domain/time/zone.js';

/** A row without its arrival column. */
export interface ArrivalRow {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  readonly arrived: Micros | null;
}

export interface RowReader {
  /** Returns the row of a line, or null for a header. The row is valid until the next call. */
  readonly row: (bytes: Buffer, from: number, to: number) => ArrivalRow | null;
  /** Returns what is wrong with the result, or null when nothing is. */
  readonly problem: () => string | null;
}

const TAB = 9;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Upper bounds of epoch seconds (year 5138), milliseconds and microseconds. */
const [MAX_SECONDS, MAX_MILLIS, MAX_MICROSECONDS] = [1e11, 1e14, 1e17];
const NANOS_PER_MICRO = 1_000;

/**
 * Reads epoch seconds, milli-, micro- or nanoseconds (by magnitude), or ISO 8601, in UTC without an offset. Returns
 * null for anything else.
 */
export const instantOf = (value: string): Micros | null => {
  if (!NUMBER.test(value)) return parseIso(value, utc);
  const number = Number(value);
  const size = Math.abs(number);
  if (size < MAX_SECONDS) return Math.round(number * MICROS_PER_SECOND);
  if (size < MAX_MILLIS) return Math.round(number * MICROS_PER_MS);
  return Math.round(size < MAX_MICROSECONDS ? number : number / NANOS_PER_MICRO);
};

/** -1: too few columns. */
const columnStart = (bytes: Buffer, from: number, to: number, index: number): number => {
  let at = from;
  for (let i = 0; i < index; i++) {
    const tab = bytes.indexOf(TAB, at);
    if (tab < 0 || tab >= to) return -1;
    at = tab + 1;
  }
  return at;
};

export const tabRows = (column: string): RowReader => {
  let index: number | null = null;
  let row = Buffer.alloc(0);

  /** Copies the row without `bytes[start..end)` and one adjacent tab. */
  const without = (bytes: Buffer, from: number, to: number, start: number, end: number): number => {
    if (row.length < to - from) row = Buffer.allocUnsafe((to - from) * 2);
    const before = bytes.copy(row, 0, from, Math.max(from, start - 1));
    const isFirst = start === from;
    return before + bytes.copy(row, before, isFirst ? Math.min(to, end + 1) : end, to);
  };

  return {
    row: (bytes, from, to) => {
      if (index === null) {
        index = bytes.toString('utf8', from, to).split('\t').indexOf(column);
        return null;
      }
      const start = index < 0 ? -1 : columnStart(bytes, from, to, index);
      if (start < 0) return { bytes, from, to, arrived: null };
      const tab = bytes.indexOf(TAB, start);
      const end = tab < 0 || tab > to ? to : tab;
      const length = without(bytes, from, to, start, end);
      return { bytes: row, from: 0, to: length, arrived: instantOf(bytes.toString('latin1', start, end)) };
    },
    problem: () => (index === -1 ? `the result has no column "${column}"` : null),
  };
};

export const jsonRows = (column: string): RowReader => {
  let isMissing = false;
  return {
    row: (bytes, from, to) => {
      let value: unknown;
      try {
        value = JSON.parse(bytes.toString('utf8', from, to));
      } catch {
        return { bytes, from, to, arrived: null };
      }
      if (!isJsonObject(value)) return { bytes, from, to, arrived: null };
      const { [column]: arrival, ...rest } = value;
      isMissing ||= arrival === undefined;
      const text = Buffer.from(JSON.stringify(rest));
      const isKnown = typeof arrival === 'string' || typeof arrival === 'number';
      return { bytes: text, from: 0, to: text.length, arrived: isKnown ? instantOf(String(arrival)) : null };
    },
    problem: () => (isMissing ? `the result has rows without "${column}"` : null),
  };
};

export interface VerifyQuery {
  readonly text: string;
  /** `lines`: rows are taken unchanged. */
  readonly rows: 'lines' | 'tab' | 'json';
}

const FORMAT = /\bformat\s+([a-z]\w*)(\s+settings\s[^;]*)?$/i;

/** Adds a missing FORMAT; `has_arrival` requires column names. An error is the problem as an unfinished sentence. */
export const verifyQuery = (query: string, has_arrival: boolean): E.Either<string, VerifyQuery> => {
  const bare = query.replace(/[\s;]+$/, '');
  const format = FORMAT.exec(bare)?.[1];
  // On a line of its own, as the query may end with a comment.
  if (format === undefined) {
    return has_arrival
      ? E.right({ text: `${bare}\nFORMAT TabSeparatedWithNames`, rows: 'tab' })
      : E.right({ text: `${bare}\nFORMAT TabSeparated`, rows: 'lines' });
  }
  if (!has_arrival) return E.right({ text: bare, rows: 'lines' });
  if (/^(TabSeparatedWithNames|TSVWithNames)$/.test(format)) return E.right({ text: bare, rows: 'tab' });
  if (format === 'JSONEachRow') return E.right({ text: bare, rows: 'json' });
  return E.left(
    '--arrival-column needs a result whose columns have names: leave FORMAT out of the query, or ask for ' +
      'TabSeparatedWithNames or JSONEachRow',
  );
};
