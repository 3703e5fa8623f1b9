import { raise } from '../errors.js';
import { checkBits, INTEGER_TEXT_DIGITS } from '../limits.js';
import { textRepr } from '../values/operations/print.js';
import { PyBytes } from '../values/types/bytes.js';
import { textOf } from '../values/types/markup.js';
import { Undefined } from '../values/types/undefined.js';
import { floatValue, intOf, isInt, isObject, typeName, type Value } from '../values/value.js';

/** Digits of other scripts, which `int()` and `float()` accept. */
const asciiDigits = (text: string): string =>
  /^\p{ASCII}*$/u.test(text)
    ? text
    : text.replace(/\p{Nd}/gu, (digit) => {
        const code = digit.codePointAt(0) ?? 0;
        let zero = code;
        while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
        return String(code - zero);
      });

const PREFIX: Readonly<Record<string, number>> = { '0x': 16, '0o': 8, '0b': 2 };

const digitValue = (character: string): number => Number.parseInt(character, 36);

export const readInt = (source: string, givenBase: number): Value | undefined => {
  const match = /^([+-]?)([0-9a-z_]+)$/i.exec(asciiDigits(source).trim());
  if (match === null) return undefined;
  let digits = (match[2] ?? '').toLowerCase();
  let base = givenBase;
  const prefixed = PREFIX[digits.slice(0, 2)];
  if (prefixed !== undefined && (base === 0 || base === prefixed)) {
    base = prefixed;
    digits = digits.slice(2).replace(/^_/, '');
  } else if (base === 0) {
    base = 10;
    if (/^0[0_]*[1-9]/.test(digits)) return undefined;
  }
  if (!/^[0-9a-z]+(?:_[0-9a-z]+)*$/.test(digits)) return undefined;
  digits = digits.replaceAll('_', '');
  for (const character of digits) if (digitValue(character) >= base) return undefined;
  if (digits.length > INTEGER_TEXT_DIGITS && (base & (base - 1)) !== 0) {
    return raise(
      'ValueError',
      `Exceeds the limit (${INTEGER_TEXT_DIGITS} digits) for integer string conversion: value has ${digits.length} digits; use sys.set_int_max_str_digits() to increase the limit`,
    );
  }
  checkBits(digits.length * Math.log2(base));
  const size = bigOf(digits, base);
  return intOf(match[1] === '-' ? -size : size);
};

const bigOf = (digits: string, base: number): bigint => {
  if (base === 10) return BigInt(digits);
  let value = 0n;
  const factor = BigInt(base);
  for (const character of digits) value = value * factor + BigInt(digitValue(character));
  return value;
};

const FLOAT = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i;

export const readFloat = (source: string): number | undefined => {
  const text = asciiDigits(source).trim();
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (word !== null) {
    const value = word[2]?.toLowerCase() === 'nan' ? Number.NaN : Number.POSITIVE_INFINITY;
    return word[1] === '-' ? -value : value;
  }
  return FLOAT.test(text) ? Number(text.replaceAll('_', '')) : undefined;
};

export const truncate = (value: number): Value => {
  if (Number.isNaN(value)) return raise('ValueError', 'cannot convert float NaN to integer');
  if (!Number.isFinite(value)) return raise('OverflowError', 'cannot convert float infinity to integer');
  const whole = Math.trunc(value);
  return Number.isSafeInteger(whole) ? whole + 0 : intOf(BigInt(whole));
};

export const toInt = (value: Value, base = 10): Value => {
  const text = value instanceof PyBytes ? Buffer.from(value.bytes).toString('latin1') : textOf(value);
  if (text !== null) {
    if (base !== 0 && (base < 2 || base > 36))
      return raise('ValueError', 'int() base must be >= 2 and <= 36, or 0');
    const shown = (): string => textRepr(text);
    return (
      readInt(text, base) ?? raise('ValueError', `invalid literal for int() with base ${base}: ${shown()}`)
    );
  }
  if (typeof value === 'boolean') return Number(value);
  if (isInt(value)) return value;
  const float = floatValue(value);
  if (float !== undefined) return truncate(float);
  const own = isObject(value) ? value.int() : undefined;
  if (own !== undefined) return intOf(own);
  return raise(
    'TypeError',
    `int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`,
  );
};

/** `undefined` for other types. OverflowError for large ints. */
export const asDouble = (value: Value): number | undefined => {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint') {
    const float = Number(value);
    return Number.isFinite(float) ? float : raise('OverflowError', 'int too large to convert to float');
  }
  if (typeof value === 'number') return value;
  return floatValue(value);
};

export const toDouble = (value: Value): number => {
  const number = asDouble(value);
  if (number !== undefined) return number;
  if (value instanceof Undefined) return value.fail();
  const text = textOf(value);
  if (text === null) {
    return raise('TypeError', `float() argument must be a string or a real number, not '${typeName(value)}'`);
  }
  return readFloat(text) ?? raise('ValueError', `could not convert string to float: ${textRepr(text)}`);
};

/** Digits of floats, rounded as in C: from the exact value, ties to even. `toFixed` rounds ties up. */

const parts = (value: number): { readonly mantissa: bigint; readonly exponent: number } => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | 0x10_0000_0000_0000n, exponent: biased - 1075 };
};

/** `value * 10^places` as an integer, ties to even; finite, not negative. */
const scaled = (value: number, places: number): bigint => {
  const { mantissa, exponent } = parts(value);
  let top = mantissa;
  let bottom = 1n;
  if (places > 0) top *= 10n ** BigInt(places);
  else bottom *= 10n ** BigInt(-places);
  if (exponent > 0) top <<= BigInt(exponent);
  else bottom <<= BigInt(-exponent);
  const whole = top / bottom;
  const twice = (top % bottom) * 2n;
  if (twice > bottom || (twice === bottom && (whole & 1n) === 1n)) return whole + 1n;
  return whole;
};

const POWERS = Array.from({ length: 16 }, (_, places) => 10 ** places);

/** Above this, a product with a power of ten may be off by more than `CLEAR`. */
const SMALL = 1e9;
/** Further from a tie, the error cannot change the rounding. */
const CLEAR = 1e-6;

/** Fast path of `scaled`; `-1` if it might round wrongly. Not negative. */
const quick = (value: number, places: number): number => {
  const power = POWERS[places];
  if (power === undefined) return -1;
  const product = value * power;
  if (!(product < SMALL)) return -1;
  const floor = Math.floor(product);
  const rest = product - floor;
  return Math.abs(rest - 0.5) < CLEAR ? -1 : floor + (rest > 0.5 ? 1 : 0);
};

/** Doubles have no more decimal places. */
const MOST_PLACES = 1_100;

/** `%.<places>f` without sign. */
export const fixedDecimals = (value: number, places: number): string => {
  if (places > MOST_PLACES) return fixedDecimals(value, MOST_PLACES) + '0'.repeat(places - MOST_PLACES);
  const near = quick(value, places);
  const digits = String(near < 0 ? scaled(value, places) : near).padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
};

/** First digits and decimal exponent of `%.<places>e`. */
const scientific = (
  value: number,
  places: number,
): { readonly digits: string; readonly exponent: number } => {
  if (value === 0) return { digits: '0'.repeat(places + 1), exponent: 0 };
  if (places > MOST_PLACES) {
    const { digits, exponent } = scientific(value, MOST_PLACES);
    return { digits: digits + '0'.repeat(places - MOST_PLACES), exponent };
  }
  let exponent = Math.floor(Math.log10(value));
  let digits = String(scaled(value, places - exponent));
  // The logarithm may be off by one; rounding up may add a digit.
  while (digits.length !== places + 1) {
    exponent += digits.length > places + 1 ? 1 : -1;
    digits = String(scaled(value, places - exponent));
  }
  return { digits, exponent };
};

const exponentText = (exponent: number): string =>
  `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;

/** `%.<places>e` without sign. */
export const exponential = (value: number, places: number): string => {
  const { digits, exponent } = scientific(value, places);
  const mantissa = places === 0 ? digits : `${digits[0]}.${digits.slice(1)}`;
  return mantissa + exponentText(exponent);
};

const trimZeros = (text: string): string => {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text[end - 1] === '0') end--;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
};

/** `%.<precision>g` without sign; `keepZeros`: flag `#`. */
export const general = (value: number, precision: number, keepZeros: boolean): string => {
  const places = Math.max(precision, 1);
  const { digits, exponent } = scientific(value, places - 1);
  const trim = keepZeros ? (text: string): string => text : trimZeros;
  if (exponent < -4 || exponent >= places) {
    const mantissa = places === 1 ? digits : trim(`${digits[0]}.${digits.slice(1)}`);
    return mantissa + exponentText(exponent);
  }
  return trim(fixedDecimals(value, places - 1 - exponent));
};

export const roundTo = (value: number, places: number): number => {
  if (!Number.isFinite(value) || value === 0) return value;
  if (places > 323) return value;
  if (places < -308) return value < 0 ? -0 : 0;
  const near = quick(Math.abs(value), places);
  // Both are exact: the division rounds once.
  const size =
    near < 0 ? Number(`${scaled(Math.abs(value), places)}e${-places}`) : near / (POWERS[places] ?? 1);
  return value < 0 ? -size : size;
};

export const grouped = (digits: string, separator: string, size: number): string => {
  let text = digits.slice(-size);
  for (let end = digits.length - size; end > 0; end -= size) {
    text = digits.slice(Math.max(0, end - size), end) + separator + text;
  }
  return text;
};
