import { checkBits, INTEGER_TEXT_DIGITS } from '../limits.js';
import { raise } from '../values/fault.js';
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
