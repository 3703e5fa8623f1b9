import * as E from 'fp-ts/lib/Either.js';
import { isoFormatter, offsetText } from './iso.js';
import { MICROS_PER_SECOND, type Micros } from './micros.js';
import { DAY_NAMES, MONTH_NAMES, zoneAbbreviation } from './names.js';
import type { Zone } from './zone.js';

interface Fields {
  readonly second: number;
  readonly offset: number;
  readonly local: Date;
  readonly zone: Zone;
}

/** The flags `-`, `_` and `0` of GNU change the padding. */
const padded = (value: number, width: number, fill: string): string => String(value).padStart(width, fill);

const dayOfYear = (local: Date): number =>
  Math.floor((local.getTime() - Date.UTC(local.getUTCFullYear(), 0, 1)) / 86_400_000) + 1;

/** Week of the year; weeks begin on `first` (0 Sunday, 1 Monday), days before the first one are week 0. */
const weekOfYear = (local: Date, first: number): number =>
  Math.floor((dayOfYear(local) + 6 - ((local.getUTCDay() - first + 7) % 7)) / 7);

/** ISO 8601 week: the year is that of its Thursday. */
const isoWeek = (local: Date): { readonly year: number; readonly week: number } => {
  const thursday = new Date(local.getTime() + (4 - (local.getUTCDay() || 7)) * 86_400_000);
  return { year: thursday.getUTCFullYear(), week: Math.ceil(dayOfYear(thursday) / 7) };
};

const hour12 = (local: Date): number => local.getUTCHours() % 12 || 12;

/** A number with its default width and fill. */
interface NumberCode {
  readonly width: number;
  readonly fill: '0' | ' ';
  readonly of: (fields: Fields) => number;
}

const number = (width: number, of: NumberCode['of'], fill: NumberCode['fill'] = '0'): NumberCode => ({
  width,
  fill,
  of,
});

/** Numeric codes (C99 7.27.3.5, GNU for `%k %l %s`). */
const NUMBERS: Readonly<Record<string, NumberCode>> = {
  C: number(2, ({ local }) => Math.floor(local.getUTCFullYear() / 100)),
  d: number(2, ({ local }) => local.getUTCDate()),
  e: number(2, ({ local }) => local.getUTCDate(), ' '),
  G: number(4, ({ local }) => isoWeek(local).year),
  g: number(2, ({ local }) => isoWeek(local).year % 100),
  H: number(2, ({ local }) => local.getUTCHours()),
  I: number(2, ({ local }) => hour12(local)),
  j: number(3, ({ local }) => dayOfYear(local)),
  k: number(2, ({ local }) => local.getUTCHours(), ' '),
  l: number(2, ({ local }) => hour12(local), ' '),
  M: number(2, ({ local }) => local.getUTCMinutes()),
  m: number(2, ({ local }) => local.getUTCMonth() + 1),
  S: number(2, ({ local }) => local.getUTCSeconds()),
  s: number(1, ({ second }) => second),
  U: number(2, ({ local }) => weekOfYear(local, 0)),
  u: number(1, ({ local }) => local.getUTCDay() || 7),
  V: number(2, ({ local }) => isoWeek(local).week),
  W: number(2, ({ local }) => weekOfYear(local, 1)),
  w: number(1, ({ local }) => local.getUTCDay()),
  Y: number(4, ({ local }) => local.getUTCFullYear()),
  y: number(2, ({ local }) => local.getUTCFullYear() % 100),
};

/** Text codes, English as in the C locale. */
const TEXTS: Readonly<Record<string, (fields: Fields) => string>> = {
  A: ({ local }) => DAY_NAMES[local.getUTCDay()] as string,
  a: ({ local }) => (DAY_NAMES[local.getUTCDay()] as string).slice(0, 3),
  B: ({ local }) => MONTH_NAMES[local.getUTCMonth()] as string,
  b: ({ local }) => (MONTH_NAMES[local.getUTCMonth()] as string).slice(0, 3),
  h: ({ local }) => (MONTH_NAMES[local.getUTCMonth()] as string).slice(0, 3),
  P: ({ local }) => (local.getUTCHours() < 12 ? 'am' : 'pm'),
  p: ({ local }) => (local.getUTCHours() < 12 ? 'AM' : 'PM'),
  Z: ({ second, zone }) => zoneAbbreviation(zone, second),
  z: ({ offset }) => offsetText(offset).replaceAll(':', ''),
  ':z': ({ offset }) => offsetText(offset),
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
};

/** Directives that stand for others. */
export const COMPOSITES: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
  x: '%m/%d/%y',
};

/** Digits of a fraction of a second: `%f` of Python, `%L` of Ruby. */
const FRACTIONS: Readonly<Record<string, number>> = { f: 6, L: 3 };

type Piece =
  | { readonly kind: 'perSecond'; readonly text: (fields: Fields) => string }
  | { readonly kind: 'fraction'; readonly digits: number };

/** Alphabetic, lower case first; `localeCompare` would cost 10 ms at every start. */
const byLetter = (a: string, b: string): number => {
  const [first, second] = [a.toLowerCase(), b.toLowerCase()];
  if (first !== second) return first < second ? -1 : 1;
  return a < b ? 1 : -1;
};

const ACCEPTED = [
  ...Object.keys(NUMBERS),
  ...Object.keys(TEXTS),
  ...Object.keys(COMPOSITES),
  ...Object.keys(FRACTIONS),
]
  .sort(byLetter)
  .map((code) => `%${code}`)
  .join(' ');

const CODE = /%([-_0]?)(:z|[A-Za-z%])/y;

const literal = (text: string): Piece => ({ kind: 'perSecond', text: () => text });

const numberPiece = (code: NumberCode, flag: string): Piece => {
  if (flag === '-') return { kind: 'perSecond', text: (fields) => String(code.of(fields)) };
  const fill = flag === '_' ? ' ' : flag === '0' ? '0' : code.fill;
  return { kind: 'perSecond', text: (fields) => padded(code.of(fields), code.width, fill) };
};

const parse = (format: string): E.Either<string, readonly Piece[]> => {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < format.length) {
    const next = format.indexOf('%', at);
    const end = next === -1 ? format.length : next;
    if (end > at) pieces.push(literal(format.slice(at, end)));
    if (next === -1) break;
    CODE.lastIndex = next;
    const match = CODE.exec(format);
    const [whole = format.slice(next, next + 2), flag = '', code = ''] = match ?? [];
    const composite = COMPOSITES[code];
    const numeric = NUMBERS[code];
    const text = TEXTS[code];
    const digits = FRACTIONS[code];
    if (composite !== undefined) {
      const inner = parse(composite);
      if (E.isLeft(inner)) return inner;
      pieces.push(...inner.right);
    } else if (numeric !== undefined) pieces.push(numberPiece(numeric, flag));
    else if (text !== undefined) pieces.push({ kind: 'perSecond', text });
    else if (digits !== undefined) pieces.push({ kind: 'fraction', digits });
    else {
      const where = `at character ${next + 1}`;
      return E.left(
        `"${whole}" ${where} is no strftime code; accepted are ${ACCEPTED} (write %% for a percent sign)`,
      );
    }
    at = next + whole.length;
  }
  return E.right(pieces);
};

/** Pieces between fractions, each rendered once per second. */
const runsOf = (pieces: readonly Piece[]) => {
  const runs: ((fields: Fields) => string)[][] = [[]];
  const digits: number[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'fraction') {
      digits.push(piece.digits);
      runs.push([]);
    } else runs.at(-1)?.push(piece.text);
  }
  return { runs, digits };
};

/**
 * Compiles a strftime format for a zone: C89 codes, common C99 and GNU ones, `%f`, `%L`, `%:z`, `%-d`, English names;
 * or `iso8601`. Another instant of the same second costs one comparison. The error names the unknown code and the
 * accepted ones.
 */
export const compileStrftime = (format: string, zone: Zone): E.Either<string, (micros: Micros) => string> => {
  if (format === 'iso8601') return E.right(isoFormatter(zone));
  const pieces = parse(format);
  if (E.isLeft(pieces)) return pieces;
  const { runs, digits } = runsOf(pieces.right);
  let second = Number.NaN;
  let texts: string[] = [];
  const enter = (next: number): void => {
    second = next;
    const offset = zone.offsetSecondsAt(next * MICROS_PER_SECOND);
    const fields: Fields = { second: next, offset, local: new Date((next + offset) * 1000), zone };
    texts = runs.map((run) => run.map((text) => text(fields)).join(''));
  };
  if (digits.length === 0) {
    return E.right((micros) => {
      const at = Math.floor(micros / MICROS_PER_SECOND);
      if (at !== second) enter(at);
      return texts[0] as string;
    });
  }
  return E.right((micros) => {
    const at = Math.floor(micros / MICROS_PER_SECOND);
    if (at !== second) enter(at);
    const fraction = String(MICROS_PER_SECOND + (micros - at * MICROS_PER_SECOND));
    let result = texts[0] as string;
    for (let i = 0; i < digits.length; i++) {
      result += fraction.slice(1, 1 + (digits[i] as number)) + (texts[i + 1] as string);
    }
    return result;
  });
};
