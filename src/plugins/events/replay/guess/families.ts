import { literalPattern } from '../../../../domain/text/pattern.js';

/** A part of a timestamp as a pattern, and the strftime code that writes it. */
interface LinePiece {
  readonly pattern: string;
  readonly format: string;
}

/** A location in a kind of timestamp. */
interface TimeSlot {
  /** Regular expression without groups. */
  readonly source: string;
  /** Texts of different kinds belong to different formats. */
  readonly kindOf: (text: string) => string;
  /** `texts`: of one kind, at least one. */
  readonly pieceOf: (texts: readonly string[]) => LinePiece;
}

const sameKind = (): string => '';

/** Characters between the parts. */
const markPiece = (source: string): TimeSlot => ({
  source,
  kindOf: (text) => text,
  pieceOf: ([text = '']) => ({ pattern: literalPattern(text), format: text.replaceAll('%', '%%') }),
});

/** `pattern`: as people write it; `source` may be stricter. */
const fixedPiece = (source: string, format: string, pattern = source): TimeSlot => ({
  source,
  kindOf: sameKind,
  pieceOf: () => ({ pattern, format }),
});

/** A number of one or two digits, padded by `0` or a blank; `blank`: the padding while no text shows it. */
const twoDigits = (code: string, source: string, { blank = false } = {}): TimeSlot => ({
  source: `(?:${source})`,
  kindOf: sameKind,
  pieceOf: (texts) => {
    const isBlank = texts.some((text) => text.startsWith(' '));
    if (!isBlank && texts.some((text) => text.length === 1))
      return { pattern: '\\d{1,2}', format: `%-${code}` };
    const isZero = texts.some((text) => text.startsWith('0'));
    if (isBlank || (blank && !isZero))
      return { pattern: '[ \\d]\\d', format: code === 'd' ? '%e' : `%_${code}` };
    return { pattern: '\\d{2}', format: `%${code}` };
  },
});

/** A fraction of a second with its mark, or nothing. */
const fraction: TimeSlot = {
  source: '(?:[.,]\\d{1,9}|:\\d{3}(?!\\d)|)',
  kindOf: (text) => text.slice(0, 1).replace(/\d/, ''),
  pieceOf: (texts) => {
    const digits = texts.map((text) => text.length - 1);
    const [least, most] = [Math.min(...digits), Math.max(...digits)];
    if (most < 1) return { pattern: '', format: '' };
    const point = texts[0]?.[0] ?? '.';
    const code = most <= 3 ? '%L' : '%f';
    return {
      pattern: `${literalPattern(point)}${least === most ? `\\d{${most}}` : '\\d+'}`,
      // Microseconds are the finest: the digits after them are zeros.
      format: `${point}${code}${'0'.repeat(least === most ? Math.max(0, most - 6) : 0)}`,
    };
  },
};

const ZONE_NAMES = 'UTC|GMT|WET|WEST|CET|CEST|EET|EEST|MSK|EST|EDT|CST|CDT|MST|MDT|PST|PDT|IST|JST|AEST|AEDT';

/** An offset or a name of a time zone, or nothing. */
const zone: TimeSlot = {
  source: `(?:Z(?!\\w)| ?[+-]\\d{2}:?\\d{2}(?![\\d:])| ?(?:${ZONE_NAMES})(?!\\w)|)`,
  kindOf: (text) => text.replace(/[+-]\d{2}(:?)\d{2}/, '+$1').replace(/[A-Z]{3,4}/, 'N'),
  pieceOf: ([text = '']) => {
    const blank = text.startsWith(' ') ? ' ' : '';
    const rest = text.trimStart();
    if (rest === '' || rest === 'Z') return { pattern: rest, format: rest };
    if (/^[A-Z]/.test(rest)) return { pattern: `${blank}[A-Z]{3,4}`, format: `${blank}%Z` };
    return rest.includes(':')
      ? { pattern: `${blank}[+-]\\d{2}:\\d{2}`, format: `${blank}%:z` }
      : { pattern: `${blank}[+-]\\d{4}`, format: `${blank}%z` };
  },
};

/** `AM` or `PM`, in capitals or not. */
const halfDay: TimeSlot = {
  source: ' ?[AaPp][Mm](?!\\w)',
  kindOf: (text) => text.replace(/[ap]/, 'p').replace(/[AP]/, 'P'),
  pieceOf: ([text = '']) => {
    const blank = text.startsWith(' ') ? ' ' : '';
    const isCapital = text.includes('M');
    return {
      pattern: `${blank}${isCapital ? '[AP]M' : '[ap]m'}`,
      format: `${blank}${isCapital ? '%p' : '%P'}`,
    };
  },
};

/** A way to write a timestamp. Of families that match the same lines, the first one wins. */
export interface TimeFamily {
  readonly name: string;
  readonly slots: readonly TimeSlot[];
  /** 0: unlikely to be anything but a timestamp. */
  readonly doubt: number;
  /** What must not stand before it. */
  readonly notAfter?: string;
}

/** Part of a word or of a longer number. */
const WORD = '[\\w.-]';

const year = fixedPiece('\\d{4}', '%Y');
const shortYear = fixedPiece('\\d{2}', '%y');
const month = twoDigits('m', '0?[1-9]|1[0-2]');
const day = twoDigits('d', '3[01]|[12]\\d|0?[1-9]');
const blankDay = twoDigits('d', '3[01]|[12]\\d|[ 0]?[1-9]', { blank: true });
const monthName = fixedPiece('(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)', '%b', '[A-Z][a-z]{2}');
const weekday = fixedPiece('(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)', '%a', '[A-Z][a-z]{2}');
const hour = twoDigits('H', '[01]\\d|2[0-3]|\\d(?!\\d)');
const hour12 = twoDigits('I', '0?[1-9](?!\\d)|1[0-2]');
const minute = fixedPiece('[0-5]\\d', '%M', '\\d{2}');
const second = fixedPiece('[0-6]\\d', '%S', '\\d{2}');
const two = (code: string, source: string): TimeSlot => fixedPiece(source, `%${code}`, '\\d{2}');
const longYear = fixedPiece('20\\d{2}', '%Y', '\\d{4}');
const monthDigits = two('m', '(?:0[1-9]|1[0-2])');
const dayDigits = two('d', '(?:0[1-9]|[12]\\d|3[01])');
const hourDigits = two('H', '(?:[01]\\d|2[0-3])');

/** Not padded, as some phones write them. */
const anyMinute = twoDigits('M', '[0-5]?\\d(?!\\d)');
const anySecond = twoDigits('S', '[0-5]?\\d(?!\\d)');
const anyMillis = fixedPiece(':\\d{1,3}(?!\\d)', ':%L', ':\\d{1,3}');

/** The end of a date that no time follows. */
const NO_TIME = '(?![T_ -]{1,2}\\d{1,2}[:.]\\d{2}|:\\d|[-/.]\\d)';
const dayEnd = fixedPiece(`(?:0[1-9]|[12]\\d|3[01])${NO_TIME}`, '%d', '\\d{2}');
const yearEnd = fixedPiece(`20\\d{2}${NO_TIME}`, '%Y', '\\d{4}');

const colon = markPiece(':');
const dot = markPiece('\\.');
const time = [hour, colon, minute, colon, second, fraction] as const;
const clock12 = [hour12, colon, minute, colon, second, fraction, halfDay] as const;
/** The years 2001 to 2033. */
const seconds = fixedPiece('1\\d{9}', '%s', '\\d{10}');
const between = markPiece('[ T,]|, ');

export const FAMILIES: readonly TimeFamily[] = [
  {
    name: 'Year first, as in ISO 8601',
    slots: [
      year,
      markPiece('[-/.]'),
      month,
      markPiece('[-/.]'),
      day,
      markPiece(' {2}|[T ,t_]|, '),
      ...time,
      zone,
    ],
    doubt: 0,
  },
  {
    name: 'Day, month name and year, as in web server logs',
    slots: [day, markPiece('[/ -]'), monthName, markPiece('[/ -]'), year, markPiece('[: T]'), ...time, zone],
    doubt: 0,
  },
  {
    name: 'Weekday, day, month name and year, as in mail',
    slots: [
      weekday,
      markPiece(', '),
      day,
      markPiece(' '),
      monthName,
      markPiece(' '),
      year,
      markPiece(' '),
      ...time,
      zone,
    ],
    doubt: 0,
  },
  {
    name: 'Weekday, month name and year last, as in Apache error logs',
    slots: [
      weekday,
      markPiece(' '),
      monthName,
      markPiece(' '),
      blankDay,
      markPiece(' '),
      ...time,
      markPiece(' '),
      year,
    ],
    doubt: 0,
  },
  {
    name: 'Month name, day and year',
    slots: [monthName, markPiece(' '), blankDay, markPiece(',? '), year, markPiece(' '), ...time, zone],
    doubt: 0,
  },
  {
    name: 'Month name and day, year last, as in certificates',
    slots: [monthName, markPiece(' '), blankDay, markPiece(' '), ...time, markPiece(' '), longYear, zone],
    doubt: 0,
  },
  {
    name: 'Month name and day without year, as in syslog (RFC 3164)',
    slots: [monthName, markPiece(' '), blankDay, markPiece(' '), ...time],
    doubt: 0,
  },
  {
    name: 'Month, day and year with AM or PM, as in Windows',
    slots: [month, markPiece('/'), day, markPiece('/'), year, between, ...clock12],
    doubt: 0,
  },
  {
    name: 'Day, month and year with AM or PM',
    slots: [day, markPiece('[/.-]'), month, markPiece('[/.-]'), year, between, ...clock12],
    doubt: 0,
  },
  {
    name: 'Month, day and year',
    slots: [month, markPiece('[/-]'), day, markPiece('[/-]'), year, between, ...time, zone],
    doubt: 0,
  },
  {
    name: 'Day, month and year',
    slots: [day, markPiece('[/.-]'), month, markPiece('[/.-]'), year, between, ...time, zone],
    doubt: 0,
  },
  {
    name: 'Month, day and short year',
    slots: [month, markPiece('/'), day, markPiece('/'), shortYear, between, ...time],
    doubt: 1,
  },
  {
    name: 'Short year, month and day',
    slots: [shortYear, markPiece('/'), month, markPiece('/'), day, between, ...time],
    doubt: 1,
  },
  {
    name: 'Year first, with dots in the time',
    slots: [
      year,
      markPiece('-'),
      month,
      markPiece('-'),
      day,
      markPiece('-'),
      hour,
      dot,
      minute,
      dot,
      second,
      fraction,
    ],
    doubt: 0,
  },
  {
    name: 'Eight digits of the date, then a time',
    slots: [
      ...[longYear, monthDigits, dayDigits, markPiece('[- T]')],
      ...[hour, colon, anyMinute, colon, anySecond, anyMillis],
    ],
    doubt: 0,
  },
  {
    name: 'Eight digits of the date, then a time to the second',
    slots: [longYear, monthDigits, dayDigits, markPiece('[- T]'), ...time],
    doubt: 0,
  },
  {
    name: 'Six digits of the date, then six of the time',
    slots: [shortYear, monthDigits, dayDigits, markPiece('[ T]'), hourDigits, minute, second],
    doubt: 2,
    notAfter: WORD,
  },
  {
    name: 'Month and day with a dash, as in Android',
    slots: [monthDigits, markPiece('-'), dayDigits, markPiece(' '), ...time],
    doubt: 1,
    notAfter: WORD,
  },
  {
    name: 'Month and day with a dot',
    slots: [monthDigits, dot, dayDigits, markPiece(' '), ...time],
    doubt: 2,
    notAfter: WORD,
  },
  {
    name: 'Date and time without separators',
    slots: [longYear, monthDigits, dayDigits, markPiece('[T ]'), hourDigits, minute, second, fraction, zone],
    doubt: 0,
  },
  {
    name: 'Fourteen digits of date and time',
    slots: [longYear, monthDigits, dayDigits, hourDigits, minute, second],
    doubt: 1,
  },
  {
    name: 'Month and day in four digits, as in Kubernetes components',
    slots: [monthDigits, dayDigits, markPiece(' '), ...time],
    doubt: 1,
  },
  {
    name: 'Unix time in nanoseconds',
    slots: [seconds, fixedPiece('\\d{9}', '%f000')],
    doubt: 2,
    notAfter: WORD,
  },
  {
    name: 'Unix time in microseconds',
    slots: [seconds, fixedPiece('\\d{6}', '%f')],
    doubt: 2,
    notAfter: WORD,
  },
  {
    name: 'Unix time in milliseconds',
    slots: [seconds, fixedPiece('\\d{3}', '%L')],
    doubt: 2,
    notAfter: WORD,
  },
  { name: 'Unix time in seconds', slots: [seconds, fraction], doubt: 2, notAfter: WORD },
  { name: 'Time of day without a date', slots: [...time], doubt: 3, notAfter: '[\\w.:/-]|\\d[T ]' },
];

/** Dates without a time of day. They are no timestamps of events, but belong to those of their record. */
export const DATES: readonly TimeFamily[] = [
  {
    name: 'Year, month and day',
    slots: [longYear, markPiece('[-/.]'), monthDigits, markPiece('[-/.]'), dayEnd],
    doubt: 3,
    notAfter: '[\\d.:/-]',
  },
  {
    name: 'Day, month name and year',
    slots: [day, markPiece('[/ -]'), monthName, markPiece('[/ -]'), yearEnd],
    doubt: 3,
    notAfter: '[\\d.:/-]',
  },
];
