import * as E from 'fp-ts/lib/Either.js';
import { literalPattern } from '../text/pattern.js';
import { isoParts, parseIso, wallClock } from './iso.js';
import { MAX_MICROS, MICROS_PER_SECOND, type Micros } from './micros.js';
import { MONTH_NAMES } from './names.js';
import { COMPOSITES } from './strftime.js';
import type { Zone } from './zone.js';

/**
 * Reads a time. A text without a year is read as the time that is closest to `near`. Returns null when the text is not
 * in this format.
 */
export type ReadTime = (text: string, near: Micros) => Micros | null;

interface Found {
  year: number | null;
  month: number;
  day: number;
  /** Day of the year. Null when month and day count. */
  ordinal: number | null;
  hour: number;
  /** Whether `hour` is of a clock with 12 hours; `isPm` is then its half. */
  isHalf: boolean;
  isPm: boolean;
  minute: number;
  second: number;
  micros: number;
  /** Offset in seconds. Null for that of the zone. */
  offset: number | null;
  /** Unix time in seconds. Null when the text has none. */
  unix: number | null;
}

interface Code {
  readonly source: string;
  /** Stores the text. Undefined when it says nothing more. */
  readonly put?: (found: Found, text: string) => void;
}

const DIGITS = ' ?\\d{1,2}';
const NAMES = '[A-Za-z]{3,9}\\.?';
/** Texts of `%Z` that are an offset; the others stand for the zone of the generator. */
const UTC_NAMES = new Set(['UTC', 'GMT', 'Z']);

const monthOf = (name: string): number => {
  const start = name.slice(0, 3).toLowerCase();
  return MONTH_NAMES.findIndex((month) => month.slice(0, 3).toLowerCase() === start) + 1;
};

const offsetOf = (text: string): number => {
  if (/^z$/i.test(text)) return 0;
  const digits = text.slice(1).replaceAll(':', '').padEnd(6, '0');
  const part = (at: number): number => Number(digits.slice(at, at + 2));
  return (text.startsWith('-') ? -1 : 1) * ((part(0) * 60 + part(2)) * 60 + part(4));
};

const putFraction = (found: Found, text: string): void => {
  found.micros = Number(text.padEnd(6, '0').slice(0, 6));
};
const fraction: Code = { source: '\\d{1,9}', put: putFraction };
const number = (source: string, put: (found: Found, value: number) => void): Code => ({
  source,
  put: (found, text) => put(found, Number(text)),
});
const day = number(DIGITS, (found, value) => {
  found.day = value;
});
const hour = number(DIGITS, (found, value) => {
  found.hour = value;
});
const hour12 = number(DIGITS, (found, value) => {
  found.hour = value;
  found.isHalf = true;
});
const month: Code = {
  source: NAMES,
  put: (found, text) => {
    found.month = monthOf(text);
  },
};
const half: Code = {
  source: '[AaPp][Mm]',
  put: (found, text) => {
    found.isPm = /^p/i.test(text);
  },
};
const putOffset = (found: Found, text: string): void => {
  found.offset = offsetOf(text);
};
const offset: Code = { source: '[Zz]|[+-]\\d{2}(?::?\\d{2}(?::?\\d{2})?)?', put: putOffset };

/** Codes of strftime that can be read back (POSIX strptime; GNU `%k %l %s`; `%f` of Python, `%L` of Ruby). */
const CODES: Readonly<Record<string, Code>> = {
  A: { source: NAMES },
  a: { source: NAMES },
  B: month,
  b: month,
  h: month,
  d: day,
  e: day,
  f: fraction,
  L: fraction,
  H: hour,
  k: hour,
  I: hour12,
  l: hour12,
  j: number('\\d{1,3}', (found, value) => {
    found.ordinal = value;
  }),
  M: number('\\d{1,2}', (found, value) => {
    found.minute = value;
  }),
  m: number(DIGITS, (found, value) => {
    found.month = value;
  }),
  P: half,
  p: half,
  S: number('\\d{1,2}', (found, value) => {
    found.second = value;
  }),
  s: number('-?\\d{1,10}', (found, value) => {
    found.unix = value;
  }),
  u: { source: '\\d' },
  w: { source: '\\d' },
  Y: number('\\d{4}', (found, value) => {
    found.year = value;
  }),
  y: number('\\d{2}', (found, value) => {
    found.year = value + (value < 69 ? 2000 : 1900);
  }),
  Z: {
    source: '[A-Za-z]{1,5}|[+-]\\d{2,4}',
    put: (found, text) => {
      if (UTC_NAMES.has(text.toUpperCase())) found.offset = 0;
    },
  },
  z: offset,
  ':z': offset,
  n: { source: '\\s+' },
  t: { source: '\\s+' },
  '%': { source: '%' },
};

/** White space of a format matches any white space, so a padded day of syslog needs no format of its own. */
const literal = (text: string): string => literalPattern(text).replace(/\s+/g, '\\s+');

const NUMBERED = /%[-_0]?(:z|[A-Za-z%])/g;

interface Compiled {
  readonly pattern: RegExp;
  readonly puts: readonly ((found: Found, text: string) => void)[];
  readonly names: ReadonlySet<string>;
}

const compiled = (format: string): E.Either<string, Compiled> => {
  const whole = format.replace(/%([cDFRrTXx])/g, (all, code: string) => COMPOSITES[code] ?? all);
  const puts: ((found: Found, text: string) => void)[] = [];
  const names = new Set<string>();
  let source = '';
  let at = 0;
  for (const match of whole.matchAll(NUMBERED)) {
    const name = match[1] ?? '';
    const code = CODES[name];
    if (code === undefined) return E.left(`"${match[0]}" cannot be read back as a time`);
    names.add(name);
    source += literal(whole.slice(at, match.index));
    source += code.put === undefined ? `(?:${code.source})` : `(${code.source})`;
    if (code.put !== undefined) puts.push(code.put);
    at = match.index + match[0].length;
  }
  source += literal(whole.slice(at));
  return E.right({ pattern: new RegExp(`^${source}$`), puts, names });
};

const isDated = (names: ReadonlySet<string>): boolean =>
  names.has('s') ||
  names.has('j') ||
  ((names.has('d') || names.has('e')) && ['m', 'b', 'B', 'h'].some((name) => names.has(name)));

const hourOf = ({ hour: given, isHalf, isPm }: Found): number =>
  isHalf ? (given % 12) + (isPm ? 12 : 0) : given;

/** Returns the instant in a year, or null when it is not in the calendar. A leap second is the second before it. */
const instantIn = (found: Found, year: number, zone: Zone): Micros | null => {
  const [month, day] = found.ordinal === null ? [found.month, found.day] : [1, 1];
  const start = wallClock(
    [year, month, day],
    [hourOf(found), found.minute, Math.min(found.second, 59)],
    found.micros,
  );
  if (start === null || found.second > 60) return null;
  const local = found.ordinal === null ? start : start + (found.ordinal - 1) * 86_400 * MICROS_PER_SECOND;
  const instant = found.offset === null ? zone.instantOf(local) : local - found.offset * MICROS_PER_SECOND;
  return Math.abs(instant) > MAX_MICROS ? null : instant;
};

/** The closest instant of all years; 29 February has one in eight years at least. */
const closest = (found: Found, near: Micros, zone: Zone): Micros | null => {
  const year = new Date(near / 1000).getUTCFullYear();
  let best: Micros | null = null;
  for (let step = -8; step <= 8; step++) {
    const instant = instantIn(found, year + step, zone);
    if (instant !== null && (best === null || Math.abs(instant - near) < Math.abs(best - near)))
      best = instant;
  }
  return best;
};

/**
 * Compiles a strftime format, or `iso8601`, to read times in it. Texts without an offset are in the zone. The error
 * says why no time can be read.
 */
export const compileStrptime = (format: string, zone: Zone): E.Either<string, ReadTime> => {
  if (format === 'iso8601') return E.right((text) => parseIso(text.trim(), zone));
  const made = compiled(format);
  if (E.isLeft(made)) return made;
  const { pattern, puts, names } = made.right;
  if (!isDated(names)) return E.left('has no day and month: records need a date, such as %Y-%m-%d, or %s');
  return E.right((text, near) => {
    const match = pattern.exec(text);
    if (match === null) return null;
    const found: Found = {
      year: null,
      month: 1,
      day: 1,
      ordinal: null,
      hour: 0,
      isHalf: false,
      isPm: false,
      minute: 0,
      second: 0,
      micros: 0,
      offset: null,
      unix: null,
    };
    for (const [index, put] of puts.entries()) put(found, match[index + 1] as string);
    if (found.unix !== null) return found.unix * MICROS_PER_SECOND + found.micros;
    return found.year === null ? closest(found, near, zone) : instantIn(found, found.year, zone);
  });
};

/** Counts digits of the first fraction of a second in texts of a format. Returns null when the format has none. */
export const fractionLength = (format: string): ((text: string) => number) | null => {
  const made = compiled(format);
  if (E.isLeft(made)) return null;
  const { pattern, puts } = made.right;
  const index = puts.indexOf(putFraction);
  return index < 0 ? null : (text) => pattern.exec(text)?.[index + 1]?.length ?? 0;
};

/**
 * Reads the offset from UTC in texts of a format, in seconds. The offset is null when a text has none, or when the
 * format also names a zone.
 */
export const offsetReader = (format: string): ((text: string) => number | null) => {
  if (format === 'iso8601') return (text) => isoParts(text.trim())?.offset ?? null;
  const made = compiled(format);
  if (E.isLeft(made) || made.right.names.has('Z')) return () => null;
  const { pattern, puts } = made.right;
  const index = puts.indexOf(putOffset);
  if (index < 0) return () => null;
  return (text) => {
    const found = pattern.exec(text)?.[index + 1];
    return found === undefined ? null : offsetOf(found);
  };
};
