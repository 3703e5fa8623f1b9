import { raise } from '../../errors.js';
import { chargeInt, checkBits, checkItems } from '../../limits.js';
import { asDouble } from '../../text/numbers.js';
import { cat } from '../../text/pieces.js';
import { printf } from '../../text/printf.js';
import { PyTuple } from '../types/sequences.js';
import { viewDifference } from '../types/set.js';
import { floatOf, floatValue, intOf, isInt, isObject, typeName, type Value } from '../value.js';
import { asRepeat, repeatText } from './subscript.js';

const bitsOf = (value: bigint): number => {
  const digits = (value < 0n ? -value : value).toString(16);
  return (digits.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(digits[0] ?? '0', 16)));
};

const wholeOf = (value: Value): number | bigint | undefined =>
  typeof value === 'boolean' ? Number(value) : isInt(value) ? value : undefined;

const isNumber = (value: Value): boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  typeof value === 'bigint' ||
  floatValue(value) !== undefined;

const chargeBoth = (a: Value, b: Value): void => {
  if (typeof a === 'bigint') chargeInt(a);
  if (typeof b === 'bigint') chargeInt(b);
};

const unsupported = (operator: string, a: Value, b: Value): never =>
  raise('TypeError', `unsupported operand type(s) for ${operator}: '${typeName(a)}' and '${typeName(b)}'`);

const byObject = (operator: string, a: Value, b: Value): Value | undefined => {
  if (isObject(a)) {
    const result = a.operate(operator, b, false);
    if (result !== undefined) return result;
  }
  return isObject(b) ? b.operate(operator, a, true) : undefined;
};

/** Both as doubles if one is a float; else `null`. */
const doubles = (a: Value, b: Value): readonly [number, number] | null => {
  if (!isNumber(a) || !isNumber(b)) return null;
  return [asDouble(a) ?? 0, asDouble(b) ?? 0];
};

const addSlow = (a: Value, b: Value): Value => {
  chargeBoth(a, b);
  const x = wholeOf(a);
  const y = wholeOf(b);
  if (x !== undefined && y !== undefined) return intOf(BigInt(x) + BigInt(y));
  const floats = doubles(a, b);
  if (floats !== null) return floatOf(floats[0] + floats[1]);
  const own = byObject('+', a, b);
  if (own !== undefined) return own;
  if (Array.isArray(a)) {
    if (!Array.isArray(b))
      return raise('TypeError', `can only concatenate list (not "${typeName(b)}") to list`);
    checkItems(a.length + b.length);
    return a.concat(b);
  }
  if (a instanceof PyTuple) {
    return raise('TypeError', `can only concatenate tuple (not "${typeName(b)}") to tuple`);
  }
  if (typeof a === 'string') {
    return raise('TypeError', `can only concatenate str (not "${typeName(b)}") to str`);
  }
  return unsupported('+', a, b);
};

export const add = (a: Value, b: Value): Value => {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b)) return floatOf(sum);
    if (Number.isSafeInteger(sum)) return sum;
  } else if (typeof a === 'string' && typeof b === 'string') return cat(a, b);
  return addSlow(a, b);
};

export const subtract = (a: Value, b: Value): Value => {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b)) return floatOf(difference);
    if (Number.isSafeInteger(difference)) return difference;
  }
  const x = wholeOf(a);
  const y = wholeOf(b);
  chargeBoth(a, b);
  if (x !== undefined && y !== undefined) return intOf(BigInt(x) - BigInt(y));
  const floats = doubles(a, b);
  if (floats !== null) return floatOf(floats[0] - floats[1]);
  return byObject('-', a, b) ?? viewDifference(a, b) ?? unsupported('-', a, b);
};

const repeatList = (items: readonly Value[], count: Value): Value[] | undefined => {
  const times = asRepeat(count);
  if (times === undefined) return undefined;
  const result: Value[] = [];
  if (items.length > 0 && times > 0) {
    checkItems(items.length * times);
    for (let i = 0; i < times; i++) for (const item of items) result.push(item);
  }
  return result;
};

const repeated = (a: Value, b: Value): Value | undefined => {
  if (typeof a === 'string') return repeatText(a, b);
  if (Array.isArray(a)) return repeatList(a, b);
  if (!(a instanceof PyTuple)) return undefined;
  const items = repeatList(a.items, b);
  return items === undefined ? undefined : new PyTuple(items);
};

const isSequence = (value: Value): boolean =>
  typeof value === 'string' || Array.isArray(value) || value instanceof PyTuple;

export const multiply = (a: Value, b: Value): Value => {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b)) return floatOf(product);
    // `+ 0` turns -0 into 0: -0 would be a float.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  const x = wholeOf(a);
  const y = wholeOf(b);
  if (x !== undefined && y !== undefined) {
    const [p, q] = [BigInt(x), BigInt(y)];
    chargeBoth(a, b);
    checkBits(bitsOf(p) + bitsOf(q));
    return intOf(p * q);
  }
  const floats = doubles(a, b);
  if (floats !== null) return floatOf(floats[0] * floats[1]);
  const result = byObject('*', a, b) ?? repeated(a, b) ?? repeated(b, a);
  if (result !== undefined) return result;
  if (isSequence(a)) return raise('TypeError', `can't multiply sequence by non-int of type '${typeName(b)}'`);
  if (isSequence(b)) return raise('TypeError', `can't multiply sequence by non-int of type '${typeName(a)}'`);
  return unsupported('*', a, b);
};

const divideWhole = (x: bigint, y: bigint): number => {
  const direct = Number(x) / Number(y);
  if (Number.isSafeInteger(Number(x)) && Number.isSafeInteger(Number(y))) return direct;
  const isNegative = x < 0n !== y < 0n;
  const [p, q] = [x < 0n ? -x : x, y < 0n ? -y : y];
  const shift = bitsOf(q) - bitsOf(p) + 70;
  const quotient = shift > 0 ? (p << BigInt(shift)) / q : p / (q << BigInt(-shift));
  const rest = shift > 0 ? (p << BigInt(shift)) % q : p % (q << BigInt(-shift));
  // The sticky bit makes the single rounding of Number() correct.
  const value = Number((quotient << 1n) | (rest === 0n ? 0n : 1n)) * 2 ** (-shift - 1);
  if (!Number.isFinite(value)) return raise('OverflowError', 'integer division result too large for a float');
  return isNegative ? -value : value;
};

export const divide = (a: Value, b: Value): Value => {
  const x = wholeOf(a);
  const y = wholeOf(b);
  if (x !== undefined && y !== undefined) {
    chargeBoth(a, b);
    if (Number(y) === 0) return raise('ZeroDivisionError', 'division by zero');
    return floatOf(
      typeof x === 'number' && typeof y === 'number'
        ? x === 0
          ? 0
          : x / y
        : divideWhole(BigInt(x), BigInt(y)),
    );
  }
  const floats = doubles(a, b);
  if (floats !== null) {
    if (floats[1] === 0) return raise('ZeroDivisionError', 'float division by zero');
    return floatOf(floats[0] / floats[1]);
  }
  return byObject('/', a, b) ?? unsupported('/', a, b);
};

/** Rounds towards minus infinity. */
const divmodBig = (x: bigint, y: bigint): readonly [bigint, bigint] => {
  const quotient = x / y;
  const rest = x % y;
  return rest !== 0n && rest < 0n !== y < 0n ? [quotient - 1n, rest + y] : [quotient, rest];
};

const divmodFloat = (x: number, y: number): readonly [number, number] => {
  let rest = x % y;
  let quotient = (x - rest) / y;
  if (rest !== 0) {
    if (y < 0 !== rest < 0) {
      rest += y;
      quotient -= 1;
    }
  } else rest = y < 0 ? -0 : 0;
  if (quotient === 0) return [x / y < 0 || Object.is(x / y, -0) ? -0 : 0, rest];
  const floor = Math.floor(quotient);
  return [quotient - floor > 0.5 ? floor + 1 : floor, rest];
};

export const floorDivide = (a: Value, b: Value): Value => {
  const x = wholeOf(a);
  const y = wholeOf(b);
  if (x !== undefined && y !== undefined) {
    if (Number(y) === 0) return raise('ZeroDivisionError', 'integer division or modulo by zero');
    if (typeof x === 'number' && typeof y === 'number') {
      const rest = x % y;
      return (x - rest) / y - (rest !== 0 && rest < 0 !== y < 0 ? 1 : 0) + 0;
    }
    chargeBoth(a, b);
    return intOf(divmodBig(BigInt(x), BigInt(y))[0]);
  }
  const floats = doubles(a, b);
  if (floats !== null) {
    if (floats[1] === 0) return raise('ZeroDivisionError', 'float floor division by zero');
    return floatOf(divmodFloat(floats[0], floats[1])[0]);
  }
  return byObject('//', a, b) ?? unsupported('//', a, b);
};

export const modulo = (a: Value, b: Value): Value => {
  if (typeof a === 'number' && typeof b === 'number' && a >= 0 && b > 0) {
    // Fast path: no negative operand.
    if (Number.isSafeInteger(a) && Number.isSafeInteger(b)) return a % b;
  }
  if (typeof a === 'string') return printf(a, b);
  const x = wholeOf(a);
  const y = wholeOf(b);
  if (x !== undefined && y !== undefined) {
    if (Number(y) === 0) return raise('ZeroDivisionError', 'integer modulo by zero');
    if (typeof x === 'number' && typeof y === 'number') {
      const rest = x % y;
      return (rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest) + 0;
    }
    chargeBoth(a, b);
    return intOf(divmodBig(BigInt(x), BigInt(y))[1]);
  }
  const floats = doubles(a, b);
  if (floats !== null) {
    if (floats[1] === 0) return raise('ZeroDivisionError', 'float modulo');
    return floatOf(divmodFloat(floats[0], floats[1])[1]);
  }
  return byObject('%', a, b) ?? unsupported('%', a, b);
};

const powerWhole = (x: number | bigint, y: number | bigint): Value => {
  if (y < 0) {
    if (Number(x) === 0) return raise('ZeroDivisionError', '0.0 cannot be raised to a negative power');
    return floatOf(Number(x) ** Number(y));
  }
  const base = BigInt(x);
  if (base !== 0n && base !== 1n && base !== -1n) checkBits((bitsOf(base) - 1) * Number(y));
  const made = base ** BigInt(y);
  chargeInt(made);
  return intOf(made);
};

export const power = (a: Value, b: Value): Value => {
  const x = wholeOf(a);
  const y = wholeOf(b);
  if (x !== undefined && y !== undefined) return powerWhole(x, y);
  const floats = doubles(a, b);
  if (floats === null) return byObject('**', a, b) ?? unsupported('** or pow()', a, b);
  const [base, exponent] = floats;
  if (base === 0 && exponent < 0) {
    return raise('ZeroDivisionError', '0.0 cannot be raised to a negative power');
  }
  if (base < 0 && Number.isFinite(base) && Number.isFinite(exponent) && !Number.isInteger(exponent)) {
    return raise(
      'ComplexNumberError',
      'a negative number to a fractional power is complex; the engine has no complex numbers',
    );
  }
  // JavaScript has NaN where C has 1.
  if (base === 1 || exponent === 0 || (base === -1 && !Number.isFinite(exponent))) {
    return floatOf(Number.isNaN(exponent) && base === -1 ? Number.NaN : 1);
  }
  const result = base ** exponent;
  if (!Number.isFinite(result) && Number.isFinite(base) && Number.isFinite(exponent)) {
    return raise('OverflowError', "(34, 'Numerical result out of range')");
  }
  return floatOf(result);
};

export const negate = (a: Value): Value => {
  const whole = wholeOf(a);
  if (whole !== undefined) return typeof whole === 'number' ? 0 - whole : -whole;
  const float = floatValue(a);
  if (float !== undefined) return floatOf(-float);
  const own = isObject(a) ? a.operate('neg', null, false) : undefined;
  return own ?? raise('TypeError', `bad operand type for unary -: '${typeName(a)}'`);
};

export const plus = (a: Value): Value => {
  const whole = wholeOf(a);
  if (whole !== undefined) return whole;
  if (floatValue(a) !== undefined) return a;
  const own = isObject(a) ? a.operate('pos', null, false) : undefined;
  return own ?? raise('TypeError', `bad operand type for unary +: '${typeName(a)}'`);
};
