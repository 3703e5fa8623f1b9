import { Fault, raise } from '../errors.js';
import { fixedDecimals, readFloat, readInt, roundTo, toDouble, toInt, truncate } from '../text/numbers.js';
import { type Methods, methods, type NativeMethod } from '../values/methods.js';
import { divide, floorDivide, multiply, negate, power } from '../values/operations/arithmetic.js';
import { truthy } from '../values/operations/compare.js';
import { needIndex } from '../values/operations/subscript.js';
import { textOf } from '../values/types/markup.js';
import { Undefined } from '../values/types/undefined.js';
import { floatOf, floatValue, isInt, TemplateObject, typeName, type Value } from '../values/value.js';
import { type FilterServices, higherFilters } from './higher.js';
import { SEQUENCE_FILTERS } from './sequences.js';
import { TEXT_FILTERS } from './texts.js';

const ALIASES: Readonly<Record<string, string>> = { count: 'length', d: 'default', e: 'escape' };

export const makeFilters = (services: FilterServices): Methods<Value> => {
  const filters = new Map<string, NativeMethod<Value>>([
    ...TEXT_FILTERS,
    ...SEQUENCE_FILTERS,
    ...NUMBER_FILTERS,
    ...higherFilters(services),
  ]);
  for (const [alias, name] of Object.entries(ALIASES)) {
    const filter = filters.get(name);
    if (filter !== undefined) filters.set(alias, filter);
  }
  return filters;
};

/** Errors for which `int` and `float` return their default. */
const isConversion = (thrown: unknown): boolean =>
  thrown instanceof Fault && ['TypeError', 'ValueError'].includes(thrown.kind);

/** An int that needs no parsing rules. */
const PLAIN_INT = /^(?:0|[1-9]\d{0,14})$/;

const intFilter = (value: Value, fallback: Value, base: Value): Value => {
  if (typeof value === 'number' && base === 10)
    return Number.isSafeInteger(value) ? value : cut(value, fallback);
  if (typeof value === 'string' && base === 10 && PLAIN_INT.test(value)) return Number(value);
  const text = textOf(value);
  if (text !== null) {
    const whole = readInt(text, needIndex(base));
    if (whole !== undefined) return whole;
    const float = readFloat(text);
    return float === undefined || !Number.isFinite(float) ? fallback : truncate(float);
  }
  if (value instanceof Undefined) return value.fail();
  return tryInt(value, fallback);
};

/** A float as int; NaN and infinity take the general path. */
const cut = (value: number, fallback: Value): Value => {
  const whole = Math.trunc(value);
  return Number.isSafeInteger(whole) ? whole + 0 : tryInt(value, fallback);
};

const tryInt = (value: Value, fallback: Value): Value => {
  try {
    return toInt(value);
  } catch (thrown) {
    if (isConversion(thrown)) return fallback;
    throw thrown;
  }
};

const floatFilter = (value: Value, fallback: Value): Value => {
  if (value instanceof Undefined) return value.fail();
  try {
    return floatOf(toDouble(value));
  } catch (thrown) {
    if (isConversion(thrown)) return fallback;
    throw thrown;
  }
};

/** Ties to even; an int stays an int. */
const roundValue = (value: Value, digits: number): Value => {
  const float = floatValue(value);
  if (float !== undefined) return floatOf(roundTo(float, digits));
  const whole = typeof value === 'boolean' ? Number(value) : value;
  if (!isInt(whole)) return raise('TypeError', `type ${typeName(value)} doesn't define __round__ method`);
  if (digits >= 0) return whole;
  const unit = power(10, -digits);
  const down = multiply(floorDivide(whole, unit), unit);
  const rest = BigInt(whole) - BigInt(down as number | bigint);
  const half = BigInt(unit as number | bigint);
  const isUp =
    rest * 2n > half ||
    (rest * 2n === half && truthy(floorDivide(whole, unit)) && isOdd(floorDivide(whole, unit)));
  const up = BigInt(down as number | bigint) + half;
  return isUp ? (Number.isSafeInteger(Number(up)) ? Number(up) : up) : down;
};

const isOdd = (value: Value): boolean => BigInt(value as number | bigint) % 2n !== 0n;

const round = (value: Value, precision: Value, method: Value): Value => {
  if (method !== 'common' && method !== 'ceil' && method !== 'floor') {
    return raise('FilterArgumentError', 'method must be common, ceil or floor');
  }
  if (method === 'common') return roundValue(value, needIndex(precision));
  const factor = power(10, precision);
  const scaled = multiply(value, factor);
  const float = floatValue(scaled);
  if (float === undefined && !isInt(scaled)) {
    return raise('TypeError', `must be real number, not ${typeName(scaled)}`);
  }
  const edge =
    float === undefined ? scaled : truncate(method === 'ceil' ? Math.ceil(float) : Math.floor(float));
  return divide(edge, factor);
};

const PREFIXES = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];

const fileSize = (value: Value, isBinary: Value): string => {
  const bytes = toDouble(value);
  const base = truthy(isBinary) ? 1024 : 1000;
  const suffix = truthy(isBinary) ? 'iB' : 'B';
  if (bytes === 1) return '1 Byte';
  if (bytes < base) return `${String(truncate(bytes))} Bytes`;
  let unit = base;
  let text = '';
  for (const prefix of PREFIXES) {
    unit *= base;
    const amount = (base * bytes) / unit;
    const name = truthy(isBinary) ? prefix.toUpperCase() : prefix;
    text = `${amount < 0 ? '-' : ''}${fixedDecimals(Math.abs(amount), 1)} ${name}${suffix}`;
    if (bytes < unit) break;
  }
  return text;
};

const abs = (value: Value): Value => {
  const float = floatValue(value);
  if (float !== undefined) return floatOf(Math.abs(float));
  if (typeof value === 'boolean') return Number(value);
  if (isInt(value)) return value < 0 ? negate(value) : value;
  const own =
    value instanceof TemplateObject && !(value instanceof Undefined)
      ? value.operate('abs', null, false)
      : undefined;
  return own ?? raise('TypeError', `bad operand type for abs(): '${typeName(value)}'`);
};

const NUMBER_FILTERS: Methods<Value> = methods<Value>({
  'abs()': abs,
  'int(default=0, base=10)': intFilter,
  'float(default=None)': (value, fallback) => floatFilter(value, fallback ?? floatOf(0)),
  "round(precision=0, method='common')": round,
  'filesizeformat(binary=False)': fileSize,
});
