import { raise } from '../../errors.js';
import { bind, parseSignature } from '../../values/methods.js';
import { divide } from '../../values/operations/arithmetic.js';
import { asIndex } from '../../values/operations/subscript.js';
import {
  floatOf,
  floatValue,
  type HashKey,
  intOf,
  type Kwargs,
  type RunFunction,
  TemplateObject,
  typeName,
  type Value,
} from '../../values/value.js';
import { clockOf, DAY_MICROS, two } from './civil.js';

const MAX_DAYS = 999_999_999;
const DAY = BigInt(DAY_MICROS);

export class PyTimedelta extends TemplateObject {
  constructor(
    readonly days: number,
    /** Microseconds beyond the days, below one day. */
    readonly micros: number,
  ) {
    super();
  }
  get typeName(): string {
    return 'datetime.timedelta';
  }
  get total(): bigint {
    return BigInt(this.days) * DAY + BigInt(this.micros);
  }
  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'days':
        return this.days;
      case 'seconds':
        return Math.floor(this.micros / 1_000_000);
      case 'microseconds':
        return this.micros % 1_000_000;
      case 'total_seconds':
        return (args) => this.totalSeconds(args);
      case 'min':
        return new PyTimedelta(-MAX_DAYS, 0);
      case 'max':
        return new PyTimedelta(MAX_DAYS, DAY_MICROS - 1);
      case 'resolution':
        return new PyTimedelta(0, 1);
      default:
        return undefined;
    }
  }
  private totalSeconds(args: readonly Value[]): Value {
    if (args.length > 0)
      return raise('TypeError', `timedelta.total_seconds() takes no arguments (${args.length} given)`);
    const micros = this.days * DAY_MICROS + this.micros;
    return Number.isSafeInteger(micros) ? floatOf(micros / 1_000_000) : divide(intOf(this.total), 1_000_000);
  }

  override truthy(): boolean {
    return this.days !== 0 || this.micros !== 0;
  }
  override text(): string {
    const [hour, minute, second, micro] = clockOf(this.micros);
    const days = this.days === 0 ? '' : `${this.days} day${Math.abs(this.days) === 1 ? '' : 's'}, `;
    const fraction = micro === 0 ? '' : `.${String(micro).padStart(6, '0')}`;
    return `${days}${hour}:${two(minute)}:${two(second)}${fraction}`;
  }
  override repr(): string {
    const seconds = Math.floor(this.micros / 1_000_000);
    const parts = [
      this.days === 0 ? '' : `days=${this.days}`,
      seconds === 0 ? '' : `seconds=${seconds}`,
      this.micros % 1_000_000 === 0 ? '' : `microseconds=${this.micros % 1_000_000}`,
    ].filter((part) => part !== '');
    return `datetime.timedelta(${parts.length === 0 ? '0' : parts.join(', ')})`;
  }
  override equals(other: Value): boolean {
    return other instanceof PyTimedelta && other.days === this.days && other.micros === this.micros;
  }
  override compare(other: Value): number | undefined {
    if (!(other instanceof PyTimedelta)) return undefined;
    return this.days - other.days || this.micros - other.micros;
  }
  override hashKey(): HashKey {
    return `\0D${this.days};${this.micros}`;
  }
  override operate(operator: string, other: Value, isRight: boolean): Value | undefined {
    switch (operator) {
      case 'neg':
        return timedeltaOf(-this.total);
      case 'pos':
        return this;
      case 'abs':
        return this.days < 0 ? timedeltaOf(-this.total) : this;
      case '+':
        return other instanceof PyTimedelta
          ? deltaOf(this.days + other.days, this.micros + other.micros)
          : undefined;
      case '-':
        if (!(other instanceof PyTimedelta)) return undefined;
        return timedeltaOf(isRight ? other.total - this.total : this.total - other.total);
      case '*':
        return times(this, other);
      default:
        return isRight ? undefined : divided(this, operator, other);
    }
  }
}

/** Normalizes days and microseconds, which may be negative or over a day. */
export const deltaOf = (days: number, micros: number): PyTimedelta => {
  const carry = Math.floor(micros / DAY_MICROS);
  const whole = days + carry;
  if (whole > MAX_DAYS || whole < -MAX_DAYS) {
    return raise('OverflowError', `days=${whole}; must have magnitude <= 999999999`);
  }
  return new PyTimedelta(whole, micros - carry * DAY_MICROS);
};

export const timedeltaOf = (micros: bigint): PyTimedelta => {
  let days = micros / DAY;
  let rest = micros % DAY;
  if (rest < 0n) {
    rest += DAY;
    days -= 1n;
  }
  if (days > MAX_DAYS || days < -MAX_DAYS) {
    return raise('OverflowError', `days=${days}; must have magnitude <= 999999999`);
  }
  return new PyTimedelta(Number(days), Number(rest));
};

/** Ties to even. */
const roundedQuotient = (top: bigint, bottom: bigint): bigint => {
  const [a, b] = bottom < 0n ? [-top, -bottom] : [top, bottom];
  let quotient = a / b;
  let rest = a % b;
  if (rest < 0n) {
    rest += b;
    quotient -= 1n;
  }
  const twice = rest * 2n;
  return twice > b || (twice === b && quotient % 2n !== 0n) ? quotient + 1n : quotient;
};

const fraction = (value: number): readonly [bigint, bigint] => {
  if (!Number.isFinite(value)) {
    return Number.isNaN(value)
      ? raise('ValueError', 'cannot convert NaN to integer ratio')
      : raise('OverflowError', 'cannot convert Infinity to integer ratio');
  }
  let top = value;
  let bottom = 1n;
  while (!Number.isInteger(top)) {
    top *= 2;
    bottom *= 2n;
  }
  return [BigInt(top), bottom];
};

const times = (delta: PyTimedelta, factor: Value): PyTimedelta | undefined => {
  const whole = typeof factor === 'bigint' ? factor : asIndex(factor);
  if (whole !== undefined) return timedeltaOf(delta.total * BigInt(whole));
  const float = floatValue(factor);
  if (float === undefined) return undefined;
  const [top, bottom] = fraction(float);
  return timedeltaOf(roundedQuotient(delta.total * top, bottom));
};

const noZero = (isZero: boolean): void => {
  if (isZero) raise('ZeroDivisionError', 'integer division or modulo by zero');
};

const divided = (delta: PyTimedelta, operator: string, other: Value): Value | undefined => {
  if (other instanceof PyTimedelta) {
    if (operator === '/') {
      if (!other.truthy()) return raise('ZeroDivisionError', 'division by zero');
      return floatOf(Number(delta.total) / Number(other.total));
    }
    if (operator !== '//' && operator !== '%') return undefined;
    noZero(!other.truthy());
    const quotient = floorQuotient(delta.total, other.total);
    return operator === '//' ? intOf(quotient) : timedeltaOf(delta.total - quotient * other.total);
  }
  const whole = typeof other === 'bigint' ? other : asIndex(other);
  if (operator === '//' && whole !== undefined) {
    noZero(Number(whole) === 0);
    return timedeltaOf(floorQuotient(delta.total, BigInt(whole)));
  }
  if (operator !== '/') return undefined;
  if (whole !== undefined) {
    noZero(Number(whole) === 0);
    return timedeltaOf(roundedQuotient(delta.total, BigInt(whole)));
  }
  const float = floatValue(other);
  if (float === undefined) return undefined;
  const [top, bottom] = fraction(float);
  noZero(top === 0n);
  return timedeltaOf(roundedQuotient(delta.total * bottom, top));
};

const floorQuotient = (a: bigint, b: bigint): bigint => {
  const quotient = a / b;
  return a % b !== 0n && a % b < 0n !== b < 0n ? quotient - 1n : quotient;
};

const SIGNATURE = parseSignature(
  'timedelta(days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0)',
);
const UNITS = [DAY_MICROS, 1_000_000, 1, 1_000, 60_000_000, 3_600_000_000, 7 * DAY_MICROS];

/** Fast path: keyword ints with a safe sum; else `null`. */
const plainDelta = (args: readonly Value[], kwargs: Kwargs | null): PyTimedelta | null => {
  if (args.length > 0 || kwargs === null) return null;
  let total = 0;
  for (const [name, value] of kwargs) {
    const unit = UNITS[SIGNATURE.params.indexOf(name)];
    if (unit === undefined || typeof value !== 'number' || !Number.isSafeInteger(value)) return null;
    total += value * unit;
    if (!Number.isSafeInteger(total)) return null;
  }
  return deltaOf(0, total);
};

export const makeTimedelta = (args: readonly Value[], kwargs: Kwargs | null): PyTimedelta =>
  plainDelta(args, kwargs) ?? exactDelta(args, kwargs);

/** `timedelta(seconds=n)`, the usual call: one named unit. */
export const directDelta = (positional: number, keys: readonly string[]): RunFunction | null => {
  const [key = ''] = keys;
  const unit = UNITS[SIGNATURE.params.indexOf(key)];
  if (positional > 0 || keys.length !== 1 || unit === undefined) return null;
  return (value = null) => {
    const total = typeof value === 'number' ? value * unit : Number.NaN;
    return Number.isSafeInteger(value) && Number.isSafeInteger(total)
      ? deltaOf(0, total)
      : makeTimedelta([], new Map([[key, value]]));
  };
};

const exactDelta = (args: readonly Value[], kwargs: Kwargs | null): PyTimedelta => {
  let total = 0n;
  let top = 0n;
  let bottom = 1n;
  for (const [index, value] of bind(SIGNATURE, args, kwargs).entries()) {
    const unit = BigInt(UNITS[index] ?? 1);
    const whole = typeof value === 'bigint' ? value : asIndex(value);
    if (whole !== undefined) total += BigInt(whole) * unit;
    else {
      const float = floatValue(value);
      if (float === undefined) {
        return raise(
          'TypeError',
          `unsupported type for timedelta ${SIGNATURE.params[index]} component: ${typeName(value)}`,
        );
      }
      const [a, b] = fraction(float);
      top = top * b + a * unit * bottom;
      bottom *= b;
    }
  }
  return timedeltaOf(total + roundedQuotient(top, bottom));
};
