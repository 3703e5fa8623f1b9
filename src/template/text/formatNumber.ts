import { raise } from '../errors.js';
import { checkLength } from '../limits.js';
import { bigText } from '../values/operations/print.js';
import { typeName, type Value } from '../values/value.js';
import { asDouble, exponential, fixedDecimals, general, grouped } from './numbers.js';
import { charactersOf, lengthOf } from './pieces.js';

/** `[[fill]align][sign][#][0][width][,_][.precision][type]`. */
interface Spec {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  readonly alternate: boolean;
  readonly width: number;
  readonly grouping: string;
  readonly precision: number | null;
  readonly type: string;
}

const SPEC = /^(?:(.)?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/su;

const MOST_DIGITS = 9;

const parseSpec = (text: string, type: string): Spec => {
  const match = SPEC.exec(text);
  if (match === null)
    return raise('ValueError', `Invalid format specifier '${text}' for object of type '${type}'`);
  const [, fill, align, sign, , alternate, zero, width, grouping, precision, code] = match;
  if ((width ?? '').length > MOST_DIGITS || (precision ?? '').length > MOST_DIGITS) {
    return raise('ValueError', 'Too many decimal digits in format string');
  }
  checkLength(Number(width ?? 0));
  checkLength(Number(precision ?? 0));
  return {
    fill: fill ?? (zero === undefined ? ' ' : '0'),
    align: align ?? (zero === undefined ? '' : '='),
    sign: sign ?? '',
    alternate: alternate !== undefined,
    width: Number(width ?? 0),
    grouping: grouping ?? '',
    precision: precision === undefined ? null : Number(precision),
    type: code ?? '',
  };
};

/** `lead`: sign and base prefix, before `=` padding. */
const pad = ({ fill, align, width }: Spec, lead: string, body: string, usual: string): string => {
  const missing = width - lengthOf(lead) - lengthOf(body);
  if (missing <= 0) return lead + body;
  checkLength(width);
  switch (align === '' ? usual : align) {
    case '<':
      return lead + body + fill.repeat(missing);
    case '^': {
      const left = Math.floor(missing / 2);
      return fill.repeat(left) + lead + body + fill.repeat(missing - left);
    }
    case '=':
      return lead + fill.repeat(missing) + body;
    default:
      return fill.repeat(missing) + lead + body;
  }
};

const signText = (isNegative: boolean, sign: string): string =>
  isNegative ? '-' : sign === '+' ? '+' : sign === ' ' ? ' ' : '';

const unknownCode = (spec: Spec, type: string): never =>
  raise('ValueError', `Unknown format code '${spec.type}' for object of type '${type}'`);

/** Groups the integer part; with `0` padding, groups include the padding. */
const groupWhole = (spec: Spec, digits: string, tail: string, lead: string, size: number): string => {
  if (spec.grouping === '') return digits;
  let whole = digits;
  let text = grouped(whole, spec.grouping, size);
  if (spec.fill === '0' && spec.align === '=') {
    while (lead.length + text.length + tail.length < spec.width) {
      whole = `0${whole}`;
      text = grouped(whole, spec.grouping, size);
    }
  }
  return text;
};

const RADIX: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16 };

const formatInt = (value: number | bigint, spec: Spec, type: string): string => {
  const code = spec.type === '' || spec.type === 'n' ? 'd' : spec.type;
  if (spec.precision !== null)
    return raise('ValueError', 'Precision not allowed in integer format specifier');
  if (code === 'c') {
    if (spec.sign !== '') return raise('ValueError', "Sign not allowed with integer format specifier 'c'");
    if (value < 0 || value > 0x10_ffff) return raise('OverflowError', '%c arg not in range(0x110000)');
    return pad(spec, '', String.fromCodePoint(Number(value)), '<');
  }
  const radix = code === 'd' ? 10 : RADIX[code];
  if (radix === undefined) return unknownCode(spec, type);
  if (spec.grouping === ',' && radix !== 10) return raise('ValueError', `Cannot specify ',' with '${code}'.`);
  const size = value < 0 ? -BigInt(value) : BigInt(value);
  const plain = radix === 10 ? bigText(size) : size.toString(radix);
  const prefix = spec.alternate && radix !== 10 ? `0${code}` : '';
  const lead = signText(value < 0, spec.sign) + prefix;
  const text = groupWhole(spec, code === 'X' ? plain.toUpperCase() : plain, '', lead, radix === 10 ? 3 : 4);
  return pad(spec, lead, text, '>');
};

/** Without sign. */
const floatDigits = (size: number, spec: Spec): string => {
  const precision = spec.precision ?? 6;
  switch (spec.type.toLowerCase()) {
    case 'e':
      return exponential(size, precision);
    case 'f':
      return fixedDecimals(size, precision);
    case '%':
      return `${fixedDecimals(size * 100, precision)}%`;
    case 'g':
    case 'n':
      return general(size, precision, spec.alternate);
    default: {
      if (spec.precision === null) return shortest(size);
      const text = general(size, spec.precision, spec.alternate);
      if (/[e.]/.test(text)) return text;
      // Without a code: at least one digit after the point, and `g` switches to `e` one digit earlier.
      return text.length >= Math.max(1, spec.precision) && size !== 0
        ? general10(size, spec.precision)
        : `${text}.0`;
    }
  }
};

const general10 = (size: number, precision: number): string =>
  size >= 10 ** (precision - 1)
    ? trimmed(exponential(size, Math.max(0, precision - 1)))
    : `${general(size, precision, false)}.0`;

const trimmed = (text: string): string => text.replace(/\.?0+e/, 'e');

const shortest = (size: number): string => {
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    const [digits = '', exponent = ''] = size.toExponential().split('e');
    return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
  }
  const text = String(size);
  return text.includes('.') ? text : `${text}.0`;
};

const formatFloat = (value: number, spec: Spec, type: string): string => {
  if (!['', 'e', 'E', 'f', 'F', 'g', 'G', 'n', '%'].includes(spec.type)) return unknownCode(spec, type);
  const isNegative = value < 0 || Object.is(value, -0);
  const lead = signText(isNegative, spec.sign);
  const size = Math.abs(value);
  const body = Number.isFinite(size)
    ? floatDigits(size, spec)
    : `${Number.isNaN(size) ? 'nan' : 'inf'}${spec.type === '%' ? '%' : ''}`;
  const upper = /[EFG]/.test(spec.type) ? body.toUpperCase() : body;
  const [, whole = '', tail = ''] = /^(\d*)(.*)$/s.exec(upper) ?? [];
  return pad(spec, lead, whole === '' ? tail : groupWhole(spec, whole, tail, lead, 3) + tail, '>');
};

const formatText = (text: string, spec: Spec): string => {
  if (spec.type !== '' && spec.type !== 's') return unknownCode(spec, 'str');
  if (spec.sign !== '') return raise('ValueError', 'Sign not allowed in string format specifier');
  if (spec.alternate) return raise('ValueError', 'Alternate form (#) not allowed in string format specifier');
  if (spec.align === '=' && spec.fill !== '0') {
    return raise('ValueError', "'=' alignment not allowed in string format specifier");
  }
  if (spec.grouping !== '') return raise('ValueError', `Cannot specify '${spec.grouping}' with 's'.`);
  const characters = charactersOf(text);
  const cut =
    spec.precision === null || characters.length <= spec.precision
      ? text
      : typeof characters === 'string'
        ? characters.slice(0, spec.precision)
        : characters.slice(0, spec.precision).join('');
  return pad(spec.align === '=' ? { ...spec, align: '<' } : spec, '', cut, '<');
};

export const formatScalar = (value: Value, text: string | null, source: string): string | undefined => {
  if (text !== null) return source === '' ? text : formatText(text, parseSpec(source, 'str'));
  const type = typeName(value);
  if (source === '' && typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint' || type === 'int' || type === 'bool') {
    const spec = parseSpec(source, type);
    const number = typeof value === 'boolean' ? Number(value) : (value as number | bigint);
    if (/[eEfFgG%]/.test(spec.type)) return formatFloat(asDouble(number) ?? 0, spec, type);
    return formatInt(number, spec, type);
  }
  if (type === 'float') return formatFloat(asDouble(value) ?? 0, parseSpec(source, type), type);
  return undefined;
};
