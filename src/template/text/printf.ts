import { Fault, raise } from '../errors.js';
import { charge, checkLength, checkText, LONG_TEXT } from '../limits.js';
import { bigText, repr, str } from '../values/operations/print.js';
import { PyBytes } from '../values/types/bytes.js';
import { PyDict } from '../values/types/dict.js';
import { textOf } from '../values/types/markup.js';
import { PyRange, PyTuple } from '../values/types/sequences.js';
import { Undefined } from '../values/types/undefined.js';
import { isInt, orElse, TemplateObject, typeName, type Value } from '../values/value.js';
import { asDouble, exponential, fixedDecimals, general, truncate } from './numbers.js';
import { lengthOf } from './pieces.js';

interface Piece {
  readonly key: string | null;
  readonly flags: string;
  readonly width: number | '*';
  readonly precision: number | '*' | null;
  readonly code: string;
  readonly kind: 'int' | 'float' | 'character' | 'text';
  /** True for `%s` and `%d` alone. */
  readonly isBare: boolean;
}

const kindOf = (code: string): Piece['kind'] => {
  if (/[diuxXo]/.test(code)) return 'int';
  if (/[eEfFgG]/.test(code)) return 'float';
  return code === 'c' ? 'character' : 'text';
};

export interface ParsedFormat {
  readonly texts: readonly string[];
  readonly pieces: readonly Piece[];
  /** True when its pieces take the arguments in turn: it has neither keys nor stars. */
  readonly isInTurn: boolean;
}

const PIECE = /^%(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\))?([-#0 +]*)(\*|\d+)?(?:\.(\*|\d*))?[hlL]?(.)?/su;

const parse = (format: string): ParsedFormat => {
  const texts: string[] = [];
  const pieces: Piece[] = [];
  let text = '';
  let at = 0;
  for (;;) {
    const next = format.indexOf('%', at);
    if (next < 0) break;
    text += format.slice(at, next);
    const match = PIECE.exec(format.slice(next, next + 1_000));
    const [whole = '%', key, flags = '', width = '', precision, code] = match ?? [];
    if (code === undefined) {
      return raise(
        'ValueError',
        format.startsWith('%(', next) && key === undefined ? 'incomplete format key' : 'incomplete format',
      );
    }
    at = next + whole.length;
    if (code === '%') {
      text += '%';
      continue;
    }
    if (!/[diouxXeEfFgGcrsa]/.test(code)) {
      const shown = code.codePointAt(0)?.toString(16) ?? '';
      const index = lengthOf(format.slice(0, at - code.length));
      return raise('ValueError', `unsupported format character '${code}' (0x${shown}) at index ${index}`);
    }
    texts.push(text);
    pieces.push({
      key: key ?? null,
      flags,
      width: width === '*' ? '*' : Number(width),
      precision: precision === undefined ? null : precision === '*' ? '*' : Number(precision),
      code,
      kind: kindOf(code),
      isBare: /^%[sdiu]$/.test(whole),
    });
    text = '';
  }
  texts.push(text + format.slice(at));
  const isInTurn = pieces.every(
    ({ key, width, precision }) => key === null && width !== '*' && precision !== '*',
  );
  return { texts, pieces, isInTurn };
};

const CACHE = new Map<string, ParsedFormat>();
const MAX_CACHED = 500;

const parsed = (format: string): ParsedFormat => {
  const known = CACHE.get(format);
  if (known !== undefined) return known;
  const made = parse(format);
  if (CACHE.size >= MAX_CACHED) CACHE.clear();
  CACHE.set(format, made);
  return made;
};

const pad = (flags: string, width: number, lead: string, body: string, isNumber: boolean): string => {
  if (width === 0) return lead + body;
  // Numbers are ASCII: units are characters.
  const missing = width - (isNumber ? lead.length + body.length : lengthOf(lead) + lengthOf(body));
  if (missing <= 0) return lead + body;
  checkLength(width);
  if (flags.includes('-')) return lead + body + ' '.repeat(missing);
  if (isNumber && flags.includes('0')) return lead + '0'.repeat(missing) + body;
  return ' '.repeat(missing) + lead + body;
};

const signOf = (isNegative: boolean, flags: string): string =>
  isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';

const intArgument = (value: Value, code: string): number | bigint => {
  if (typeof value === 'boolean') return Number(value);
  if (isInt(value)) return value;
  const double = asDouble(value);
  const isDecimal = !/[xXo]/.test(code);
  if (double !== undefined && isDecimal) return truncate(double) as number | bigint;
  if (value instanceof Undefined && isDecimal) return value.fail();
  const need = /[xXo]/.test(code) ? 'an integer' : 'a real number';
  return raise('TypeError', `%${code} format: ${need} is required, not ${typeName(value)}`);
};

const RADIX: Readonly<Record<string, number>> = { x: 16, X: 16, o: 8 };

/** Without sign. */
const digitsOf = (number: number | bigint, radix: number): string => {
  if (typeof number === 'number') return Math.abs(number).toString(radix);
  const size = number < 0 ? -number : number;
  return radix === 10 ? bigText(size) : size.toString(radix);
};

/** Smaller widths are not charged. */
const SHORT_WIDTH = 64;

const integerText = (piece: Piece, value: Value, width: number, precision: number | null): string => {
  const { code, flags } = piece;
  const number = intArgument(value, code);
  const radix = RADIX[code] ?? 10;
  const plain = digitsOf(number, radix);
  const upper = code === 'X' ? plain.toUpperCase() : plain;
  if (precision === null && number >= 0 && width <= SHORT_WIDTH && (flags === '' || flags === '0')) {
    // Fast path: `%d`, `%06d`, `%x`.
    return upper.padStart(width, flags === '0' ? '0' : ' ');
  }
  const digits = precision === null ? upper : upper.padStart(precision, '0');
  const prefix = flags.includes('#') && radix !== 10 ? `0${code}` : '';
  return pad(flags, width, signOf(number < 0, flags) + prefix, digits, true);
};

const floatText = (piece: Piece, value: Value, width: number, precision: number | null): string => {
  const { code, flags } = piece;
  const double = asDouble(value);
  if (double === undefined) {
    if (value instanceof Undefined) return value.fail();
    return raise('TypeError', `must be real number, not ${typeName(value)}`);
  }
  const size = Math.abs(double);
  const places = precision ?? 6;
  const kind = code.toLowerCase();
  let body = Number.isNaN(size) ? 'nan' : 'inf';
  if (Number.isFinite(size)) {
    body =
      kind === 'f'
        ? fixedDecimals(size, places)
        : kind === 'e'
          ? exponential(size, places)
          : general(size, places, flags.includes('#'));
    if (flags.includes('#') && places === 0 && kind === 'f') body += '.';
  }
  const lead = signOf(double < 0 || Object.is(double, -0), flags);
  return pad(flags, width, lead, code === kind ? body : body.toUpperCase(), true);
};

const characterText = (value: Value): string => {
  const text = textOf(value);
  if (text !== null && lengthOf(text) === 1) return text;
  if (!isInt(value)) return raise('TypeError', '%c requires int or char');
  if (value < 0 || value > 0x10_ffff) return raise('OverflowError', '%c arg not in range(0x110000)');
  return String.fromCodePoint(Number(value));
};

const ascii = (text: string): string =>
  text.replace(/\P{ASCII}/gu, (each) => {
    const code = each.codePointAt(0) ?? 0;
    if (code < 0x100) return `\\x${code.toString(16)}`;
    return code < 0x1_0000
      ? `\\u${code.toString(16).padStart(4, '0')}`
      : `\\U${code.toString(16).padStart(8, '0')}`;
  });

interface PrintfTexts {
  readonly text: (value: Value) => string;
  readonly repr: (value: Value) => string;
}

const PLAIN: PrintfTexts = { text: str, repr };

const convert = (
  piece: Piece,
  value: Value,
  width: number,
  precision: number | null,
  how: PrintfTexts,
): string => {
  const { code, flags, kind } = piece;
  if (kind === 'int') return integerText(piece, value, width, precision);
  if (kind === 'float') return floatText(piece, value, width, precision);
  if (kind === 'character') return pad(flags, width, '', characterText(value), false);
  const full = code === 's' ? how.text(value) : code === 'a' ? ascii(how.repr(value)) : how.repr(value);
  const text = precision === null ? full : Array.from(full).slice(0, precision).join('');
  return pad(flags, width, '', text, false);
};

const hasItems = (value: Value): boolean =>
  value instanceof PyDict ||
  Array.isArray(value) ||
  value instanceof PyBytes ||
  value instanceof PyRange ||
  value instanceof Undefined;

/**
 * Fills a format whose pieces take the arguments in turn. `maySpare`: arguments may stay unused. Charges the result
 * and long arguments.
 */
const filled = (
  { texts, pieces }: ParsedFormat,
  args: readonly Value[],
  how: PrintfTexts,
  maySpare: boolean,
): string => {
  let result = texts[0] as string;
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] as Piece;
    const value = args[index];
    if (value === undefined) return raise('TypeError', 'not enough arguments for format string');
    result += piece.isBare && how === PLAIN && isQuick(piece, value) ? value : slowly(piece, value, how);
    result += texts[index + 1] as string;
  }
  if (args.length > pieces.length && !maySpare) return leftOver();
  return checkText(result);
};

/** Texts and small integers, which print as they are. */
const isQuick = ({ kind }: Piece, value: Value): value is string | number =>
  kind === 'text'
    ? typeof value === 'string' && value.length <= LONG_TEXT
    : typeof value === 'number' && (value | 0) === value;

const slowly = (piece: Piece, value: Value, how: PrintfTexts): string => {
  const width = piece.width as number;
  const precision = piece.precision as number | null;
  if (typeof value === 'string') charge(value);
  if (width + (precision ?? 0) > SHORT_WIDTH) checkLength(width + (precision ?? 0));
  return convert(piece, value, width, precision, how);
};

const leftOver = (): never => raise('TypeError', 'not all arguments converted during string formatting');

/** A format that `formatted` fills. Null for one with keys or stars, and for one that is malformed. */
export const formatInTurn = (format: string): ParsedFormat | null => {
  try {
    const made = parse(format);
    return made.isInTurn ? made : null;
  } catch (thrown) {
    if (thrown instanceof Fault) return null;
    throw thrown;
  }
};

/** The filter `format` of a literal. */
export const formatted = (format: ParsedFormat, args: readonly Value[]): string =>
  filled(format, args, PLAIN, false);

/** `argument`: a tuple of arguments, a mapping for keys, or the only argument. */
export const printf = (text: string, argument: Value, how: PrintfTexts = PLAIN): string => {
  const format = parsed(text);
  const args = argument instanceof PyTuple ? argument.items : [argument];
  // A single argument with items may stay unused.
  const maySpare = hasItems(argument);
  if (format.isInTurn) return filled(format, args, how, maySpare);
  const { texts, pieces } = format;
  let next = 0;
  const take = (): Value => {
    const value = args[next++];
    return value === undefined ? raise('TypeError', 'not enough arguments for format string') : value;
  };
  const star = (given: number | '*'): number => {
    if (given !== '*') return given;
    const value = take();
    return typeof value === 'number' && isInt(value) ? value : raise('TypeError', '* wants int');
  };
  let result = texts[0] ?? '';
  let usesKeys = false;
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] as Piece;
    let flags = piece.flags;
    let width = star(piece.width);
    if (width < 0) {
      flags += '-';
      width = -width;
    }
    const precision = piece.precision === null ? null : Math.max(0, star(piece.precision));
    if (width > SHORT_WIDTH || precision !== null) checkLength(width + (precision ?? 0));
    let value: Value;
    if (piece.key === null) value = take();
    else {
      usesKeys = true;
      value = keyed(argument, piece.key);
    }
    result += convert(flags === piece.flags ? piece : { ...piece, flags }, value, width, precision, how);
    result += texts[index + 1] ?? '';
  }
  if (next < args.length && !usesKeys && !maySpare) return leftOver();
  return checkText(result);
};

const keyed = (argument: Value, key: string): Value => {
  if (!(argument instanceof TemplateObject) || argument instanceof PyTuple) {
    return raise('TypeError', 'format requires a mapping');
  }
  return orElse(argument.item(key), () => raise('KeyError', repr(key)));
};
