import { fixed, fraction, halfDay, mark, type Slot, twoDigits, zone } from './slots.js';

/** A way to write a timestamp. Of families that match the same lines, the first one wins. */
export interface Family {
  readonly name: string;
  readonly slots: readonly Slot[];
  /** 0: unlikely to be anything but a timestamp. */
  readonly doubt: number;
  /** What must not stand before it. */
  readonly notAfter?: string;
}

/** Part of a word or of a longer number. */
const WORD = '[\\w.-]';

const year = fixed('\\d{4}', '%Y');
const shortYear = fixed('\\d{2}', '%y');
const month = twoDigits('m', '0?[1-9]|1[0-2]');
const day = twoDigits('d', '3[01]|[12]\\d|0?[1-9]');
const blankDay = twoDigits('d', '3[01]|[12]\\d|[ 0]?[1-9]', { blank: true });
const monthName = fixed('(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)', '%b', '[A-Z][a-z]{2}');
const weekday = fixed('(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)', '%a', '[A-Z][a-z]{2}');
const hour = twoDigits('H', '[01]\\d|2[0-3]|\\d(?!\\d)');
const hour12 = twoDigits('I', '0?[1-9](?!\\d)|1[0-2]');
const minute = fixed('[0-5]\\d', '%M', '\\d{2}');
const second = fixed('[0-6]\\d', '%S', '\\d{2}');
const two = (code: string, source: string): Slot => fixed(source, `%${code}`, '\\d{2}');
const longYear = fixed('20\\d{2}', '%Y', '\\d{4}');
const monthDigits = two('m', '(?:0[1-9]|1[0-2])');
const dayDigits = two('d', '(?:0[1-9]|[12]\\d|3[01])');
const hourDigits = two('H', '(?:[01]\\d|2[0-3])');

/** Not padded, as some phones write them. */
const anyMinute = twoDigits('M', '[0-5]?\\d(?!\\d)');
const anySecond = twoDigits('S', '[0-5]?\\d(?!\\d)');
const anyMillis = fixed(':\\d{1,3}(?!\\d)', ':%L', ':\\d{1,3}');

/** The end of a date that no time follows. */
const NO_TIME = '(?![T_ -]{1,2}\\d{1,2}[:.]\\d{2}|:\\d|[-/.]\\d)';
const dayEnd = fixed(`(?:0[1-9]|[12]\\d|3[01])${NO_TIME}`, '%d', '\\d{2}');
const yearEnd = fixed(`20\\d{2}${NO_TIME}`, '%Y', '\\d{4}');

const colon = mark(':');
const dot = mark('\\.');
const time = [hour, colon, minute, colon, second, fraction] as const;
const clock12 = [hour12, colon, minute, colon, second, fraction, halfDay] as const;
/** The years 2001 to 2033. */
const seconds = fixed('1\\d{9}', '%s', '\\d{10}');
const between = mark('[ T,]|, ');

export const FAMILIES: readonly Family[] = [
  {
    name: 'Year first, as in ISO 8601',
    slots: [year, mark('[-/.]'), month, mark('[-/.]'), day, mark(' {2}|[T ,t_]|, '), ...time, zone],
    doubt: 0,
  },
  {
    name: 'Day, month name and year, as in web server logs',
    slots: [day, mark('[/ -]'), monthName, mark('[/ -]'), year, mark('[: T]'), ...time, zone],
    doubt: 0,
  },
  {
    name: 'Weekday, day, month name and year, as in mail',
    slots: [weekday, mark(', '), day, mark(' '), monthName, mark(' '), year, mark(' '), ...time, zone],
    doubt: 0,
  },
  {
    name: 'Weekday, month name and year last, as in Apache error logs',
    slots: [weekday, mark(' '), monthName, mark(' '), blankDay, mark(' '), ...time, mark(' '), year],
    doubt: 0,
  },
  {
    name: 'Month name, day and year',
    slots: [monthName, mark(' '), blankDay, mark(',? '), year, mark(' '), ...time, zone],
    doubt: 0,
  },
  {
    name: 'Month name and day without year, as in syslog (RFC 3164)',
    slots: [monthName, mark(' '), blankDay, mark(' '), ...time],
    doubt: 0,
  },
  {
    name: 'Month, day and year with AM or PM, as in Windows',
    slots: [month, mark('/'), day, mark('/'), year, between, ...clock12],
    doubt: 0,
  },
  {
    name: 'Day, month and year with AM or PM',
    slots: [day, mark('[/.-]'), month, mark('[/.-]'), year, between, ...clock12],
    doubt: 0,
  },
  {
    name: 'Month, day and year',
    slots: [month, mark('[/-]'), day, mark('[/-]'), year, between, ...time, zone],
    doubt: 0,
  },
  {
    name: 'Day, month and year',
    slots: [day, mark('[/.-]'), month, mark('[/.-]'), year, between, ...time, zone],
    doubt: 0,
  },
  {
    name: 'Month, day and short year',
    slots: [month, mark('/'), day, mark('/'), shortYear, between, ...time],
    doubt: 1,
  },
  {
    name: 'Short year, month and day',
    slots: [shortYear, mark('/'), month, mark('/'), day, between, ...time],
    doubt: 1,
  },
  {
    name: 'Year first, with dots in the time',
    slots: [year, mark('-'), month, mark('-'), day, mark('-'), hour, dot, minute, dot, second, fraction],
    doubt: 0,
  },
  {
    name: 'Eight digits of the date, then a time',
    slots: [
      ...[longYear, monthDigits, dayDigits, mark('[- T]')],
      ...[hour, colon, anyMinute, colon, anySecond, anyMillis],
    ],
    doubt: 0,
  },
  {
    name: 'Eight digits of the date, then a time to the second',
    slots: [longYear, monthDigits, dayDigits, mark('[- T]'), ...time],
    doubt: 0,
  },
  {
    name: 'Six digits of the date, then six of the time',
    slots: [shortYear, monthDigits, dayDigits, mark('[ T]'), hourDigits, minute, second],
    doubt: 2,
    notAfter: WORD,
  },
  {
    name: 'Month and day with a dash, as in Android',
    slots: [monthDigits, mark('-'), dayDigits, mark(' '), ...time],
    doubt: 1,
    notAfter: WORD,
  },
  {
    name: 'Month and day with a dot',
    slots: [monthDigits, dot, dayDigits, mark(' '), ...time],
    doubt: 2,
    notAfter: WORD,
  },
  {
    name: 'Date and time without separators',
    slots: [longYear, monthDigits, dayDigits, mark('[T ]'), hourDigits, minute, second, fraction, zone],
    doubt: 0,
  },
  {
    name: 'Fourteen digits of date and time',
    slots: [longYear, monthDigits, dayDigits, hourDigits, minute, second],
    doubt: 1,
  },
  {
    name: 'Month and day in four digits, as in Kubernetes components',
    slots: [monthDigits, dayDigits, mark(' '), ...time],
    doubt: 1,
  },
  { name: 'Unix time in nanoseconds', slots: [seconds, fixed('\\d{9}', '%f000')], doubt: 2, notAfter: WORD },
  { name: 'Unix time in microseconds', slots: [seconds, fixed('\\d{6}', '%f')], doubt: 2, notAfter: WORD },
  { name: 'Unix time in milliseconds', slots: [seconds, fixed('\\d{3}', '%L')], doubt: 2, notAfter: WORD },
  { name: 'Unix time in seconds', slots: [seconds, fraction], doubt: 2, notAfter: WORD },
  { name: 'Time of day without a date', slots: [...time], doubt: 3, notAfter: '[\\w.:/-]|\\d[T ]' },
];

/** Dates without a time of day. They are no timestamps of events, but belong to those of their record. */
export const DATES: readonly Family[] = [
  {
    name: 'Year, month and day',
    slots: [longYear, mark('[-/.]'), monthDigits, mark('[-/.]'), dayEnd],
    doubt: 3,
    notAfter: '[\\d.:/-]',
  },
  {
    name: 'Day, month name and year',
    slots: [day, mark('[/ -]'), monthName, mark('[/ -]'), yearEnd],
    doubt: 3,
    notAfter: '[\\d.:/-]',
  },
];
