import { raise } from '../../errors.js';
import { budget, chargeInt, checkLonger, checkText, INTEGER_TEXT_DIGITS, spend } from '../../limits.js';
import { inParts, paced } from '../../text/pieces.js';
import { isObject, type Value } from '../value.js';

/** `.0` to `.999` without trailing zeros. */
const FRACTIONS: readonly string[] = Array.from({ length: 1000 }, (_, n) => {
  const digits = String(n).padStart(3, '0').replace(/0+$/, '');
  return `.${digits === '' ? '0' : digits}`;
});

/** Below this, three decimal places identify a double. */
const MOST_THOUSANDTHS = 1e12;

/** Python's `repr`: shortest digits, `e+16` from 1e16, `e-05` below 1e-4. */
export const floatText = (value: number): string => {
  // Fast path for up to three decimal places.
  const near = Math.abs(value);
  const thousandths = Math.round(near * 1000);
  if (thousandths > 0 && thousandths < MOST_THOUSANDTHS && thousandths / 1000 === near) {
    const whole = Math.floor(thousandths / 1000);
    const digits = `${whole}${FRACTIONS[thousandths - whole * 1000]}`;
    return value < 0 ? `-${digits}` : digits;
  }
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    const [digits = '', exponent = ''] = value.toExponential().split('e');
    return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
  }
  const text = String(value);
  return text.includes('.') ? text : `${text}.0`;
};

/** ValueError beyond Python's digit limit. */
export const bigText = (value: bigint): string => {
  chargeInt(value);
  const text = String(value);
  if (text.length - (value < 0n ? 1 : 0) > INTEGER_TEXT_DIGITS) {
    return raise(
      'ValueError',
      `Exceeds the limit (${INTEGER_TEXT_DIGITS} digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit`,
    );
  }
  return text;
};

/** Characters Python escapes in a repr. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Zs}]/u;
const UNPRINTABLES = /[\\\p{C}\p{Zl}\p{Zp}\p{Zs}]/gu;

export const isPrintable = (text: string): boolean => {
  for (const character of paced(text)) if (character !== ' ' && UNPRINTABLE.test(character)) return false;
  return true;
};

const NAMED: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\\': '\\\\',
  ' ': ' ',
};

const escapeOf = (character: string): string => {
  const named = NAMED[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x1_0000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
};

export const textRepr = (text: string): string => {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = inParts(text, (part) => part.replace(UNPRINTABLES, escapeOf));
  return checkText(quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote);
};

/** Containers being printed, outermost first; a cycle prints `[...]`. */
const open: object[] = [];

/** `inner`: text for a cycle. */
export const reprAll = (owner: object, items: Iterable<Value>, inner: string): string =>
  guardedPrint(owner, inner, () => {
    const parts: string[] = [];
    let length = 0;
    for (const item of items) {
      const part = repr(item);
      parts.push(part);
      length += part.length + 2;
      if ((parts.length & 0x3f) !== 0) continue;
      spend(64);
      checkLonger(length);
    }
    return checkText(parts.join(', '));
  });

export const guardedPrint = (owner: object, inner: string, print: () => string): string => {
  if (open.includes(owner)) return inner;
  if (open.length >= budget.limits.recursion_depth) {
    return raise('RecursionError', 'maximum recursion depth exceeded while getting the repr of an object');
  }
  open.push(owner);
  try {
    return print();
  } finally {
    open.pop();
  }
};

export const repr = (value: Value): string => {
  switch (typeof value) {
    case 'string':
      return textRepr(value);
    case 'number':
      return Number.isSafeInteger(value) ? String(value) : floatText(value);
    case 'bigint':
      return bigText(value);
    case 'boolean':
      return value ? 'True' : 'False';
    case 'function':
      return '<built-in function>';
    default:
      if (value === null) return 'None';
      return Array.isArray(value) ? `[${reprAll(value, value, '...')}]` : value.repr();
  }
};

const textSlow = (value: Value): string => (isObject(value) ? value.text() : repr(value));

export const str = (value: Value): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && (value | 0) === value) return `${value}`;
  return textSlow(value);
};
